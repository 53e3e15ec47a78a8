import CWebKitGTK
import Foundation
import Offstage

/// What WebKit runs in every document of a view, and the filter that it applies to every load.
@MainActor
final class DocumentScripts {
    let pointer: UnsafeMutablePointer<WebKitUserContentManager> = webkit_user_content_manager_new()
    private let runsScripts: Bool
    private let keepsAppearance: Bool
    private var emulated = Wanted()
    private var findsAreas = false
    private var mostElements = SnippetLimits().elements
    private var isVast = false

    /// - Parameter keepsAppearance: true for documents that stay while others are drawn: the appearance of the moment, which WebKit
    ///   tells all its processes, is not theirs.
    init(runsScripts: Bool, keepsAppearance: Bool = false) {
        self.runsScripts = runsScripts
        self.keepsAppearance = keepsAppearance
        if !keepsAppearance { hideScrollbars() }
        addScripts()
    }

    /// A picture has no scrollbars of the viewport. Those that a document gives a style of its own take room, and WebKit would
    /// paint less than the viewport.
    private func hideScrollbars() {
        let style = ":root::-webkit-scrollbar, body::-webkit-scrollbar { display: none !important }"
        let sheet = webkit_user_style_sheet_new(
            style, WEBKIT_USER_CONTENT_INJECT_TOP_FRAME, WEBKIT_USER_STYLE_LEVEL_USER, nil, nil)
        webkit_user_content_manager_add_style_sheet(pointer, sheet)
        webkit_user_style_sheet_unref(sheet)
    }

    /// Applies to whatever is loaded from now on.
    func add(_ filter: ContentFilter) { webkit_user_content_manager_add_filter(pointer, filter.pointer) }

    isolated deinit { g_object_unref(pointer) }

    /// What `emulation.js` is asked for.
    private struct Wanted: Encodable, Equatable {
        var language: String?
        /// The media type that is to hold, `print` or `screen`; nil for WebKit's own, which is `screen` but on paper.
        var mediaType: String?
        var styleSheets: [String] = []
        /// The answers to media features, where they are not to be WebKit's.
        var appearance: [String: String]?

        init() {}

        init(_ snippet: Snippet) {
            language = snippet.emulation.language
            // Printed, a document would be told another one than while it got ready.
            if snippet.emulation.mediaType == .print || snippet.medium != .pixels {
                mediaType = snippet.emulation.mediaType.rawValue
            }
            styleSheets = snippet.styleSheets
            if snippet.type == .svg, snippet.geometry.height == .content {
                styleSheets.append(DocumentScripts.svgHeight)
            }
            if snippet.medium == .vector() { styleSheets.append(DocumentScripts.onePage) }
        }
    }

    /// Sets the scripts of the next document.
    ///
    /// - Parameter isVast: the document may have more elements than its limit (`SourceText.mayExceed`).
    func set(for snippet: Snippet, isVast: Bool = false) {
        var wanted = Wanted(snippet)
        if keepsAppearance { wanted.appearance = Appearance(snippet.emulation).answers }
        let elements = snippet.limits.elements
        if wanted == emulated, snippet.findsAreas == findsAreas, elements == mostElements, isVast == self.isVast {
            return
        }
        mostElements = elements
        self.isVast = isVast
        emulated = wanted
        findsAreas = snippet.findsAreas
        webkit_user_content_manager_remove_all_scripts(pointer)
        addScripts()
    }

    /// What is to be one page has no breaks.
    private nonisolated static let onePage =
        "*, ::before, ::after { break-before: auto !important; break-after: auto !important }"

    /// The viewport, which an SVG document without a height would fill, is as high as the content here. Weaker than all that the
    /// document says.
    private nonisolated static let svgHeight = ":where(:root:not([height])) { height: auto }"

    /// Whether they do anything to a document but watch it.
    static func change(_ snippet: Snippet) -> Bool { snippet.runsScripts || Wanted(snippet) != Wanted() }

    private func addScripts() {
        add(Readiness.base, to: Readiness.world, frames: WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES)
        if mostElements != SnippetLimits().elements {
            add(
                "globalThis.offstageMostElements = \(mostElements);", to: Readiness.world,
                frames: WEBKIT_USER_CONTENT_INJECT_TOP_FRAME)
        }
        if isVast {
            add(
                "globalThis.offstageIsVast = true;", to: Readiness.world,
                frames: WEBKIT_USER_CONTENT_INJECT_TOP_FRAME)
        }
        add(Readiness.script, to: Readiness.world, frames: WEBKIT_USER_CONTENT_INJECT_TOP_FRAME)
        // Here and not with each question, so that documents written into one page share it.
        if findsAreas { add(Readiness.content, to: Readiness.world, frames: WEBKIT_USER_CONTENT_INJECT_TOP_FRAME) }
        if emulated != Wanted() {
            add(
                "\(Self.emulation)(\(Self.json(emulated)), \(answered));", to: Readiness.world,
                frames: WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES)
        }
        if runsScripts, emulated.appearance != nil {
            let match = "((answered, match) => { window.matchMedia = (text) => match(answered(String(text))); })"
            add(
                "\(match)(\(answered), matchMedia.bind(window));", to: nil,
                frames: WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES)
        }
        if runsScripts { add(Self.page, to: nil, frames: WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES) }
    }

    /// The function that answers media features.
    private var answered: String { "(\(Self.appearance))(\(Self.json(emulated.appearance)))" }

    /// Text, truth values and collections of text: it cannot fail.
    private static func json(_ value: some Encodable) -> String {
        String(decoding: (try? JSONEncoder().encode(value)) ?? Data(), as: UTF8.self)
    }

    /// - Parameter world: nil for the page's own.
    private func add(_ source: String, to world: String?, frames: WebKitUserContentInjectedFrames) {
        let start = WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START
        let script =
            if let world {
                webkit_user_script_new_for_world(source, frames, start, world, nil, nil)
            } else {
                webkit_user_script_new(source, frames, start, nil, nil)
            }
        webkit_user_content_manager_add_script(pointer, script)
        webkit_user_script_unref(script)
    }

    private static let emulation = String(decoding: PackageResources.emulation_js, as: UTF8.self)
    private static let appearance = String(decoding: PackageResources.appearance_js, as: UTF8.self)
    private static let page = String(decoding: PackageResources.page_js, as: UTF8.self)
}
