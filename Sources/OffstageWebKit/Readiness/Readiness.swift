import Foundation
import Offstage

/// What `readiness.js` says of a document that is ready, or of one whose deadline has passed.
struct Readiness: Decodable {
    /// Of the document that answers: a check that it is the one asked for.
    var url: String
    /// CSS px, of the content; at least the viewport's.
    var width: Int
    /// CSS px, of the content.
    var height: Int
    /// Where the root element is once it has shrunk to fit; nil where it was not asked to.
    var fit: Box?
    /// The border boxes of what the selector matches, in document order; nil for a selector that is wrong, or none.
    var parts: [Box]?
    /// Nil where it was not asked for.
    var content: Content?
    /// The colour of the canvas, as `rgb(30, 30, 30)`; nil where it was not asked for.
    var canvas: String?
    /// The document itself is under way.
    var isLoading: Bool
    /// A document that takes this one's place might be drawn otherwise than in a place of its own.
    var leavesTraces: Bool
    /// The page asked to wait for its ready signal, which has not come.
    var lacksReadySignal: Bool
    /// URLs and fonts still under way.
    var late: [String]
    /// URLs that the policy keeps closed.
    var blocked: [String]
    /// URLs that came and could not be used, or did not come.
    var broken: [String]
    var brokenFonts: [BrokenFont]
    /// URLs of audio and video of which the picture lacks something.
    var unplayed: [String]
    /// Names of font families that the document brings itself.
    var loadedFonts: [String]
    /// How many elements the document and those in its frames have.
    var elements: Int
    var imagePixels: ImagePixels

    /// Pixels of all different images that the document shows.
    struct ImagePixels: Decodable {
        /// Of the base folder's files that are `<img>`s, by URL.
        var files: [String: Double]
        /// Of all others together.
        var others: Double
    }

    /// A font that its document brings and that cannot be used.
    struct BrokenFont: Decodable {
        var family: String
        /// The URLs that its rule names.
        var sources: [String]
    }

    /// In the document, CSS px.
    struct Box: Decodable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    /// What is asked of `readiness.js`, as it expects it.
    struct Question: Encodable {
        var shrinksToFit: Bool
        var selector: String?
        var asksCanvas: Bool
        var awaitsSignal: Bool
        /// Its elements, and those of its frames, are asked for shadow roots.
        var seeksShadowRoots: Bool
        /// With more, the document is not laid out.
        var mostElements: Int

        /// - Parameter source: what is known of the document and its frames; nil for nothing.
        init(_ snippet: Snippet, _ source: SourceText? = nil) {
            seeksShadowRoots = source?.mayHaveShadowRoots ?? true
            shrinksToFit = snippet.geometry.shrinksToFit
            selector = snippet.selector?.css
            asksCanvas = snippet.emulation.colorScheme == .dark
            awaitsSignal = snippet.runsScripts
            mostElements = snippet.limits.elements
        }

        /// A JavaScript expression: JSON is one.
        var expression: String {
            // Strings and truth values only: it cannot fail.
            String(decoding: (try? JSONEncoder().encode(self)) ?? Data(), as: UTF8.self)
        }
    }

    /// The script world that the script runs in; the page's own has none of its names.
    static let world = "offstage"
    /// Defines `offstageText`. Evaluated only in documents that are asked, as is the next one.
    static let text = String(decoding: PackageResources.text_js, as: UTF8.self)
    /// Defines `offstageContent`, for the documents whose host asks.
    static let content = String(decoding: PackageResources.content_js, as: UTF8.self)
    /// Defines `showsSomething`.
    static let visibility = String(decoding: PackageResources.visible_js, as: UTF8.self)
    static let script =
        String(decoding: PackageResources.images_js, as: UTF8.self)
        + String(decoding: PackageResources.traces_js, as: UTF8.self)
        + String(decoding: PackageResources.media_js, as: UTF8.self)
        + String(decoding: PackageResources.refused_js, as: UTF8.self)
        + String(decoding: PackageResources.readiness_js, as: UTF8.self)
    /// For every document and frame, before the others.
    static let base =
        String(decoding: PackageResources.dom_js, as: UTF8.self)
        + String(decoding: PackageResources.still_js, as: UTF8.self)

    init(json: String) throws(DrawingError) {
        do {
            self = try JSONDecoder().decode(Readiness.self, from: Data(json.utf8))
        } catch {
            throw DrawingError.engineFailed("the document gave no readiness report")
        }
    }
}
