import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// Documents with every element and attribute that WebKit knows: none of them affects the documents after it. Each
/// document is drawn twice, after a navigation and, if allowed, written into another document's page. An ordinary
/// document follows each time.
final class EveryNameTests: XCTestCase {
    func testEveryAttributeOfHTML() throws {
        try assertLeaveNothing(
            Vocabulary.attributes.flatMap { name in
                values(of: name).map { everything("\(name)='\($0)'", withGraphics: false) }
            },
            written: 0.45)
    }

    func testAttributesByGroups() throws {
        let names = [Vocabulary.handlers, Vocabulary.accessibilityAttributes, Vocabulary.graphicAttributes]
        let groups = names.flatMap { list in
            stride(from: 0, to: list.count, by: 12).map { list[$0..<min($0 + 12, list.count)] }
        }
        try assertLeaveNothing(
            groups.flatMap { group in
                ["1", "red"].map { value in everything(group.map { "\($0)='\(value)'" }.joined(separator: " ")) }
            }, written: 0.2)
    }

    /// Elements that are not on the list of harmless ones.
    func testOtherElements() throws {
        let documents = Vocabulary.otherElements.flatMap { name in
            ["", "red", "1"].map { value in
                let attributes = Vocabulary.attributes.map { "\($0)='\(value)'" }.joined(separator: " ")
                return "<!doctype html><p>x<\(name) \(attributes)>y</\(name)><a href=x>z</a>"
            }
        }
        try assertLeaveNothing(documents, written: 0)
    }

    func testMetadata() throws {
        let names = [
            "viewport", "theme-color", "color-scheme", "supported-color-schemes", "referrer", "format-detection",
            "disabled-adaptations", "apple-mobile-web-app-capable", "application-name", "darkreader-lock", "author",
            "x-apple-disable-message-reformatting", "title", "robots", "confidence",
        ]
        let directives = [
            "content-type", "x-ua-compatible", "imagetoolbar", "content-language", "default-style", "refresh",
            "set-cookie", "x-dns-prefetch-control", "x-frame-options", "content-security-policy", "cleartype",
            "content-security-policy-report-only", "origin-trial", "accept-ch", "pragma", "expires", "page-enter",
        ]
        let values = [
            "", "dark", "no-referrer", "width=99,initial-scale=3", "1;url=x", "text/html; charset=utf-7",
            "default-src 'none'",
        ]
        let metas =
            names.map { "name=\($0)" } + directives.map { "http-equiv=\($0)" } + ["itemprop=x", "property=og:title"]
        let documents = metas.flatMap { meta in
            values.map { "<!doctype html><meta \(meta) content=\"\($0)\"><p>x <a href=y>y</a>" }
        }
        try assertLeaveNothing(documents, written: 0.2)
    }

    func testStylesOfTheRoot() throws {
        let declarations = [
            "overflow:scroll", "overflow:hidden", "overscroll-behavior:none", "scroll-behavior:smooth", "zoom:2",
            "scroll-padding:9px", "scroll-snap-type:y mandatory", "scrollbar-gutter:stable", "scrollbar-width:thin",
            "scrollbar-color:red blue", "color-scheme:dark", "direction:rtl", "writing-mode:vertical-rl",
            "background:red", "background:red fixed", "caret-color:red", "user-select:none", "accent-color:red",
            "-webkit-text-size-adjust:300%", "-webkit-user-modify:read-write", "container-type:size", "quotes:'x' 'y'",
            "view-transition-name:a", "scroll-timeline:--t", "anchor-name:--a", "counter-reset:list-item 9",
            "hyphens:auto",
            "-webkit-locale:'ja'", "font:italic 30px serif", "line-height:3", "text-spacing-trim:space-all",
            "filter:invert(1)",
            "transform:rotate(9deg)", "position:fixed", "display:none", "display:flex", "visibility:hidden",
            "opacity:.1",
            "image-rendering:pixelated", "tab-size:9", "color:-webkit-link", "-webkit-box-reflect:below", "columns:3",
            "mix-blend-mode:difference", "clip-path:circle(9px)", "perspective:9px", "will-change:transform",
            "contain:strict",
            "animation:k 9s", "transition:all 9s", "content-visibility:hidden", "appearance:button", "math-depth:3",
        ]
        let rules = [
            "@page{margin:9cm;size:A6 landscape}", "@view-transition{navigation:auto}", "@namespace url(x);",
            "@font-feature-values F{@styleset{a:1}}", "@font-palette-values --p{font-family:F;base-palette:1}",
            "@counter-style decimal{system:cyclic;symbols:'*'}", "@counter-style disc{system:cyclic;symbols:'*'}",
            "@property --c{syntax:'<color>';inherits:true;initial-value:red}", "@scope(p){:scope{color:red}}",
            "@starting-style{p{color:red}}", "@layer a,b;@layer b{p{color:red}}",
            "@keyframes k{to{color:red}}p{animation:k 1s}",
            "@container(width>1px){p{color:red}}", "@supports(color:red){p{color:red}}", "@media screen{p{color:red}}",
            "@position-try --x{inset:0}", "::selection{color:red}", "::backdrop{background:red}", "@charset 'x';",
            "::-webkit-scrollbar{width:50px}", "::-webkit-scrollbar-thumb{background:red}",
            "::view-transition{color:red}",
        ]
        let sheets = declarations.map { "html{\($0)}" } + declarations.map { "html,body,p{\($0)}" } + rules
        try assertLeaveNothing(
            sheets.map { "<!doctype html><style>\($0)</style><p>x<div style='height:2000px'></div>" }, written: 0.5)
    }

    /// All elements, each with these attributes.
    private func everything(_ attributes: String, withGraphics: Bool = true) -> String {
        func element(_ name: String, _ content: String = "x") -> String {
            "<\(name) \(attributes)>\(content)</\(name)>"
        }
        let harmless = Set(Vocabulary.svgElements).subtracting(Self.otherGraphics)
        let text =
            "<!doctype html><html \(attributes)><head \(attributes)><body \(attributes)><p>x"
            + Vocabulary.elements.filter { $0 != "style" || !attributes.contains("title") }.map { element($0) }.joined()
            + "<table \(attributes)>"
            + Vocabulary.tableElements.filter { $0 != "table" }.map { "<\($0) \(attributes)>" }.joined() + "x</table>"
        if !withGraphics { return text }
        return text + element("svg", harmless.sorted().map { element($0) }.joined())
            + element(
                "math",
                Vocabulary.mathElements.filter { !$0.hasPrefix("mg") && $0 != "mlabeledtr" && $0 != "annotation-xml" }
                    .map { element($0) }.joined())
    }

    private static let otherGraphics: Set = [
        "script", "font-face", "font-face-format", "font-face-name", "font-face-src", "font-face-uri", "missing-glyph",
        "cursor",
        "animateColor", "glyph", "glyphRef", "hkern", "vkern", "tref", "view",
    ]

    private func values(of attribute: String) -> [String] {
        switch attribute {
        case "dir": ["rtl", "auto"]
        case "lang": ["ja", "ar"]
        case "type": ["checkbox", "radio", "range", "color", "file", "search", "image", "submit", "password", "A", "x"]
        case "open", "hidden", "inert", "checked", "disabled", "autofocus", "multiple", "selected": [""]
        case "popover": ["manual", "auto"]
        case "style": ["color:red;background:blue", "position:fixed;inset:0"]
        case "href", "src", "srcset", "poster", "data", "background", "action", "cite": ["#a", flatURI(.red)]
        case "tabindex", "rows", "cols", "size", "border", "width", "height", "start", "step": ["1", "-1"]
        case "contenteditable", "draggable", "spellcheck", "translate": ["true", "plaintext-only"]
        case "class", "id", "name": ["a"]
        // A colour; for most attributes it is a meaningless word.
        default: ["red"]
        }
    }

    /// - Parameter written: the minimum share of drawings without a navigation; with fewer, the test would be
    ///   pointless.
    private func assertLeaveNothing(_ documents: [String], written: Double, line: UInt = #line) throws {
        try onLoop {
            let engine = WebEngine()
            _ = Studio.renderer
            engine.sandbox = .never
            let renderer = Renderer(engine: engine)
            func drawn(_ html: String) async -> Data? {
                var snippet = Snippet(html, identifier: "a")
                snippet.geometry.height = .fixed(300)
                let image = try? await renderer.picture(for: snippet, options: .init(usesCache: false))
                return image.map { image in
                    (0..<image.size.height).reduce(into: Data()) { data, y in
                        image.pixmap.withRow(y) { data.append(contentsOf: $0) }
                    }
                }
            }
            var alone: [Data?] = []
            for document in Self.ordinary {
                _ = await drawn(Self.traced)
                alone.append(await drawn(document))
            }
            let before = engine.writings
            for document in documents {
                _ = await drawn(Self.traced)
                let first = await drawn(document)
                let one = await drawn(Self.ordinary[0])
                let second = await drawn(document)
                let other = await drawn(Self.ordinary[1])
                let name = document.prefix(120)
                XCTAssertTrue(one != nil && one == alone[0], "a document of standards after \(name)", line: line)
                XCTAssertTrue(other != nil && other == alone[1], "a document of quirks after \(name)", line: line)
                XCTAssertTrue(first == second, "the second time, \(name)", line: line)
            }
            XCTAssertGreaterThanOrEqual(
                Double(engine.writings - before), Double(3 * documents.count) * written, line: line)
            XCTAssertEqual(engine.restarts, 0, line: line)
            await renderer.finish()
        }
    }

    /// No other document may be written into this one's page.
    private static let traced = "<!doctype html><link rel=x><p>x"

    /// Documents that show settings that an earlier document might have left behind.
    private static let ordinary = [
        "<!doctype html><meta charset=utf-8>\(style)\(content)", "\(content)\(style)",
    ]
    private static let style = """
        <style>u{color:-webkit-link}s{color:-webkit-activelink}q{color:-webkit-text}i{color:LinkText}em{color:VisitedText}
        b{color:var(--c,green)}:focus{outline:3px solid lime}:target{background:red}:root:dir(rtl){color:red}
        :lang(ja){color:red}:checked+label{color:blue}:fullscreen,:modal,:popover-open{background:red}</style>
        """
    private static let content = """
        <p class=a>Text <b>bold</b> 直角 <i>i</i> <em>e</em> <u>u</u> <s>s</s> <q>q</q> <a href=#a>link</a> <a href=x>other</a>
        <ol><li>one<li>two</ol><ul><li>x</ul><input value=in><input type=checkbox><input type=radio name=a checked><label>r</label>
        <select><option>o</select><textarea>t</textarea><button>b</button><meter value=.5></meter><progress value=.5></progress>
        <table border><tr><td>a<td><font color=red>b</font></table><details><summary>s</summary>x</details><div popover>p</div>
        <fieldset id=a><legend>l</legend>f</fieldset><hr><img alt=x src='\(flatURI(.green))'><dialog>d</dialog>
        <svg width=30 height=30><rect width=30 height=30 fill='url(#a) green'/></svg><math><mi>x</mi><mo>+</mo></math>
        <div style='color-scheme:light dark;background:Canvas;color:CanvasText'>c</div><details name=a open>x</details>
        """
}
