import Foundation
import PageSamples
import Testing

/// The program's help texts. The fixtures contain the complete texts, because every change to them affects users.
@Suite struct HelpTests {
    @Test(arguments: [
        (["--help"], "help"), (["-h"], "help-brief"), (["help"], "help"), (["render", "--help"], "help-render"),
        (["render", "-h"], "help-render-brief"), (["help", "render", "pdf"], "help-render-pdf"),
        (["sheet", "--help"], "help-sheet"), (["browse", "--help"], "help-browse"),
        (["cache", "--help"], "help-cache"), (["cache", "explain", "--help"], "help-cache-explain"),
        (["doctor", "--help"], "help-doctor"), (["info", "--help"], "help-info"),
        (["convert", "--help"], "help-convert"), (["pipe", "--help"], "help-pipe"),
        (["serve", "--help"], "help-serve"), (["work", "--help"], "help-work"), (["shared", "--help"], "help-shared"),
        (["help", "render"], "help-render"),
        (["help", "cache", "explain"], "help-cache-explain"),
    ])
    func help(arguments: [String], fixture: String) throws {
        let url = try #require(Bundle.module.url(forResource: fixture, withExtension: "txt", subdirectory: "Fixtures"))
        let outcome = try run(arguments)
        #expect(outcome.code == 0)
        #expect(outcome.text == (try String(contentsOf: url, encoding: .utf8)))
        #expect(outcome.error == "")
    }

    @Test(arguments: [
        ["render", "--width"], ["render", "width"], ["render", "--width=9"], ["pipe", "--width"],
    ])
    func helpOnOneOption(words: [String]) throws {
        let outcome = try run(["help"] + words)
        #expect(outcome.code == 0)
        #expect(outcome.text.hasPrefix("      --width=PX|fit "))
        #expect(outcome.text.split(separator: "\n").allSatisfy { !$0.dropFirst(8).hasPrefix("--height") })
    }

    private static let commands = [
        "render", "pipe", "serve", "work", "browse", "sheet", "info", "convert", "cache", "cache explain", "shared",
        "doctor",
    ]

    /// 24 lines of 80 characters, one of which is needed for the prompt.
    @Test(arguments: [""] + commands) func theShortHelpIsOneScreen(command: String) throws {
        let words = command.split(separator: " ").map(String.init)
        let lines = try run(words + ["-h"]).text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count < 24, "\(lines.count)")
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.filter { $0.count > 80 })")
        // The short help refers to the full help.
        let whole = "`" + (["offstage"] + words + ["--help"]).joined(separator: " ") + "`"
        #expect(lines.contains { $0.hasPrefix(whole) })
    }

    /// An option that belongs to one source is under that source's heading, and no option is listed twice.
    @Test func theWholeHelpIsGroupedBySource() throws {
        let sections = try run(["render", "--help"]).text.components(separatedBy: "\n\n")
        func heading(_ option: String) -> [String] {
            sections.filter { section in
                section.split(separator: "\n").contains { $0.dropFirst(6).prefix { !"= [".contains($0) } == option }
            }.map { String($0.prefix { $0 != "\n" }) }
        }
        for (option, title) in [
            ("--selector", "HTML, XHTML and SVG (html):"), ("--frame", "Images (image):"),
            ("--layers", "PDF pages (pdf):"),
            ("--waveform", "Sounds (sound):"), ("--rotate", "Several sources:"), ("--padding", "Size and part:"),
            ("--width", "Most used:"), ("--max-points", "Limits:"), ("--watch", "Run:"),
        ] { #expect(heading(option) == [title]) }
        let several = try #require(sections.first { $0.hasPrefix("Several sources:") })
        #expect(
            several.contains("clockwise by 90, 180 or 270 degrees\n") && several.contains("(default 0) [image, pdf]"))
    }

    @Test(arguments: [
        (
            "pdf", ["--box", "--layers", "--pages", "--width", "--format"],
            ["--selector", "--waveform", "--watch", "--crop"]
        ),
        ("PDF", ["--box"], ["--selector"]), ("svg", ["--selector", "--css"], ["--box"]),
        (".wav", ["--waveform", "--width"], ["--rotate"]), ("ink", ["--max-points"], ["--box"]),
        ("image", ["--crop", "--frame"], ["--layers"]),
    ])
    func helpOnOneSource(word: String, has: [String], lacks: [String]) throws {
        let texts = try [["help", "render", word], ["help", word]].map { try run($0).text }
        #expect(texts[0] == texts[1] && texts[0].hasPrefix("Options of `offstage render` for "))
        let options = texts[0].split(separator: "\n").map { $0.dropFirst(6).prefix { !"= [".contains($0) } }
        for option in has { #expect(options.count { $0 == option } == 1, "\(option)") }
        for option in lacks { #expect(options.count { $0 == option } == 0, "\(option)") }
        // This is the option --ink, not the source.
        #expect(try run(["help", "render", "--ink"]).text.hasPrefix("      --ink=FILE "))
    }

    /// A source's own description of an option that other sources also have.
    @Test func aSourceDescribesItsOptions() throws {
        #expect(
            try run(["help", "render", "pdf"]).text.contains("Put this CSS colour around a page with --fit contain"))
        #expect(try run(["help", "serve", "sound"]).text.contains("Put this CSS colour behind a waveform"))
        let sheet = try run(["help", "sheet", "pdf"])
        #expect(sheet.code == 2 && sheet.error.contains("offstage sheet has no option 'pdf'"))
    }

    @Test func helpOnAnUnknownOption() throws {
        let outcome = try run(["help", "render", "--widht"])
        #expect(outcome.code == 2)
        #expect(outcome.error == "offstage: offstage render has no option '--widht'; did you mean --width?\n")
        #expect(
            try run(["help", "render", "--quality"]).error
                == "offstage: offstage render has no option '--quality'; use --format jpeg:quality=80 or webp:quality=80\n"
        )
        #expect(try run(["help", "render", "sounds"]).error.hasSuffix("; did you mean sound?\n"))
        #expect(
            try run(["help", "cache", "bogus"]).error
                == "offstage: offstage cache has no option 'bogus'; see `offstage help cache`\n")
    }

    /// The texts are the same in every language, because scripts read them.
    @Test func helpDoesNotChangeWithTheLanguage() throws {
        let plain = try run(["render", "--help"])
        let german = try run(["render", "--help"], ["LANG": "de_DE.UTF-8", "LANGUAGE": "de", "LC_ALL": "de_DE.UTF-8"])
        #expect(german.text == plain.text)
    }

    @Test(arguments: [
        ["--version"], ["-V"], ["render", "-V"], ["render", "--version"], ["sheet", "--version"],
        ["doctor", "--version"],
    ])
    func version(arguments: [String]) throws {
        let outcome = try run(arguments)
        #expect(outcome.code == 0)
        #expect(outcome.text.wholeMatch(of: #/offstage \d+\.\d+\.\d+\n/#) != nil)
        #expect(outcome.error == "")
    }

    /// A long help text starts with its purpose, examples, and the ten most common options.
    @Test func theMostUsedOptionsComeFirst() throws {
        let text = try run(["render", "--help"]).text
        let parts = text.components(separatedBy: "\n\n")
        #expect(parts[2].hasPrefix("Examples:"))
        #expect(
            parts[2].components(separatedBy: "\n  offstage").count
                + parts[2].components(separatedBy: "| offstage").count >= 5)
        #expect(parts[3].hasPrefix("Most used:"))
        #expect(parts[3].components(separatedBy: "\n").count { $0.hasPrefix("  -") || $0.hasPrefix("      --") } == 10)
        #expect(text.components(separatedBy: "\n").allSatisfy { $0.count < 100 })
    }

    /// The examples of `render` can be typed as they are.
    @Test func theExamplesWork() throws {
        try withFolder { folder in
            try folder.write("page.html", row())
            let lines = try run(["render", "--help"]).text.components(separatedBy: "\n")
            let examples = lines.indices.dropFirst().filter { lines[$0 - 1].hasPrefix("  # ") }.map { lines[$0] }
            try folder.write("score.pdf", TestPDF(pages: [.init(), .init()]).data)
            #expect(examples.count == 4)
            for example in examples { try KnownBlock.run(example, in: folder) }
            #expect(try folder.picture("page.png").size == [400, 40])
            #expect(try folder.picture("hello.png").width == 1200)
            #expect(folder.files("out").contains("score/p002.annotated.png"))
            #expect(folder.files("out").contains("index.html"))
            #expect(folder.files("out").contains("chat-greek.thumb-120x120.jpg"))
        }
    }

    private func run(_ arguments: [String], _ environment: [String: String?] = [:]) throws -> Outcome {
        try Child([Offstage.path] + arguments, environment: environment, folder: "/").wait()
    }
}
