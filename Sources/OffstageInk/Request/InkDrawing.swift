import Offstage
import OffstageWorkers

/// A page of ink to draw: the request of an `InkEngine`. To put it over another picture, make it the upper part of an `OverlaidRequest`;
/// then it has no paper, and `fit` and `clip` have no effect.
public struct InkDrawing: DrawingRequest {
    public var identifier: String
    public var document: InkDocument
    /// From 1. Default 1.
    public var page: Int
    /// The box that the page is fitted into, keeping its proportions, CSS px. Nil, the default, for the page's own size at 96
    /// CSS px to the inch.
    public var fit: InkFit?
    /// Default paper and ink.
    public var content = InkContent.annotated
    /// The part of the page's picture to draw, such as the visible part of an enlarged page. Default nil for all of it.
    public var clip: InkClip?
    public var scale = 1.0
    /// The box that a thumbnail fits into, CSS px. Other contents ignore it. Default 256 x 256.
    public var thumbnail = InkFit(width: 256, height: 256)
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

    public func scaled(to scale: Double) -> InkDrawing {
        var drawing = self
        drawing.scale = scale
        return drawing
    }

    /// Equal for requests with the same page, treatment and limits.
    public struct CoalescingKey: Hashable, Sendable {
        let document: Digest
        let folder: String?
        let page: Int
        let fit: InkFit?
        let content: InkContent
        let clip: InkClip?
        let scale: Double
        let thumbnail: InkFit
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
    /// The paper, or the background, without ink.
    case plain
    /// Paper and ink.
    case annotated
    /// Paper and ink, small.
    case thumbnail
    /// The ink on transparent paper.
    case ink
}

/// A size in CSS px.
public struct InkFit: Sendable, Hashable {
    /// CSS px, from 1.
    public var width: Int
    /// CSS px, from 1.
    public var height: Int

    /// Makes a size.
    ///
    /// - Parameters:
    ///   - width: CSS px, from 1.
    ///   - height: CSS px, from 1.
    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
}

/// A rectangle of a page's picture.
public struct InkClip: Sendable, Hashable {
    /// CSS px, from the left edge.
    public var x: Double
    /// CSS px, from the upper edge.
    public var y: Double
    /// CSS px, more than 0.
    public var width: Double
    /// CSS px, more than 0.
    public var height: Double

    /// Makes a rectangle.
    ///
    /// - Parameters:
    ///   - x: CSS px, from the left edge.
    ///   - y: CSS px, from the upper edge.
    ///   - width: CSS px, more than 0.
    ///   - height: CSS px, more than 0.
    public init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
}

/// The limits of a document with ink. A file can be an attack, so a caller raises them only for its own files.
public struct InkLimits: Sendable, Hashable {
    /// Points of all strokes. Default 20 million.
    public var points = 20_000_000
    /// Bytes of the document after unpacking. Default 1 GiB.
    public var unpackedBytes = 1 << 30
    /// Those of the worker. Default `WorkerBudget()`.
    public var budget = WorkerBudget()

    /// The default limits.
    public init() {}
}
