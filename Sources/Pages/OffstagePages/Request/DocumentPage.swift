import Offstage
import OffstageWorkers

/// A request for a page of a PDF document, drawn by a `PageEngine`.
public struct DocumentPage: PageRequest {
    public var identifier: String
    public var document: PageDocument
    /// From 1. Default 1.
    public var page: Int
    /// The box that the page is fitted into, keeping its proportions, CSS px. Nil, the default, for the page's own size at 96
    /// CSS px to the inch.
    public var fit: FitBox?
    /// The box of the page to draw. Default the crop box, which viewers show.
    public var box = PageBox.crop
    /// A clockwise rotation, in addition to the page's own. Default none.
    public var rotation = Rotation.none
    /// The version of the picture. Default everything that a viewer shows.
    public var variant = PageVariant.annotated
    /// Annotations in addition to the document's, such as those of an `AnnotationFile`. `.plain` omits them. Default
    /// none.
    public var annotations: PageAnnotations?
    /// Layers to show or to hide, regardless of their states in the document. A name means all layers that have it. A
    /// name that the document lacks is an error. Default none: the document's own states.
    public var layers: [PageLayer] = []
    /// The password of an encrypted document. Default none.
    public var password: String?
    /// The part of the page's picture to draw, such as the visible part of an enlarged page. Default nil for all of it.
    public var clip: ClipBox?
    public var scale = 1.0
    /// The box that a thumbnail fits into, CSS px. Other variants ignore it. Default 256 x 256.
    public var thumbnail = FitBox(width: 256, height: 256)
    /// True: the drawing reports links, headings and the text. Default false.
    public var keepsContent = false
    /// True: the page is drawn without paper, to be put over another picture.
    package var isTransparent = false
    public var margins = Margins()
    public var requiresComplete = false
    /// The limits of the drawing.
    public var budget = WorkerBudget()
    public var extra: String?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - document: the document's bytes.
    ///   - page: from 1. Default 1.
    ///   - fit: the box that the page is fitted into, CSS px. Default nil for the page's own size.
    ///   - variant: with or without annotations, or small. Default `.annotated`.
    ///   - identifier: the picture's name in the cache. Default empty.
    public init(
        _ document: PageDocument, page: Int = 1, fit: FitBox? = nil, variant: PageVariant = .annotated,
        identifier: String = ""
    ) {
        self.document = document
        self.page = page
        self.fit = fit
        self.variant = variant
        self.identifier = identifier
    }
}

/// A box that the PDF standard defines for a page. If a page lacks the box, its crop box is used.
public enum PageBox: String, Sendable, CaseIterable {
    /// The box that viewers show.
    case crop
    /// The whole medium.
    case media
    /// The page after trimming.
    case trim
    /// The part that is printed beyond the trim edge.
    case bleed
    /// The content that the author intends.
    case art
}

/// A version of a page's picture.
public enum PageVariant: String, Sendable, CaseIterable {
    /// The page and its form's fields, without annotations.
    case plain
    /// Everything that a viewer shows.
    case annotated
    /// The annotated picture, scaled down.
    case thumbnail
}
