import Offstage
import OffstageWorkers

/// A page of a PDF document to draw: the request of a `PageEngine`.
public struct DocumentPage: PageRequest {
    public var identifier: String
    public var document: PageDocument
    /// From 1. Default 1.
    public var page: Int
    /// The box that the page is fitted into, keeping its proportions, CSS px. Nil, the default, for the page's own size at 96
    /// CSS px to the inch.
    public var fit: FitBox?
    /// The part of the page. Default the crop box, as viewers show it.
    public var box = PageBox.crop
    /// A clockwise turn, in addition to the page's own. Default none.
    public var rotation = Rotation.none
    /// Default everything that a viewer shows.
    public var variant = PageVariant.annotated
    /// Annotations above those of the document, such as those of an `AnnotationFile`. `.plain` is without them. Default none.
    public var annotations: PageAnnotations?
    /// Layers to show or to hide, whatever the document says about them; a name means all layers that have it. A name that the document
    /// lacks is an error. Default none: the document's own states.
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
    /// True: without paper, for a picture over something else.
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

/// A box that the PDF standard defines for a page. A page without the box has the crop box's.
public enum PageBox: String, Sendable, CaseIterable {
    /// The box that viewers show.
    case crop
    /// The whole medium.
    case media
    /// The page after trimming.
    case trim
    /// The part that is printed beyond the trimming.
    case bleed
    /// The content that the author means.
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
