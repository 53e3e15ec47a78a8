/// The reason why a request has no picture.
public enum DrawingError: Error, Sendable, Hashable, Codable {
    /// The request itself is wrong. The text names the value and what is allowed.
    case invalidRequest(String)
    /// The source has nothing to draw.
    case empty
    /// The engine cannot draw this source, for a reason specific to this kind of source.
    case unusable(SourceProblem)
    /// The numbers of parts at two scales differ, so their files do not belong together.
    case partsDiffer(count: Int, scale: Double, otherCount: Int, otherScale: Double)
    /// A side is longer than the engine's limit; found before painting. Both in device px.
    case tooLarge(measured: PixelSize, limit: PixelSize)
    /// The picture has more pixels than the engine's limit; found before painting. The size in device px.
    case tooManyPixels(measured: PixelSize, limit: Int)
    /// A side is longer than the file format's limit; found before painting. The size in device px.
    case tooLargeForFormat(measured: PixelSize, limit: FormatLimit)
    /// The picture lacks something, and the request requires a complete one.
    case incomplete([DrawingWarning])
    /// The drawing exceeded a limit.
    case overLimit(LimitExcess)
    /// Two drawing processes crashed although they had drawn nothing else. The engine has replaced them.
    case engineCrashed
    /// The drawing process did not answer for this long after the deadline. The engine has replaced it.
    case engineHung(seconds: Double)
    /// The picture is too large for memory, and its temporary file could not be written.
    case spoolFailed(FileError)
    /// The source could not be saved in the folder for saved sources.
    case sourceNotSaved(FileError)
    /// The picture was drawn but could not be encoded.
    case encodingFailed(EncodingError)
    /// The engine could not load or paint the source, as described by the engine.
    case engineFailed(String)
    /// The machine lacks something that the engine needs.
    case unavailable(EngineUnavailable)
    /// The caller cancelled the request.
    case cancelled
    /// The queue is full (`RendererConfiguration.maximumWaiting`), and this request was the oldest of the lowest priority.
    case queueFull(limit: Int)
    /// The renderer had finished before the request arrived.
    case finished
}

extension DrawingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidRequest(let text): text
        case .empty: "the document is empty; there is nothing to draw"
        case .unusable(let problem): problem.message
        case .partsDiffer(let count, let scale, let otherCount, let otherScale):
            "\(count) parts match at scale \(scale.formatted()), and \(otherCount) at scale \(otherScale.formatted()); "
                + "render each scale separately"
        case .tooLarge(let measured, let limit):
            "\(measured) device px is too large; the limit is \(limit); use a smaller scale or size"
        case .tooManyPixels(let measured, let limit):
            "\(measured) device px is too large; the limit is \(limit) pixels; use a smaller scale or a fixed height"
        case .tooLargeForFormat(let measured, let limit):
            "\(measured) device px is too large for \(limit.format); a side may have at most \(limit.side) px; "
                + "use another format, a smaller scale or a fixed height"
        case .incomplete(let warnings): warnings.grouped.map(\.description).joined(separator: "; ")
        case .overLimit(let excess): excess.description
        case .engineCrashed: "the process that drew it crashed; the engine has replaced it"
        case .engineHung(let seconds):
            "the process that draws it gave no answer for \(seconds.formatted()) s after the deadline; the engine has replaced it"
        case .spoolFailed(let error):
            "\(error); Offstage needs a temporary file for a picture of this size; set TMPDIR to use another folder"
        case .sourceNotSaved(let error): "\(error)"
        case .encodingFailed(let error): error.description
        case .engineFailed(let text): "the engine could not draw it: \(text)"
        case .unavailable(let reason): reason.description
        case .cancelled: "cancelled"
        case .queueFull(let limit):
            "\(limit) requests are already waiting, and this one was the least urgent; try again later"
        case .finished: "the renderer is finished; make another one"
        }
    }
}

/// A problem specific to one kind of source, defined by its engine.
public struct SourceProblem: Error, Sendable, Hashable, Codable {
    /// A name for programs, in lower case with hyphens: `not-well-formed`. The service returns it as the problem's code.
    public let code: String
    /// The problem and the remedy, without a full stop.
    public let message: String

    public init(_ code: String, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension Double {
    /// Whole numbers have no fraction: `10`, `0.5`.
    fileprivate func formatted() -> String { Int(exactly: self).map(String.init) ?? String(self) }
}
