import PostgresCluster

@testable import OffstageShared

extension Cluster {
    /// A new database.
    func database() throws -> SharedAddress { try SharedAddress(database() as String) }

    /// A new database with Offstage's tables.
    func initialized() async throws -> SharedAddress {
        let address: SharedAddress = try database()
        _ = try await SharedDatabase(address).initialize()
        return address
    }
}
