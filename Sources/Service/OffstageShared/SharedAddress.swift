import Foundation

/// The address of the shared database: a libpq connection string, such as `postgresql://db.example.org/offstage` or
/// `service=offstage`.
///
/// It must not contain a password, which every account of the machine could see. libpq finds passwords in PGPASSFILE,
/// `~/.pgpass`, or the service file. A connection to another machine uses TLS and verifies the server, unless the
/// string specifies otherwise.
public struct SharedAddress: Sendable, Hashable, CustomStringConvertible {
    /// The connection string.
    public let description: String
    /// The parameters for libpq, in order: a later parameter overrides an earlier one.
    let parameters: [Parameter]
    /// Describes a weakness of the connection's protection, without a full stop. Nil if it has none.
    public let warning: String?

    struct Parameter: Sendable, Hashable {
        var name: String
        var value: String
    }

    /// - Parameters:
    ///   - text: the connection string.
    ///   - environment: the environment variables (default: the process's).
    /// - Throws: `.notInstalled` and `.address`.
    public init(
        _ text: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(SharedError) {
        let given = try Self.parse(text)
        if given["password"] != nil {
            throw .address(
                "the connection string has a password, which every account of this machine can see; put it into "
                    + "~/.pgpass (PGPASSFILE) or a service file")
        }
        if given["sslpassword"] != nil {
            throw .address(
                "the connection string has the password of a key (sslpassword), which every account of this machine can see; put it "
                    + "into a service file, or use a key without one")
        }
        var defaults = [
            Parameter(name: "application_name", value: "offstage"), Parameter(name: "connect_timeout", value: "5"),
            Parameter(name: "keepalives_idle", value: "5"), Parameter(name: "keepalives_interval", value: "2"),
            Parameter(name: "keepalives_count", value: "3"), Parameter(name: "tcp_user_timeout", value: "10000"),
            Parameter(name: "client_encoding", value: "UTF8"),
        ]
        let mode = given["sslmode"] ?? environment["PGSSLMODE"]
        let hosts = given["host"] ?? given["hostaddr"] ?? environment["PGHOST"] ?? ""
        // A service file specifies its own hosts and modes, which the environment does not override.
        let isElsewhere = given["service"] == nil && !hosts.split(separator: ",").allSatisfy(Self.isLocal)
        if isElsewhere, mode == nil {
            defaults.append(Parameter(name: "sslmode", value: "verify-full"))
            if given["sslrootcert"] == nil, environment["PGSSLROOTCERT"] == nil,
                let file = Self.authorities(environment)
            {
                defaults.append(Parameter(name: "sslrootcert", value: file))
            }
        }
        warning =
            isElsewhere && mode != nil && mode != "verify-full"
            ? "sslmode=\(mode ?? "") does not verify that \(hosts) is the right server; use verify-full" : nil
        description = text
        parameters = defaults + [Parameter(name: "dbname", value: text)]
    }

    /// True for the folder of a Unix socket, or for this machine.
    private static func isLocal(_ host: Substring) -> Bool {
        host.hasPrefix("/") || host.hasPrefix("@") || ["localhost", "127.0.0.1", "::1"].contains(host)
    }

    /// The system's certificates, unless the account has its own certificates for PostgreSQL.
    private static func authorities(_ environment: [String: String]) -> String? {
        let own = (environment["HOME"] ?? "") + "/.postgresql/root.crt"
        let system = "/etc/ssl/certs/ca-certificates.crt"
        return access(own, R_OK) != 0 && access(system, R_OK) == 0 ? system : nil
    }

    /// The parameters in a connection string.
    private static func parse(_ text: String) throws(SharedError) -> [String: String] {
        let library = try LibPQ.load()
        guard text.contains("=") || text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") else {
            // An address of another kind may have a password.
            let name = text.contains { ":@/".contains($0) } ? "this" : "'\(text)'"
            throw .address(
                "\(name) is not a database address; use one such as postgresql://HOST/DATABASE or service=NAME")
        }
        var problem: UnsafeMutablePointer<CChar>?
        guard let options = library.parse(text, &problem) else {
            defer { library.freeMemory(problem) }
            // libpq repeats the text or a part of it, which may be a password, or the name of an unknown option.
            let reason = problem.map {
                let reason = String(cString: $0).trimmingCharacters(in: .whitespacesAndNewlines)
                return reason.hasPrefix("invalid connection option")
                    ? reason : reason.replacing("\"\(text)\"", with: "…").replacing(#/"[^"]{2,}"/#, with: "…")
            }
            throw .address("not a connection string of PostgreSQL: \(reason ?? "out of memory")")
        }
        defer { library.freeOptions(options) }
        return values(options)
    }

    /// The parameters that have a value. In libpq's array, an entry without a name marks the end.
    static func values(_ options: UnsafeMutableRawPointer) -> [String: String] {
        var values: [String: String] = [:]
        var next = options.assumingMemoryBound(to: LibPQ.ConnectionOption.self)
        while let name = next.pointee.keyword {
            if let value = next.pointee.value { values[String(cString: name)] = String(cString: value) }
            next += 1
        }
        return values
    }
}
