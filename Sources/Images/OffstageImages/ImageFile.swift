import Foundation
import Offstage
import OffstageWorkers

/// An image file to draw: JPEG, PNG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, JPEG 2000 or JPEG XL.
///
/// The picture is upright, in sRGB, and has none of the file's metadata.
public struct ImageFile: DrawingRequest {
    public var identifier: String
    public var extra: String?
    /// The file's bytes. Untrusted: a jailed worker decodes them.
    public let data: Data
    public var geometry = ImageGeometry()
    /// The background of transparent areas and around a contained image. Default transparent.
    public var background = Color.transparent
    /// The frame of an animation, the page of a TIFF file or the picture of a HEIC file, from 1. Default 1.
    public var frame = 1
    public var limits = ImageLimits()
    public var margins = Margins()
    public var requiresComplete = false
    /// The largest picture that its files can contain; nil, the default, for no limit. Does not change pixels.
    package var formatLimit: FormatLimit?
    /// The digest of `data`, computed once.
    let digest: Digest

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - identifier: the host's name for the picture.
    ///   - data: the file's bytes.
    public init(identifier: String, data: Data) { self.init(identifier: identifier, data: data, digest: nil) }

    /// - Parameter digest: the data's digest, if it is known.
    package init(identifier: String, data: Data, digest: Digest?) {
        self.identifier = identifier
        self.data = data
        self.digest = digest ?? Digest(ofTree: data)
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - identifier: the host's name for the picture; nil, the default, for the path.
    ///   - limit: the maximum number of bytes. Default 256 MiB.
    /// - Throws: `SourceFileError` if the file cannot be read, is empty, or is larger than the limit.
    public init(
        contentsOf path: String, identifier: String? = nil, limit: Int = ImageLimits().budget.documentBytes
    ) throws(SourceFileError) {
        self.init(identifier: identifier ?? path, data: try SourceFileError.read(path, limit: limit))
    }

    public var scale: Double {
        get { geometry.scale }
        set { geometry.scale = newValue }
    }

    /// Two requests with equal keys have equal pictures.
    public struct CoalescingKey: Hashable, Sendable {
        var digest: Digest
        var geometry: ImageGeometry
        var background: Color
        var frame: Int
        var limits: ImageLimits
        var margins: Margins
        var requiresComplete: Bool
    }

    public var coalescingKey: CoalescingKey? {
        CoalescingKey(
            digest: digest, geometry: geometry, background: background, frame: frame, limits: limits, margins: margins,
            requiresComplete: requiresComplete)
    }
}

/// The limits of an image file. A file can be an attack, so a caller raises them only for its own files.
public struct ImageLimits: Sendable, Hashable {
    /// The maximum number of pixels of the image in the file, checked before anything is decoded. Default 500 million.
    public var imagePixels = 500_000_000
    /// The maximum number of scans of a progressive JPEG file. The time for each grows with the image's size. Encoders
    /// write about ten. Default 500, as libjpeg-turbo's authors advise.
    public var jpegScans = 500
    /// The worker's limits. Default `WorkerBudget()` with 2 GiB of memory and files of 256 MiB.
    public var budget = WorkerBudget(memory: 2 << 30, documentBytes: 256 << 20)

    /// The default limits.
    public init() {}
}
