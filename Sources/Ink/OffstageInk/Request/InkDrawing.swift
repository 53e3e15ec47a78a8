import Offstage
import OffstageWorkers

/// A request for a page of ink, drawn by an `InkEngine`. To draw it over another picture, make it the upper part of an
/// `OverlaidRequest`. Then it has no paper, and `fit` and `clip` have no effect.
public struct InkDrawing: PageRequest {
    public var identifier: String
    public var document: InkDocument
    /// From 1. Default 1.
    public var page: Int
    /// The box that the page is fitted into, keeping its proportions, CSS px. Nil, the default, for the page's own size at 96
    /// CSS px to the inch.
    public var fit: FitBox?
    /// Default paper and ink.
    public var content = InkContent.annotated
    /// The part of the page's picture to draw, such as the visible part of an enlarged page. Default nil for all of it.
    public var clip: ClipBox?
    public var scale = 1.0
    /// The box that a thumbnail fits into, in CSS px. Other variants ignore it. Default 256 x 256.
    public var thumbnail = FitBox(width: 256, height: 256)
    public var margins = Margins()
    public var requiresComplete = false
    public var limits = InkLimits()
    public var extra: String?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - document: the document's bytes.
    ///   - page: from 1. Default 1.
    ///   - identifier: the picture's name in the cache. Default empty.
    public init(_ document: InkDocument, page: Int = 1, identifier: String = "") {
        (self.document, self.page, self.identifier) = (document, page, identifier)
    }

    /// Equal for requests with the same page, treatment and limits.
    public struct CoalescingKey: Hashable, Sendable {
        let document: Digest
        let folder: String?
        let page: Int
        let fit: FitBox?
        let content: InkContent
        let clip: ClipBox?
        let scale: Double
        let thumbnail: FitBox
        let margins: Margins
        let requiresComplete: Bool
        let limits: InkLimits
    }

    public var coalescingKey: CoalescingKey? {
        CoalescingKey(
            document: document.digest, folder: document.folder, page: page, fit: fit, content: content, clip: clip,
            scale: scale, thumbnail: thumbnail, margins: margins, requiresComplete: requiresComplete, limits: limits)
    }
}

/// A version of a page's picture.
public enum InkContent: String, Sendable, CaseIterable {
    /// The paper or the background, without ink.
    case plain
    /// Paper and ink.
    case annotated
    /// Paper and ink, reduced.
    case thumbnail
    /// The ink on transparent paper.
    case ink
}

/// The limits for an ink document. A file can be an attack, so raise them only for your own files.
public struct InkLimits: Sendable, Hashable {
    /// The number of points in all strokes. Default 20 million.
    public var points = 20_000_000
    /// The size of the document after unpacking, in bytes. Default 1 GiB.
    public var unpackedBytes = 1 << 30
    /// The worker's limits. Default `WorkerBudget()`.
    public var budget = WorkerBudget()

    /// The default limits.
    public init() {}
}
