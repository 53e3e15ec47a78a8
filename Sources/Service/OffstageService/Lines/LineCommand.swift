import Foundation
import Offstage
import OffstageRequests

/// The commands that a program can send between its requests.
package enum LineCommand: String, CaseIterable, Sendable {
    case suspend, resume, reprioritise, cancel, prefetch, annotate, stats, finish

    package enum Key: String, CaseIterable, Sendable {
        case seconds, name, priority, request, identifier, prefix, group
        case file, annotations, xfdf, remove, force, output, inline
        case passwordFile = "password-file"
    }

    /// The keys in addition to `command` and `id`. A prefetch has the keys of a request.
    package var keys: [Key] {
        switch self {
        case .suspend: [.seconds, .name]
        case .resume: [.name]
        case .reprioritise: [.priority] + LineTarget.keys
        case .cancel: LineTarget.keys
        case .annotate: [.file, .annotations, .xfdf, .remove, .force, .passwordFile, .output, .inline]
        case .prefetch, .stats, .finish: []
        }
    }

    package var help: String {
        switch self {
        case .suspend: "Start only immediate requests; cached pictures are still returned"
        case .resume: "End a suspension of this program"
        case .reprioritise: "Change the priority of unanswered requests"
        case .cancel: "Cancel unanswered requests; each is answered with the code cancelled"
        case .prefetch: "Render for the cache, at low priority unless the request has another"
        case .annotate: "Save annotations in a PDF document, or delete some from it"
        case .stats: "Report the counters, the queue and the cache"
        case .finish: "Answer when all earlier lines are answered"
        }
    }

    /// The right that a client of a service needs; nil for a command that concerns only its own session.
    var right: ClientRights.Right? {
        switch self {
        case .suspend, .resume: .suspend
        case .prefetch, .annotate: .draw
        case .reprioritise, .cancel, .stats, .finish: nil
        }
    }

    /// The default duration of a suspension. A suspension always ends: while the maximum number of requests is in progress, the
    /// session reads nothing, not even the command that would end it.
    package static let leaseSeconds = 60.0
}

/// The requests that a command applies to.
package struct LineTarget: Sendable {
    package static let keys: [LineCommand.Key] = [.request, .identifier, .prefix, .group]

    private let key: LineCommand.Key
    private let value: JSONValue

    init(_ object: [String: JSONValue], of command: LineCommand, at place: String) throws(UsageError) {
        let given = Self.keys.filter { object[$0.rawValue] != nil }
        guard given.count == 1, let value = object[given[0].rawValue] else {
            let names = Self.keys.map { "\"\($0.rawValue)\"" }.formatted("or")
            throw UsageError("\(place): \(command.rawValue) takes exactly one of \(names), not \(given.count)")
        }
        (key, self.value) = (given[0], value)
        switch value {
        case .text(let text) where text.utf8.count > JSONLimits.nameBytes:
            throw UsageError(
                "\(place): \(key.rawValue.quoted) takes at most \(JSONLimits.nameBytes) bytes; shorten it")
        case .text: break
        case .integer where key == .request: break
        default:
            let kind = key == .request ? "the id of a request" : "text"
            throw UsageError("\(place): \(key.rawValue.quoted) takes \(kind), not \(value.shown)")
        }
    }

    func matches(_ entry: LineLedger.Entry) -> Bool {
        guard case .text(let text) = value else { return entry.heading.id == value }
        return switch key {
        case .identifier: entry.identifier == text
        // Compares bytes, because prefixes of Swift strings end between characters.
        case .prefix: entry.identifier.map { $0.utf8.starts(with: text.utf8) } ?? false
        case .group: entry.group == text
        default: entry.heading.id == value
        }
    }
}
