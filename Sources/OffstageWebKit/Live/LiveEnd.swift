import Foundation
import Offstage

/// Why a live view is over, or never came.
public enum LiveEnd: Error, Sendable, Hashable, CustomStringConvertible {
    /// Its process ended by itself.
    case crashed
    /// Its process gave no answer for so many seconds, `Snippet.limits.grace`, and was ended.
    case hung(seconds: Double)
    /// Its process had more memory than `Snippet.limits.memory`, and was ended.
    case overLimit(LimitExcess)
    /// It could not show the snippet.
    case failed(DrawingError)

    public var description: String {
        switch self {
        case .crashed: "the live view's process ended"
        case .hung(let seconds): "the live view's process gave no answer for \(seconds.formatted()) s and was ended"
        case .overLimit(let excess): excess.description
        case .failed(let error): error.description
        }
    }
}
