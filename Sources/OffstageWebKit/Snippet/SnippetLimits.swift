import Foundation
import Offstage

/// How much a snippet may take. The defaults are far from what an honest document needs.
public struct SnippetLimits: Sendable, Hashable {
    /// Seconds after the timeout in which the engine must deliver what there is; then its process counts as hung. A picture
    /// that is painted in tiles has as many again for each tile, 60 times as many at most. Default 5.
    public var grace = 5.0
    /// Bytes of the document. Default 64 MiB. More is `DrawingError.overLimit`.
    public var inputBytes = 64 << 20
    /// Elements of the document, counted while it is parsed and again once it is loaded. Default 500,000 (as in readiness.js). More
    /// is `DrawingError.overLimit`.
    public var elements = 500_000
    /// Files of the base folder that a drawing may load. Default 1,000. Those that come after are left out, with a warning.
    public var resources = 1_000
    /// Bytes of these files together. Default 256 MiB. What comes after is left out, with a warning.
    public var resourceBytes = 256 << 20
    /// Pixels of all different images of the document, decoded: 4 bytes each. Default 500,000,000. More is
    /// `DrawingError.overLimit`, before they are decoded. Those of styles, SVG and frames count too; of an animation one picture does.
    public var imagePixels = 500_000_000
    /// Device px of a picture's longer side. Default 1,000,000, the engine's own limit. More is `DrawingError.tooLarge`.
    public var pictureSide = SnapshotLimits.heightLimit
    /// Pixels of a picture, or of all pictures of a document's parts. Default 1,073,741,824, the engine's own limit. More is
    /// `DrawingError.tooManyPixels`.
    public var picturePixels = SnapshotLimits.tiledPixelLimit
    /// Bytes that the web process may have for itself, looked at ten times a second while it draws. Default 4 GiB, or half of
    /// the machine's memory where that is less. More ends it, and is `DrawingError.overLimit`.
    public var memory = Self.defaultMemory

    public init() {}

    private static let defaultMemory = Int(min(4 << 30, ProcessInfo.processInfo.physicalMemory / 2))

    /// - Throws: `DrawingError.invalidRequest`.
    func validate() throws(DrawingError) {
        guard grace > 0, grace <= 86_400 else {
            throw .invalidRequest("the grace is \(grace) s; more than 0 and at most 86400 are possible")
        }
        let numbers = [
            ("input bytes", inputBytes), ("elements", elements), ("resources", resources),
            ("bytes of resources", resourceBytes), ("pixels of images", imagePixels), ("px of a side", pictureSide),
            ("pixels of a picture", picturePixels), ("bytes of memory", memory),
        ]
        for (name, number) in numbers where number < 0 {
            throw .invalidRequest("the limit of \(name) is \(number); 0 and more are possible")
        }
    }

    /// - Throws: `DrawingError.overLimit`.
    func check(_ limit: LimitExcess.Limit, _ measured: Int, of allowed: Int) throws(DrawingError) {
        if measured > allowed { throw .overLimit(LimitExcess(limit, allowed: allowed, measured: measured)) }
    }
}
