import Foundation
import PostgresCluster
import Testing

@testable import OffstageShared

/// Connections to a PostgreSQL server with TLS, whose certificate is from an authority that no system trusts.
struct TLSTests {
    private static let password = "correct-horse-battery"
    private static let cluster = Cluster.withTLS(password: password)

    /// The connection string of a new database over TLS, with the password in a file.
    private func address(
        host: String = "db.offstage.test", authority: String = "ca.pem", password: String = Self.password,
        _ more: String = ""
    ) async throws -> SharedAddress {
        let cluster = Self.cluster
        let local = try SharedAddress(cluster.database() as String)
        let file = cluster.folder + "/" + UUID().uuidString
        _ = FileManager.default.createFile(
            atPath: file, contents: Data("*:*:*:*:\(password)\n".utf8), attributes: [.posixPermissions: 0o600])
        return try SharedAddress(
            "host=\(host) hostaddr=127.0.0.1 port=\(cluster.port) user=postgres dbname=\(Self.name(of: local)) "
                + "passfile=\(file) sslrootcert=\(cluster.folder)/\(authority) \(more)", environment: [:])
    }

    private static func name(of address: SharedAddress) -> String {
        String(address.description.split(separator: "=").last!)
    }

    /// The error of a first attempt. It must be a TLS error, and quote neither the password nor a certificate.
    private func refusal(_ address: SharedAddress) async -> String {
        let error = await #expect(throws: SharedError.self) { try await SharedDatabase(address).initialize() }
        guard case .tls = error else {
            Issue.record("\(String(describing: error))")
            return ""
        }
        let text = "\(error!)"
        #expect(!text.contains(Self.password) && !text.contains("BEGIN") && !text.contains("Authority"), "\(text)")
        #expect(error?.isPassing == false)
        return text
    }

    @Test("another machine's server is verified by default, and the connection is encrypted")
    func verified() async throws {
        let address = try await address()
        #expect(address.warning == nil)
        _ = try await SharedDatabase(address).initialize()
        let connection = SharedConnection(address, name: "test")
        try await connection.run { (session) throws(SharedError) in
            #expect(session.parameter("sslmode") == "verify-full")
            var isEncrypted = false
            try session.run("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()") { isEncrypted = $0.bool(0) }
            #expect(isEncrypted)
        }
        let node = try await TestNode(address)
        #expect(try await node.bytes(1) != nil)
        await node.stop()
        #expect(try await SharedDatabase(address).statistics().pictures == 1)
    }

    @Test("another authority's certificate is refused", arguments: ["", "sslmode=verify-full", "sslmode=verify-ca"])
    func authority(_ mode: String) async throws {
        let text = await refusal(try await address(authority: "other.pem", mode))
        #expect(text.contains("certificate verify failed"), "\(text)")
    }

    @Test("a certificate for another host is refused")
    func host() async throws {
        let text = await refusal(try await address(host: "other.offstage.test"))
        #expect(text.contains("\"other.offstage.test\"") && text.contains("does not match host name"), "\(text)")
    }

    @Test("without the authority's certificate, no server is trusted")
    func missing() async throws {
        let text = await refusal(try await address(authority: "nonexistent.pem"))
        #expect(text.contains("nonexistent.pem\" does not exist"), "\(text)")
        #expect(text.contains("sslrootcert=FILE"))
    }

    @Test("a wrong password is not reported as a TLS error, and no message contains it")
    func password() async throws {
        let address = try await address(password: "wrong-horse")
        let error = await #expect(throws: SharedError.self) { try await SharedDatabase(address).initialize() }
        guard case .cannotConnect(let text) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(text.contains("password authentication failed") && !text.contains("horse"), "\(text)")
    }

    @Test("a server that refuses an account over TLS, or shuts down, does not cause a TLS error")
    func others() {
        #expect(!PQSession.isTLS("FATAL:  no pg_hba.conf entry for host \"10.0.0.1\", user \"a\", SSL encryption"))
        #expect(!PQSession.isTLS("SSL SYSCALL error: Connection reset by peer"))
        #expect(!PQSession.isTLS("SSL connection has been closed unexpectedly"))
        #expect(PQSession.isTLS("server does not support SSL, but SSL was required"))
    }
}
