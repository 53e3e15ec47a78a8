import COffstageInk
import Offstage
import OffstageWorkers

/// The reasons why ink has no picture.
enum InkFailure {
    static let damaged = DrawingError.unusable(
        SourceProblem("ink-damaged", "the file is damaged, and none of its pages can be read; save it again"))

    static func tooManyPoints(_ limit: Int) -> DrawingError {
        .unusable(
            SourceProblem(
                "ink-too-many-points",
                "its strokes have more than \(limit) points; raise the limit, or split the document"))
    }

    /// The error for ink over another picture. The caller specifies the source below.
    static func above(_ error: DrawingError) -> DrawingError {
        guard case .unusable(let problem) = error else { return error }
        return .unusable(SourceProblem(problem.code, "the ink over it cannot be drawn: \(problem.message)"))
    }

    static func error(for failure: WorkerFailure, page: Int) -> DrawingError {
        func number(_ index: Int) -> Int {
            index < failure.numbers.count ? Int(min(failure.numbers[index], UInt64(Int64.max))) : 0
        }
        switch failure.code {
        case OFFSTAGE_INK_DAMAGED.rawValue: return damaged
        case OFFSTAGE_INK_UNKNOWN_FORMAT.rawValue:
            return .unusable(
                SourceProblem(
                    "not-ink",
                    "it is not an ink file of a known kind: Xournal++, InkML, Rnote, Excalidraw, tldraw, "
                        + "or JSON with points"
                ))
        case OFFSTAGE_INK_NO_PAGE.rawValue:
            let count = min(number(0), Int(Int32.max))
            return .unusable(
                SourceProblem(
                    "page-out-of-range",
                    "there is no page \(page); the document has \(count) page\(count == 1 ? "" : "s")"))
        case OFFSTAGE_INK_OVER_LIMIT.rawValue where number(0) == 0:
            return tooManyPoints(number(1))
        case OFFSTAGE_INK_OVER_LIMIT.rawValue:
            return .unusable(
                SourceProblem(
                    "ink-too-large",
                    "it has more than \(number(1)) bytes after unpacking; raise the limit, or split the document"))
        case OFFSTAGE_INK_NO_SIZE.rawValue:
            return .invalidRequest("the clip is outside the page; use an area inside the page's picture, in CSS px")
        default:
            return .engineFailed(
                "the program offstage-ink failed with code \(failure.code); "
                    + "install the same version of Offstage and offstage-ink")
        }
    }
}

extension DrawingWarning.Code {
    /// The document is truncated. The subject is `the document`.
    public static let inkDamaged = Self("ink-damaged", "damaged, drawn as far as it can be read: ")
    /// Coordinates that are not numbers, or too large. The subject is `some points`.
    public static let inkPointsRefused = Self(
        "ink-points-refused", "not drawn because their positions are not numbers or are too far away: ")
    /// Characters that no font has. The subject is `some characters of texts`.
    public static let inkTextMissing = Self("ink-text-missing", "not drawn because no font has them: ")
    /// The subject is `an image`.
    public static let inkImageBroken = Self("ink-image-broken", "not drawn because it cannot be decoded: ")
    /// The subject names the elements.
    public static let inkElementsIgnored = Self("ink-elements-ignored", "not drawn: ")
    /// The file has content other than ink, such as the LaTeX source of an image. A picture does not show it, and a
    /// conversion loses it. The subject names the content.
    public static let inkSourcesIgnored = Self("ink-sources-ignored", "not read: ").with { $0.isDefect = false }

    /// All codes of ink drawings, besides those of all sources.
    public static let ink: [Self] = [
        .inkDamaged, .inkPointsRefused, .inkTextMissing, .inkImageBroken, .inkElementsIgnored,
    ]
}
