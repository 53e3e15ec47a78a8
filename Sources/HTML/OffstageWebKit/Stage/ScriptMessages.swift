import Foundation
import Offstage

/// The console messages and uncaught errors of a page's scripts, in their order, up to a limit.
struct ScriptMessages {
    /// A message from `page.js`. A page can post such messages itself.
    struct Message: Decodable {
        /// The document's address.
        var url: String
        /// A console function's name, or `uncaught`.
        var kind: String
        var text: String
        /// The script and the line, or empty.
        var source: String

        init?(json: String) {
            // A page may send anything.
            guard json.utf8.count < 100_000, let message = try? JSONDecoder().decode(Self.self, from: Data(json.utf8))
            else { return nil }
            self = message
        }
    }

    private(set) var warnings: [DrawingWarning] = []

    private var count = 0
    private static let most = 1_000

    /// Counts a message that has arrived. `page.js` posts few, but a page may post any number.
    ///
    /// - Returns: false if there are so many messages that they would block the main loop.
    mutating func admit() -> Bool {
        count += 1
        return count <= Self.most
    }

    /// True if the limit is reached. Further messages are dropped.
    var isFull: Bool { warnings.count > Self.limit }

    private static let (limit, length) = (20, 500)

    /// - Parameter shown: returns a URL as the snippet's author knows it.
    mutating func add(_ message: Message, shown: (String) -> String) {
        let text = message.text.count > Self.length ? message.text.prefix(Self.length) + "…" : message.text
        let warning =
            message.kind == "uncaught"
            ? DrawingWarning(.scriptError, place(message.source, shown), reason: text)
            : DrawingWarning(.consoleMessage, message.kind, reason: text)
        // An animation may repeat a message at every step.
        if warnings.contains(warning) || warnings.count > Self.limit { return }
        warnings.append(
            warnings.count < Self.limit
                ? warning : DrawingWarning(.consoleMessage, "further messages", reason: "left out"))
    }

    private func place(_ source: String, _ shown: (String) -> String) -> String {
        guard let colon = source.lastIndex(of: ":") else { return "the document" }
        let name = shown(String(source[..<colon]))
        return (name.isEmpty ? "the document" : name) + ", line " + source[source.index(after: colon)...]
    }
}
