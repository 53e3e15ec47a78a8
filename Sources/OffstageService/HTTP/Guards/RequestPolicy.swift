import Foundation
import OffstageRequests

/// What a request may ask for, as the server's command line allows.
package struct RequestPolicy: Sendable {
    /// Below which requests may name files; nil where they may name none. Absolute, without symbolic links.
    package var folder: String?
    package var allowsScripts = false

    package init() {}

    /// For requests that come otherwise than one by one.
    func check(_ object: [String: JSONValue], at place: String) throws(UsageError) {
        do throws(Problem) { try check(object) } catch {
            throw UsageError(error.detail.replacing("the request", with: place, maxReplacements: 1))
        }
    }

    func check(_ object: [String: JSONValue]) throws(Problem) {
        if object["javascript"] == .bool(true), !allowsScripts {
            throw Problem(
                403, "scripts-not-allowed",
                "the request: \"javascript\" is not allowed here; the service has to be started with --allow-javascript"
            )
        }
        for (name, value) in object.sorted(by: { $0.key < $1.key }) where RequestReader.namesFile(name) {
            let values: [JSONValue] = if case .list(let values) = value { values } else { [value] }
            for case .text(let path) in values { try check(path, of: name) }
        }
    }

    private func check(_ path: String, of name: String) throws(Problem) {
        guard let folder else {
            throw Problem(
                403, "files-not-allowed",
                "the request: \(name.quoted) names a file, and requests may name none here; "
                    + "the service has to be started with --files")
        }
        // As the reader takes it: relative to the folder. Where nothing is there, the reading fails.
        let whole = path.hasPrefix("/") ? path : folder + "/" + path
        guard !path.utf8.contains(0), let real = realpath(whole, nil) else { return try outside(path, of: name) }
        defer { free(real) }
        let place = String(cString: real)
        if place != folder, !place.hasPrefix(folder == "/" ? "/" : folder + "/") { throw refusal(name) }
    }

    /// One that is not there must not lead out either: what is there and what is not outside is nobody's business.
    private func outside(_ path: String, of name: String) throws(Problem) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if path.hasPrefix("/") || parts.contains("..") || path.utf8.contains(0) { throw refusal(name) }
    }

    private func refusal(_ name: String) -> Problem {
        Problem(
            403, "files-not-allowed",
            "the request: \(name.quoted) leads out of the folder of --files; name a file in it")
    }
}
