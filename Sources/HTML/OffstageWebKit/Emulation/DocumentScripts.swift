import CWebKitGTK
import Foundation
import Offstage

/// The scripts that WebKit runs in every document of a view, and the content filter that it applies to every load.
@MainActor
final class DocumentScripts {
    let pointer: UnsafeMutablePointer<WebKitUserContentManager> = webkit_user_content_manager_new()
    private let runsScripts: Bool
    private let keepsAppearance: Bool
    private var emulated = Wanted()
    private var findsAreas = false
    private var mostElements = SnippetLimits().elements
    private var isVast = false

    /// - Parameter keepsAppearance: True for documents that stay open while others are drawn. The current appearance, which
    ///   WebKit sends to all its processes, does not apply to them.
    init(runsScripts: Bool, keepsAppearance: Bool = false) {
        self.runsScripts = runsScripts
        self.keepsAppearance = keepsAppearance
        if !keepsAppearance { hideScrollbars() }
        addScripts()
    }

    /// A picture does not show the viewport's scrollbars. Scrollbars that a document styles itself take up space, and
    /// WebKit would then paint less than the viewport.
    private func hideScrollbars() {
        let style = ":root::-webkit-scrollbar, body::-webkit-scrollbar { display: none !important }"
        let sheet = webkit_user_style_sheet_new(
            style, WEBKIT_USER_CONTENT_INJECT_TOP_FRAME, WEBKIT_USER_STYLE_LEVEL_USER, nil, nil)
        webkit_user_content_manager_add_style_sheet(pointer, sheet)
        webkit_user_style_sheet_unref(sheet)
    }

    /// Applies the filter to all later loads.
    func add(_ filter: ContentFilter) { webkit_user_content_manager_add_filter(pointer, filter.pointer) }

    isolated deinit { g_object_unref(pointer) }

    /// The argument of `emulation.js`.
    private struct Wanted: Encodable, Equatable {
        var language: String?
        /// The media type to emulate, `print` or `screen`. Nil for WebKit's own type, which is `screen` except when it
        /// prints.
        var mediaType: String?
        var styleSheets: [String] = []
        /// The values of media features that differ from WebKit's. Nil if none differ.
        var appearance: [String: String]?

        init() {}

        init(_ snippet: Snippet) {
            language = snippet.emulation.language
            // WebKit switches to `print` when it prints. Setting the type here keeps it the same before and during printing.
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

    /// Prepares the scripts for the next document.
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

    /// A picture on one page has no page breaks.
    private nonisolated static let onePage =
        "*, ::before, ::after { break-before: auto !important; break-after: auto !important }"

    /// Gives an SVG document without a height the height of its content; it would fill the viewport otherwise. Anything that
    /// the document declares takes precedence.
    private nonisolated static let svgHeight = ":where(:root:not([height])) { height: auto }"

    /// True if the scripts change the document, rather than only observe it.
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
        // Add this here rather than with each question, so that documents written into one page share it.
        if findsAreas { add(PageScripts.content, to: Readiness.world, frames: WEBKIT_USER_CONTENT_INJECT_TOP_FRAME) }
        if emulated != Wanted() {
            add(
                "\(PageScripts.emulation)(\(Self.json(emulated)), \(answered));", to: Readiness.world,
                frames: WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES)
        }
        if runsScripts, emulated.appearance != nil {
            let match = "((answered, match) => { window.matchMedia = (text) => match(answered(String(text))); })"
            add(
                "\(match)(\(answered), matchMedia.bind(window));", to: nil,
                frames: WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES)
        }
        if runsScripts {
            // A document that stays open is seen in real time.
            if !keepsAppearance { add(Self.clock, to: nil, frames: WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES) }
            add(PageScripts.page, to: nil, frames: WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES)
        }
    }

    /// The JavaScript function that evaluates media features.
    private var answered: String { "(\(PageScripts.appearance))(\(Self.json(emulated.appearance)))" }

    /// Cannot fail: the values are strings, Booleans and collections of strings.
    private static func json(_ value: some Encodable) -> String {
        String(decoding: (try? JSONEncoder().encode(value)) ?? Data(), as: UTF8.self)
    }

    /// - Parameter world: Nil for the page's own script world.
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

    /// Wrap it in a block, so that the page does not see its names.
    private static let clock =
        "'use strict';{" + PageScripts.animations + PageScripts.clock + "}"
}
