import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// The environment that a document sees.
final class EmulationTests: XCTestCase {
    /// A page with one box, 10 px high, that is red if the style applies.
    private func box(_ style: String, _ emulate: (inout Emulation) -> Void = { _ in }) throws -> RenderedPicture {
        try draw(boxPage(style, emulate))
    }

    private func boxPage(_ style: String, _ emulate: (inout Emulation) -> Void = { _ in }) -> Snippet {
        var snippet = page("<div></div>", style: "div{height:10px}\(style)")
        emulate(&snippet.emulation)
        return snippet
    }

    private func isRed(_ image: RenderedPicture) -> Bool { image.pixel(5, 5) == .red }

    func testTheColourScheme() throws {
        let style = "@media (prefers-color-scheme:dark){div{background:red}}"
        XCTAssertFalse(isRed(try box(style)))
        XCTAssertTrue(isRed(try box(style) { $0.colorScheme = .dark }))
        // Light again: a reused view must not keep the earlier setting.
        XCTAssertFalse(isRed(try box(style)))
    }

    func testADarkDocumentStandsOnDark() throws {
        var snippet = boxPage(":root{color-scheme:light dark}") { $0.colorScheme = .dark }
        snippet.margins.padding = 3
        let dark = try draw(snippet)
        let canvas = dark.pixel(8, 8)
        XCTAssertLessThan(canvas.red, 64)
        XCTAssertEqual(dark.pixel(0, 0), canvas, "the padding has the colour of the canvas")
        // A document that supports only light keeps a white background, and a requested background is used.
        XCTAssertEqual(try box("") { $0.colorScheme = .dark }.pixel(5, 5), .white)
        snippet.background = Color(red: 0, green: 0, blue: 1)
        XCTAssertEqual(try draw(snippet).pixel(8, 8), .blue)
        snippet.background = .transparent
        XCTAssertEqual(try draw(snippet).pixel(8, 8), .clear)
    }

    func testReducedMotionIsTheDefault() throws {
        let style = "@media (prefers-reduced-motion:reduce){div{background:red}}"
        XCTAssertTrue(isRed(try box(style)))
        XCTAssertFalse(isRed(try box(style) { $0.motion = .noPreference }))
    }

    func testAnimationsStandAtTheirEndWhateverTheMotion() throws {
        let style = "@keyframes k{to{background:red}} div{animation:k 60s forwards}"
        for motion in Emulation.Motion.allCases {
            XCTAssertTrue(isRed(try box(style) { $0.motion = motion }), "\(motion)")
        }
    }

    func testContrast() throws {
        let style = "@media (prefers-contrast:more){div{background:red}}"
        XCTAssertFalse(isRed(try box(style)))
        XCTAssertTrue(isRed(try box(style) { $0.contrast = .more }))
    }

    func testLanguage() throws {
        let style = ":lang(de) div{background:red}"
        XCTAssertFalse(isRed(try box(style)))
        XCTAssertTrue(isRed(try box(style) { $0.language = "de-AT" }))
        // The document's own declaration takes precedence.
        var french = Snippet(
            "<html lang=fr><style>\(style)div{height:10px}</style><div>", identifier: "french", width: 100)
        french.emulation.language = "de"
        XCTAssertFalse(isRed(try draw(french)))
    }

    func testQuotesAndHyphensGoByTheLanguage() throws {
        func picture(_ body: String, _ language: String?) throws -> RenderedPicture {
            var snippet = page(body, width: 400)
            snippet.emulation.language = language
            return try draw(snippet)
        }
        let quote = "<q>Wort</q>"
        XCTAssertNotEqual(try picture(quote, "de").pixels, try picture(quote, "fr").pixels)
        // The test avoids German, whose dictionary takes seconds to load.
        let word = "<div style='hyphens:auto;width:80px'>hyphenation characteristics</div>"
        XCTAssertGreaterThan(try picture(word, "en").size.height, try picture(word, nil).size.height)
    }

    func testDefaultFonts() throws {
        let text = "<span style='background:red'>word</span>"
        func size(_ fonts: (inout Emulation.DefaultFonts) -> Void) throws -> Int {
            var snippet = page(text, width: 300)
            fonts(&snippet.emulation.fonts)
            return try draw(snippet).count(of: .red)
        }
        let plain = try size { _ in }
        XCTAssertGreaterThan(try size { $0.size = 32 }, 3 * plain)
        XCTAssertGreaterThan(try size { $0.minimumSize = 32 }, 3 * plain)
        XCTAssertNotEqual(try size { $0.family = "DejaVu Sans Mono" }, plain)
        XCTAssertEqual(try size { _ in }, plain, "the next snippet has the machine's fonts again")
    }

    func testADefaultFamilyThatIsNotThereIsTold() throws {
        var snippet = page("word")
        snippet.emulation.fonts.family = "No Such Font"
        XCTAssertEqual(try draw(snippet).warnings, [DrawingWarning(.fontReplaced, "No Such Font")])
        snippet.requiresNamedFonts = true
        XCTAssertEqual(refusal(of: snippet), .fontsReplaced(["No Such Font"]))
        snippet.emulation.fonts.family = "DejaVu Serif"
        XCTAssertEqual(try draw(snippet).warnings, [])
    }

    func testWhatAddedStyleSheetsBringIsCheckedToo() throws {
        var snippet = page("<p>x</p>")
        snippet.styleSheets = ["p::before{content:'\\18b00'}", "p{font-family:'No Such Font'}"]
        XCTAssertEqual(Set(try draw(snippet).warnings.map(\.code)), [.glyphMissing, .fontReplaced])
        snippet.styleSheets = ["@keyframes k{to{background:red}} p{margin:0;animation:k 60s forwards}"]
        XCTAssertEqual(try draw(snippet).pixel(90, 5), .red)
    }

    func testStyleSheetsComeAfterTheDocumentsOwn() throws {
        var snippet = page("<div></div>", style: "div{height:10px;background:blue}")
        snippet.styleSheets = ["div{background:green;height:20px}", "div{background:red}"]
        let image = try draw(snippet)
        XCTAssertTrue(isRed(image))
        XCTAssertEqual(image.size.height, 20)
        snippet.styleSheets = []
        XCTAssertEqual(try draw(snippet).pixel(5, 5), .blue)
    }

    func testAStyleSheetsFilesStartAtTheBase() throws {
        let svg =
            "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'><rect width='10' height='10' fill='red'/></svg>"
        var snippet = page("<div></div>", style: "div{height:10px}", base: MemoryFolder(text: ["a.svg": svg]))
        snippet.styleSheets = ["div{background:url(a.svg)}"]
        XCTAssertTrue(isRed(try draw(snippet)))
    }

    func testWhatIsWrongIsRefused() {
        func reason(_ emulate: (inout Emulation) -> Void) -> DrawingError? { refusal(of: boxPage("", emulate)) }
        XCTAssertEqual(
            reason { $0.language = "de_DE" },
            .invalidRequest("the language 'de_DE' is not a language tag; name one such as de or zh-TW"))
        XCTAssertEqual(
            reason { $0.timeZone = "Mars/Olympus" },
            .invalidRequest("the time zone 'Mars/Olympus' is not known; name one such as UTC or Europe/Vienna"))
        XCTAssertEqual(
            reason { $0.fonts.size = 0 }, .invalidRequest("the font size is 0 CSS px; it must be 1 to 1000"))
        XCTAssertEqual(
            reason { $0.fonts.minimumSize = -1 },
            .invalidRequest("the minimum font size is -1 CSS px; it must be 0 to 1000"))
        XCTAssertEqual(
            reason { $0.fonts.family = "" },
            .invalidRequest("the font family is empty; leave it out to use the machine's sans-serif"))
    }

    /// GTK's settings apply to the whole process: drawings with different settings must not affect each other.
    func testManyAtOnceEachSeesItsOwn() throws {
        let style = """
            @media (prefers-color-scheme:dark){div{background:red}}
            @media (prefers-contrast:more){div{height:20px}} @media (prefers-reduced-motion:reduce){div{border-top:2px solid blue}}
            """
        let kinds: [(Emulation.ColorScheme, Emulation.Contrast, Emulation.Motion)] = [
            (.light, .noPreference, .reduce), (.dark, .noPreference, .reduce), (.dark, .more, .noPreference),
            (.light, .more, .reduce),
        ]
        let snippets = (0..<40).map { number in
            boxPage(style) { ($0.colorScheme, $0.contrast, $0.motion) = kinds[number % 4] }
        }
        let renderer = MainActor.assumeIsolated { Studio.make(views: 3) }
        let images = try onLoop {
            let images = try await draw(snippets, with: renderer)
            await renderer.finish()
            return images
        }
        for (number, image) in images.enumerated() {
            let (scheme, contrast, motion) = kinds[number % 4]
            let height = (contrast == .more ? 20 : 10) + (motion == .reduce ? 2 : 0)
            XCTAssertEqual(image.size.height, height, "\(number)")
            XCTAssertEqual(image.pixel(5, height - 1), scheme == .dark ? .red : .white, "\(number)")
        }
    }

    func testLanguagesByTurnsKeepTheirViews() throws {
        let renderer = MainActor.assumeIsolated { Studio.make() }
        let before = Processes.children()
        let seen = try onLoop {
            var seen: Set<Set<pid_t>> = []
            for number in 0..<6 {
                var snippet = page("<p>x</p>")
                snippet.emulation.language = number % 2 == 0 ? "de" : "fr"
                _ = try await renderer.picture(for: snippet)
                if number > 0 { seen.insert(Set(Processes.new(Processes.webProcess, since: before))) }
            }
            await renderer.finish()
            return seen
        }
        XCTAssertEqual(seen.count, 1)
        XCTAssertEqual(seen.first?.count, 2)
    }
}
