import Foundation
import Synchronization

/// The access log: one line for each request, without paths, identifiers, queries and headers, because they are the client's content.
///
/// A separate thread writes the lines, so that a slow reader of the log does not delay requests. Use it from any
/// thread.
package final class AccessLog: Sendable {
    package enum Format: String, Sendable, CaseIterable { case text, json }

    /// A completed request.
    struct Entry: Sendable {
        var number: Int
        /// The name of the client's token; nil without one.
        var client: String?
        var method: String
        /// The route's pattern.
        var route: String
        /// Nil if the client left before it got an answer.
        var status: Int?
        var bytes: Int
        var duration: Duration
        /// `kept`, `drawn`, or nil for an answer without a picture.
        var how: String?
    }

    private struct Pending {
        var entries: [(entry: Entry, time: Date)] = []
        var dropped = 0
        var isWriting = false
    }

    private let format: Format
    private let write: @Sendable (String) -> Void
    private let pending = Mutex(Pending())
    private let queue = DispatchQueue(label: "access log", qos: .utility)
    /// The maximum number of waiting lines.
    private static let limit = 10_000

    init(_ format: Format, write: @escaping @Sendable (String) -> Void) { (self.format, self.write) = (format, write) }

    func add(_ entry: Entry) {
        let starts = pending.withLock { pending in
            if pending.entries.count >= Self.limit {
                pending.dropped += 1
                return false
            }
            pending.entries.append((entry, Date()))
            defer { pending.isWriting = true }
            return !pending.isWriting
        }
        if starts { queue.async { self.writeAll() } }
    }

    /// Waits until all lines are written.
    func flush() { queue.sync {} }

    private func writeAll() {
        while true {
            let (entries, dropped) = pending.withLock { pending in
                defer { (pending.entries, pending.dropped) = ([], 0) }
                if pending.entries.isEmpty { pending.isWriting = false }
                return (pending.entries, pending.dropped)
            }
            if entries.isEmpty { return }
            for (entry, time) in entries { write(line(entry, time)) }
            if dropped > 0 { write("\(dropped) lines of the access log were not written: its reader is too slow") }
        }
    }

    private func line(_ entry: Entry, _ time: Date) -> String {
        let time = time.formatted(Self.style)
        let milliseconds = String(format: "%.1f", entry.duration / .milliseconds(1))
        let status = entry.status.map { "\($0)" } ?? "-"
        switch format {
        case .text:
            let client = entry.client?.replacing(" ", with: "-") ?? "-"
            return "\(time) \(client) \(entry.number) \(entry.method) \(entry.route) \(status) \(entry.bytes) "
                + "\(milliseconds) ms \(entry.how ?? "-")"
        case .json:
            var object: [String: Any] = [
                "time": time, "request": entry.number, "method": entry.method, "route": entry.route,
                "bytes": entry.bytes, "milliseconds": Double(milliseconds) ?? 0,
            ]
            object["client"] = entry.client
            object["status"] = entry.status
            object["answer"] = entry.how
            return String(decoding: HTTPAnswer.jsonData(object), as: UTF8.self)
        }
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
