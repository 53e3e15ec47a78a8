import Foundation
import Offstage

/// Limits on the resources that a snippet may use. The defaults are far above the needs of an honest document.
public struct SnippetLimits: Sendable, Hashable, Codable {
    /// Seconds after the timeout within which the engine must deliver an incomplete picture. Otherwise, its process
    /// counts as hung. A picture painted in tiles gets the same time again for each tile, up to 60 times. Default 5.
    public var grace = 5.0
    /// Maximum size of the document, in bytes. Default 64 MiB. A larger document is `DrawingError.overLimit`.
    public var inputBytes = 64 << 20
    /// Maximum number of elements of the document, counted while it is parsed (for XML, before) and again after it is
    /// loaded. Default 500,000, the same as in readiness.js. More elements are `DrawingError.overLimit`.
    public var elements = 500_000
    /// Maximum number of files that a drawing may load from the base folder. Default 1,000. Further files are omitted
    /// with a warning.
    public var resources = 1_000
    /// Maximum total size of these files, in bytes. Default 256 MiB. Further files are omitted with a warning.
    public var resourceBytes = 256 << 20
    /// Maximum total pixels of all distinct images of the document, decoded at 4 bytes each. Default 500,000,000. More
    /// pixels are `DrawingError.overLimit`, before the images are decoded. Images in styles, SVG and frames count too.
    /// An animation counts as one frame.
    public var imagePixels = 500_000_000
    /// Maximum length of the picture's longer side, in device px. Default 1,000,000, the engine's own limit. A larger
    /// picture is `DrawingError.tooLarge`.
    public var pictureSide = SnapshotLimits.heightLimit
    /// Maximum device px of a picture, or of all pictures of a document's parts together. Default 1,073,741,824, the
    /// engine's own limit. A larger number is `DrawingError.tooManyPixels`.
    public var picturePixels = SnapshotLimits.tiledPixelLimit
    /// Maximum private memory of the web process, in bytes, checked ten times a second while it draws. Default 4 GiB,
    /// or half of the machine's memory if that is less. If a process uses more, Offstage ends it, and the drawing fails
    /// with `DrawingError.overLimit`.
    public var memory = Self.defaultMemory

    public init() {}

    private static let defaultMemory = Int(min(4 << 30, ProcessInfo.processInfo.physicalMemory / 2))

    /// - Throws: `DrawingError.invalidRequest`.
    func validate() throws(DrawingError) {
        guard grace > 0, grace <= 86_400 else {
            throw .invalidRequest("the grace is \(grace) s; it must be more than 0 and at most 86400")
        }
        let numbers = [
            ("input bytes", inputBytes), ("elements", elements), ("resources", resources),
            ("bytes of resources", resourceBytes), ("pixels of images", imagePixels), ("px of a side", pictureSide),
            ("pixels of a picture", picturePixels), ("bytes of memory", memory),
        ]
        for (name, number) in numbers where number < 0 {
            throw .invalidRequest("the limit of \(name) is \(number); it must be 0 or more")
        }
    }

    /// - Throws: `DrawingError.overLimit`.
    package func check(_ limit: LimitExcess.Limit, _ measured: Int, of allowed: Int) throws(DrawingError) {
        if measured > allowed { throw .overLimit(LimitExcess(limit, allowed: allowed, measured: measured)) }
    }
}
