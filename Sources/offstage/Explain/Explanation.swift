import OffstageRequests
import OffstageService

/// Whether a kept picture would be taken or drawn again, and why.
struct Explanation: Encodable {
    enum State: String, Encodable {
        /// A run would take it from the cache.
        case kept
        /// A run would draw it again.
        case changed
        /// What it was made from is not there to compare.
        case unknown
        /// There is no such picture.
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
            /// Its own origin cannot be found or read any more.
            case source
        }

        var kind: Kind
        /// The file's path or the option's name without its dashes; nil where there is none.
        var name: String?
        /// In words, without a full stop.
        var message: String
    }

    /// What it is kept under, its picture's path; of an absent one, what was asked for.
    var identifier: String
    var state: State
    /// The file or the row that it is made from; nil where that is not known.
    var source: String?
    /// Why it is not kept any more, or not known; empty for a kept one.
    var reasons: [Reason] = []

    var text: String {
        let verdict =
            switch state {
            case .kept: "kept; it would not be drawn again"
            case .changed: "would be drawn again"
            case .unknown: "cannot be compared"
            case .absent: "not in the cache"
            }
        return (["\(identifier): \(verdict)"] + reasons.map { "  \($0.message)" }).map(\.printable).joined(
            separator: "\n")
    }

    /// One line, keys in alphabetical order.
    var json: String { String(decoding: jsonLine, as: UTF8.self) }
}
