import Foundation
import Offstage
import OffstageRequests

/// What a program may say between its requests.
package enum LineCommand: String, CaseIterable, Sendable {
    case suspend, resume, reprioritise, cancel, prefetch, stats, finish

    package enum Key: String, CaseIterable, Sendable {
        case seconds, name, priority, request, identifier, prefix, group
    }

    /// Beside `command` and `id`; those of a prefetch are a request's.
    package var keys: [Key] {
        switch self {
        case .suspend: [.seconds, .name]
        case .resume: [.name]
        case .reprioritise: [.priority] + LineTarget.keys
        case .cancel: LineTarget.keys
        case .prefetch, .stats, .finish: []
        }
    }

    package var help: String {
        switch self {
        case .suspend: "Nothing new is begun, but for immediate requests; what is kept still comes"
        case .resume: "Ends a suspension of this program's"
        case .reprioritise: "Moves requests that have no answer yet"
        case .cancel: "Withdraws requests that have no answer yet; each is answered with the code cancelled"
        case .prefetch: "Draws what a request would, at low priority unless it says another, and keeps it"
        case .stats: "Tells what was done, what waits, and what is kept"
        case .finish: "Answered when all lines before it are"
        }
    }

    /// Seconds of a suspension that names none: while as many requests are under way as may be, nothing is read, not even
    /// the command that ends it.
    package static let leaseSeconds = 60.0
}

/// Which requests a command means.
package enum LineTarget: Sendable {
    case request(JSONValue)
    case identifier(String)
    case prefix(String)
    case group(String)

    package static let keys: [LineCommand.Key] = [.request, .identifier, .prefix, .group]

    init(_ object: [String: JSONValue], of command: LineCommand, at place: String) throws(UsageError) {
        let given = Self.keys.filter { object[$0.rawValue] != nil }
        guard given.count == 1, let value = object[given[0].rawValue] else {
            let names = Self.keys.map { "\"\($0.rawValue)\"" }.formatted("or")
            throw UsageError("\(place): \(command.rawValue) takes one of \(names), there are \(given.count)")
        }
        switch (given[0], value) {
        case (.request, .text), (.request, .integer): self = .request(value)
        case (.request, _):
            throw UsageError("\(place): \"request\" takes the id of a request, not \(value.shown)")
        case (.identifier, .text(let text)): self = .identifier(text)
        case (.prefix, .text(let text)): self = .prefix(text)
        case (.group, .text(let text)): self = .group(text)
        default: throw UsageError("\(place): \(given[0].rawValue.quoted) takes text, not \(value.shown)")
        }
    }

    func isMeant(_ entry: LineLedger.Entry) -> Bool {
        switch self {
        case .request(let id): entry.heading.id == id
        case .identifier(let identifier): entry.identifier == identifier
        // By bytes: to Swift a prefix ends between characters.
        case .prefix(let prefix): entry.identifier.map { $0.utf8.starts(with: prefix.utf8) } ?? false
        case .group(let group): entry.group == group
        }
    }
}
