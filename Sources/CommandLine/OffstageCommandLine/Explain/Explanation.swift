import OffstageRequests
import OffstageService

/// The state of a picture, cached or to be drawn again, and the reasons.
struct Explanation: Encodable {
    enum State: String, Encodable {
        /// A run would take it from the cache.
        case kept
        /// A run would draw it again.
        case changed
        /// Its source is not available for comparison.
        case unknown
        /// The cache has no picture of this name.
        case absent
    }

    struct Reason: Encodable, Equatable {
        enum Kind: String, Encodable {
            /// The document itself: a file, a row, a template.
            case document
            /// A file that the document loads.
            case file
            case option
            case engine
            case fonts
            /// Its own source cannot be found or read any more.
            case source
        }

        var kind: Kind
        /// The file's path, or the option's name without its dashes; nil for other kinds.
        var name: String?
        /// A description without a full stop.
        var message: String
    }

    /// The name in the cache, which is the picture's path; for an absent picture, the given word.
    var identifier: String
    var state: State
    /// The file or the row from which it is made; nil if unknown.
    var source: String?
    /// The reasons why the cached picture is invalid, or why that is unknown; empty for a valid one.
    var reasons: [Reason] = []

    var text: String {
        let verdict =
            switch state {
            case .kept: "cached; it would not be rendered again"
            case .changed: "would be rendered again"
            case .unknown: "cannot be compared"
            case .absent: "not in the cache"
            }
        return (["\(identifier): \(verdict)"] + reasons.map { "  \($0.message)" }).map(\.printable).joined(
            separator: "\n")
    }

    /// One line, keys in alphabetical order.
    var json: String { String(decoding: jsonLine, as: UTF8.self) }
}
