import CWebKitGTK
import Foundation
import Offstage

/// The report of `readiness.js` about a document that is ready or whose deadline has passed.
struct Readiness: Decodable {
    /// The URL of the reporting document, to check that it is the expected one.
    var url: String
    /// The width of the content in CSS px, at least that of the viewport.
    var width: Int
    /// Height of the content in CSS px.
    var height: Int
    /// The height of the viewport in which to measure the document next, CSS px. Nil to keep the current one.
    var viewport: Int?
    /// The box of the root element after it has shrunk to fit. Nil if that was not requested.
    var fit: Box?
    /// The border boxes of the elements that the selector matches, in document order. Nil if the selector is missing or
    /// invalid.
    var parts: [Box]?
    /// The content. Nil if it was not requested.
    var content: Content?
    /// The colour of the canvas, such as `rgb(30, 30, 30)`. Nil if it was not requested.
    var canvas: String?
    /// True if the document may have filters that WebKit would paint in the wrong place.
    var straysFilters: Bool
    /// True if the document itself is still loading.
    var isLoading: Bool
    /// True if this document might change the drawing of the next document that is written into its page.
    var leavesTraces: Bool
    /// True if the page asked Offstage to wait for its ready signal and has not sent it.
    var lacksReadySignal: Bool
    /// True if the page's scripts were not at rest at the limit of their own time.
    var hasUnfinishedScripts: Bool
    /// True if the scripts' real time ran out before that limit.
    var hasLateScripts: Bool
    /// URLs and fonts that are still loading.
    var late: [String]
    /// URLs that the policy blocked.
    var blocked: [String]
    /// Files that loaded documents refer to by XInclude or XSLT, as named in the document.
    var unsupported: [String]
    /// URLs that failed to load or could not be used.
    var broken: [String]
    var brokenFonts: [BrokenFont]
    /// Data URIs of truncated images.
    var cutImages: [String]
    /// CSS px of the content that the picture's right edge cuts off. Nil if that was not measured.
    var cutWidth: Int?
    /// CSS px of the content that an area hides below its lower edge, although it is as high as the viewport. Nil if that was not
    /// measured.
    var cutHeight: Int?
    /// URLs of audio and video that the picture does not show completely.
    var unplayed: [String]
    /// Names of the document's own font families.
    var loadedFonts: [String]
    /// Number of elements in the document and its frames.
    var elements: Int
    var imagePixels: ImagePixels

    /// Pixels of all distinct images that the document shows.
    struct ImagePixels: Decodable {
        /// Pixels of the base folder's files in `<img>` elements, by URL.
        var files: [String: Double]
        /// Pixels of all other images together.
        var others: Double
    }

    /// A font of the document that cannot be used.
    struct BrokenFont: Decodable {
        var family: String
        /// The URLs in its rule.
        var sources: [String]
    }

    /// A box in the document, in CSS px.
    struct Box: Decodable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    /// The argument of `readiness.js`.
    struct Question: Encodable {
        var shrinksToFit: Bool
        var selector: String?
        var asksCanvas: Bool
        var awaitsSignal: Bool
        /// The maximum time in which the page's scripts must come to rest, in milliseconds.
        var patience: Double
        /// True: the elements of the document and its frames are searched for shadow roots.
        var seeksShadowRoots: Bool
        /// False: no frame of the document has an attribute `srcdoc`.
        var namesFrameDocuments: Bool
        /// False: the document and its frames have no audio or video, not even in shadow roots.
        var mayHaveMedia: Bool
        /// True if the document may have lengths in `dvh` and the like.
        var hasDynamicUnits: Bool
        /// A document with more elements is not laid out.
        var mostElements: Int
        /// CSS px. Nil for a view whose size Offstage does not control.
        var innerHeight: Int?
        /// Nil if the viewport's height is given, or nothing in the source depends on it.
        var viewport: ViewportRule?

        /// - Parameter source: The result of scanning the document and its frames. Nil if they were not scanned.
        init(_ snippet: Snippet, _ source: SourceText? = nil) {
            seeksShadowRoots = source?.mayHaveShadowRoots ?? true
            namesFrameDocuments = source?.namesFrameDocuments ?? true
            mayHaveMedia = source?.mayHaveMedia ?? true
            hasDynamicUnits = source.map { $0.usesDynamicUnits || snippet.runsScripts } ?? false
            shrinksToFit = snippet.geometry.shrinksToFit
            selector = snippet.selector?.css
            asksCanvas = snippet.emulation.colorScheme == .dark
            awaitsSignal = snippet.runsScripts
            // The other half of the time is for loading the content that scripts have created, and for painting.
            patience = snippet.timeout * 500
            mostElements = snippet.limits.elements
            if source != nil { innerHeight = snippet.geometry.resolvedViewportHeight }
        }

        /// The argument as a JavaScript expression, which JSON is.
        var expression: String {
            // Cannot fail: the values are strings, Booleans and integers only.
            String(decoding: (try? JSONEncoder().encode(self)) ?? Data(), as: UTF8.self)
        }
    }

    /// The script world in which the scripts run. The page's own world has none of its names.
    static let world = "offstage"
    static let script =
        PageScripts.images + PageScripts.viewport + PageScripts.height + PageScripts.traces + PageScripts.refused
        + PageScripts.readiness
    /// The scripts for every document and frame. They run before the other scripts.
    static let base =
        PageScripts.dom + PageScripts.smil + PageScripts.still + PageScripts.media
        + "offstageDOM.dividesRectangles = \(isBefore252); offstageDOM.straysFilters = \(!isBefore252);"

    /// True before WebKit 2.52, which no longer divides the rectangles of elements by their CSS `zoom`, and paints some filters in the
    /// wrong place.
    private static let isBefore252 =
        (webkit_get_major_version(), webkit_get_minor_version()) < (2, 52)

    init(json: String) throws(DrawingError) {
        do {
            self = try JSONDecoder().decode(Readiness.self, from: Data(json.utf8))
        } catch {
            throw DrawingError.engineFailed("the document gave no readiness report")
        }
    }
}
