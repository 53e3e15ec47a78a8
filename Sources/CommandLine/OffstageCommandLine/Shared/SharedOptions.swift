import Foundation
import Offstage
import OffstageHTML
import OffstageRequests
import OffstageService
import OffstageShared

/// The options for several machines.
enum SharedOptions {
    static let shared = OptionTable.Option(
        "shared", value: "URL",
        help: "Share the queue and the pictures with other machines, in this PostgreSQL database")
    static let via = OptionTable.Option(
        "via", value: "URL",
        help: "Let the machines that share this PostgreSQL database render, and write their pictures"
    )

    /// The database that an option names; nil without the option. Reports weak protection.
    ///
    /// - Throws: `UsageError`, and `EngineUnavailable` without libpq.
    static func address(_ options: ParsedOptions, _ name: String) throws -> SharedAddress? {
        guard let text = options.string(name) else { return nil }
        if options.has("no-cache") {
            throw UsageError("--\(name) needs the cache, and --no-cache turns it off; use one")
        }
        if options.has("allow-host") {
            throw UsageError(
                "--allow-host loads files that may differ on another machine, so its pictures are not shared; use it without --\(name)"
            )
        }
        return try address(text, "--\(name): ")
    }

    /// - Parameter place: the beginning of messages.
    static func address(_ text: String, _ place: String = "") throws -> SharedAddress {
        do throws(SharedError) {
            let address = try SharedAddress(text)
            if let warning = address.warning { Console.error("\(place)\(warning)") }
            return address
        } catch { throw failure(error, place) }
    }

    /// Gives an error of the shared database the appropriate exit code.
    static func failure(_ error: SharedError, _ place: String = "") -> any Error {
        switch error {
        case .notInstalled(let reason):
            EngineUnavailable(
                problem: "libpq.so.5 cannot be loaded: \(reason)", remedy: "install the Debian package libpq5")
        case .address: UsageError("\(place)\(error)")
        default: error
        }
    }
}
