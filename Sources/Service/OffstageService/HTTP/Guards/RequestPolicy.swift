import Foundation
import OffstageRequests

/// The features that the service's command line allows to requests.
package struct RequestPolicy: Sendable {
    /// Requests may name files below this folder; nil if they may not name files. Absolute, without symbolic links.
    package var folder: String?
    package var allowsScripts = false

    package init() {}

    /// Checks a request that is one of several.
    func check(_ object: [String: JSONValue], at place: String) throws(UsageError) {
        do throws(Problem) { try check(object) } catch {
            throw UsageError(error.detail.replacing("the request", with: place, maxReplacements: 1))
        }
    }

    func check(_ object: [String: JSONValue]) throws(Problem) {
        if object["javascript"] == .bool(true), !allowsScripts {
            throw Problem(
                403, "scripts-not-allowed",
                "the request: \"javascript\" is not allowed here; start the service with --allow-javascript")
        }
        // There are at most as many as there are options. Sorted, so that the message is always the same.
        for name in object.keys.filter(RequestReader.namesFile).sorted() {
            let value = object[name] ?? .null
            let values: [JSONValue] = if case .list(let values) = value { values } else { [value] }
            for case .text(let path) in values { try check(path, of: name) }
        }
    }

    private func check(_ path: String, of name: String) throws(Problem) {
        guard let folder else {
            throw Problem(
                403, "files-not-allowed",
                "the request: \(name.quoted) names a file, which is not allowed here; start the service with --files")
        }
        // Relative to the folder, as in the reader. If the file does not exist, reading fails.
        let whole = path.hasPrefix("/") ? path : folder + "/" + path
        let isWithin: Bool
        if !path.utf8.contains(0), let place = LinkCheck.resolved(whole) {
            isWithin = LinkCheck.isWithin(place, folder)
        } else {
            // The path of a missing file must not leave the folder either: clients must not learn which files exist
            // outside.
            isWithin = !path.hasPrefix("/") && !path.split(separator: "/").contains("..") && !path.utf8.contains(0)
        }
        if isWithin { return }
        throw Problem(
            403, "files-not-allowed",
            "the request: \(name.quoted) is outside the folder of --files; name a file in it")
    }
}
