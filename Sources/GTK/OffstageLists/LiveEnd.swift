import Foundation
import Offstage

/// The reason why a live view ended, or could not be shown.
public enum LiveEnd: Error, Sendable, Hashable, CustomStringConvertible {
    /// The view's web process ended by itself.
    case crashed
    /// The web process did not answer for `seconds`, which is `Snippet.limits.grace`. Offstage killed it.
    case hung(seconds: Double)
    /// The web process used more memory than `Snippet.limits.memory`. Offstage killed it.
    case overLimit(LimitExcess)
    /// The view could not show the snippet.
    case failed(DrawingError)

    public var description: String {
        switch self {
        case .crashed: "the live view's process ended"
        case .hung(let seconds): "the live view's process gave no answer for \(seconds.formatted()) s and was killed"
        case .overLimit(let excess): excess.description
        case .failed(let error): error.description
        }
    }
}
