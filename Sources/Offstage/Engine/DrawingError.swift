/// Why a request gave no picture.
public enum DrawingError: Error, Sendable, Hashable {
    /// The request itself is wrong; the text says which value and what is allowed.
    case invalidRequest(String)
    /// There is nothing in the source to draw.
    case empty
    /// The source is XML and breaks its rules: the first error's place and what it is, in the parser's words.
    case notWellFormed(line: Int, column: Int, String)
    /// The source was laid out and has no height.
    case zeroHeight
    /// Nothing visible in the source answers to the part that was asked for, here in the request's own words.
    case notFound(String)
    /// So many parts answer at one scale, and so many at another: their files do not go together.
    case partsDiffer(count: Int, scale: Double, otherCount: Int, otherScale: Double)
    /// A side is over what the engine can draw: refused before painting. Both in device px.
    case tooLarge(measured: PixelSize, limit: PixelSize)
    /// The picture as a whole is over what the engine can hold, though its sides are not; refused before painting. The size
    /// in device px, the limit in pixels.
    case tooManyPixels(measured: PixelSize, limit: Int)
    /// A side is over what the file's format can hold: refused before painting. The size in device px.
    case tooLargeForFormat(measured: PixelSize, limit: FormatLimit)
    /// Something is missing and the request asked for an error in that case.
    case incomplete([DrawingWarning])
    /// Font families, as the source names them, that are not there, and the request asked for an error in that case.
    case fontsReplaced([String])
    /// It took more of something than it may.
    case overLimit(LimitExcess)
    /// The process that drew ended, twice, the second time while it drew nothing else; the engine has replaced it.
    case engineCrashed
    /// The process that drew gave no answer for so many seconds after the deadline; the engine has replaced it.
    case engineHung(seconds: Double)
    /// The picture is too large for memory, and its temporary file could not be written.
    case spoolFailed(FileError)
    /// The source was to be saved for somebody to look at, and could not be written.
    case sourceNotSaved(FileError)
    /// The picture was drawn and could not be made into a file.
    case encodingFailed(EncodingError)
    /// The engine could not load or paint the source, in the engine's own words.
    case engineFailed(String)
    /// The machine lacks something that the engine needs.
    case unavailable(EngineUnavailable)
    /// Withdrawn by who asked.
    case cancelled
    /// So many requests wait already, as `RendererConfiguration.maximumWaiting` allows, and this one was the oldest of the
    /// lowest priority.
    case queueFull(limit: Int)
    /// The renderer was finished before the request came.
    case finished
}

extension DrawingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidRequest(let text): text
        case .empty: "the document is empty; put something into it to draw"
        case .notWellFormed(let line, let column, let text):
            "XML error in line \(line), column \(column): \(text); correct it, or draw it as HTML"
        case .zeroHeight:
            "the content has no height; give it some, or set a fixed height, or a viewport height if it is sized in vh"
        case .notFound(let part): "nothing visible in the document matches \(part)"
        case .partsDiffer(let count, let scale, let otherCount, let otherScale):
            "\(count) parts match at scale \(scale.formatted()), and \(otherCount) at scale \(otherScale.formatted()); "
                + "draw the scales one by one"
        case .tooLarge(let measured, let limit):
            "\(measured) device px is too large, \(limit) are possible; use a smaller scale or size"
        case .tooManyPixels(let measured, let limit):
            "\(measured) device px is too large, a picture may have \(limit) pixels; use a smaller scale or a fixed height"
        case .tooLargeForFormat(let measured, let limit):
            "\(measured) device px is too large for \(limit.format), a side may have \(limit.side); "
                + "use another format, a smaller scale or a fixed height"
        case .incomplete(let warnings): warnings.grouped.map(\.description).joined(separator: "; ")
        case .fontsReplaced(let families):
            "there is no font family named \(families.joined(separator: ", ")); install it, or embed it in the source"
        case .overLimit(let excess): excess.description
        case .engineCrashed: "the process that drew it crashed, and was replaced"
        case .engineHung(let seconds):
            "the process that draws it gave no answer for \(seconds.formatted()) s after the deadline, and was replaced"
        case .spoolFailed(let error):
            "\(error); a picture of this size is put together there, in the folder that TMPDIR names"
        case .sourceNotSaved(let error): "\(error)"
        case .encodingFailed(let error): error.description
        case .engineFailed(let text): "the engine could not draw it: \(text)"
        case .unavailable(let reason): reason.description
        case .cancelled: "cancelled"
        case .queueFull(let limit):
            "\(limit) requests wait already, and this one was the least urgent; ask again when fewer wait"
        case .finished: "the renderer is finished; make another one"
        }
    }
}

extension Double {
    /// Without a fraction where there is none: `10`, `0.5`.
    fileprivate func formatted() -> String { self == rounded() ? String(Int(self)) : String(self) }
}
