/// The reason why the shared database cannot be used.
public enum SharedError: Error, Sendable, Hashable {
    /// libpq is not installed. The text is from the linker.
    case notInstalled(String)
    /// The connection string is invalid. The text names the problem and the remedy.
    case address(String)
    /// No connection could be made. The text is from libpq.
    case cannotConnect(String)
    /// The server's certificate was not accepted, or the server has no TLS. The text is from libpq.
    case tls(String)
    /// The database does not have Offstage's schema.
    case notInitialized
    /// The schema's version differs from the version of this program.
    case version(found: Int, own: Int)
    /// The account lacks a right. The text is from PostgreSQL.
    case rights(String)
    /// PostgreSQL's disk is full, or the server is read-only. The text is from PostgreSQL.
    case full(String)
    /// The connection ended, or PostgreSQL gave no answer in time.
    case lost(String)
    /// A statement failed for another reason.
    case failed(code: String, message: String)

    /// True if a later attempt may succeed by itself.
    public var isPassing: Bool {
        switch self {
        case .cannotConnect, .lost, .full: true
        // Deadlocks, serialization failures, and a server that is starting, stopping or has too many connections.
        case .failed(let code, _): ["40", "53", "55", "57"].contains(String(code.prefix(2)))
        default: false
        }
    }
}

extension SharedError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notInstalled(let reason):
            "\(LibPQ.file) cannot be loaded: \(reason); install the Debian package libpq5"
        case .address(let text): text
        case .cannotConnect(let text): "PostgreSQL cannot be reached: \(text)"
        case .tls(let text):
            "no verified TLS connection to PostgreSQL: \(text); install the server's CA and name it with sslrootcert=FILE"
        case .notInitialized:
            "the database does not have Offstage's tables; create them with: offstage shared init URL"
        case .version(let found, let own):
            found > own
                ? "the database was set up by a newer Offstage (schema \(found), this program has \(own)); install the newer Offstage"
                : "the database was set up by an older Offstage (schema \(found), this program has \(own)); run: offstage shared init URL"
        case .rights(let text):
            "\(text); grant the account one of the roles \(SharedRole.names), or ask the database's owner"
        case .full(let text): "PostgreSQL does not accept more data: \(text)"
        case .lost(let text): "the connection to PostgreSQL was lost: \(text)"
        case .failed(let code, let message): "PostgreSQL: \(message) (\(code))"
        }
    }
}

extension SharedError {
    /// - Parameters:
    ///   - code: the SQLSTATE; empty if the connection ended.
    ///   - message: the message of PostgreSQL or libpq.
    init(code: String, message: String) {
        switch code {
        case "", "57P01", "57P02", "57P05": self = .lost(message)
        case "42501": self = .rights(message)
        case "3F000", "42P01": self = .notInitialized
        case "53100", "53200", "25006": self = .full(message)
        default: self = code.hasPrefix("08") ? .lost(message) : .failed(code: code, message: message)
        }
    }
}
