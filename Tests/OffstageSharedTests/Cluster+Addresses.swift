import PostgresCluster

@testable import OffstageShared

extension Cluster {
    /// Creates a database.
    func database() throws -> SharedAddress { try SharedAddress(database() as String) }

    /// Creates a database with Offstage's tables.
    func initialized() async throws -> SharedAddress {
        let address: SharedAddress = try database()
        _ = try await SharedDatabase(address).initialize()
        return address
    }
}
