import Foundation
import PageSamples
import Testing

/// What the program says of itself. The fixtures are the whole texts: a change to them is a change for every reader.
@Suite struct HelpTests {
    @Test(arguments: [
        (["--help"], "help"), (["-h"], "help"), (["help"], "help"), (["render", "--help"], "help-render"),
        (["render", "-h"], "help-render"), (["sheet", "--help"], "help-sheet"), (["browse", "--help"], "help-browse"),
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

    @Test func helpOnAnUnknownOption() throws {
        let outcome = try run(["help", "render", "--widht"])
        #expect(outcome.code == 2)
        #expect(outcome.error == "offstage: offstage render has no option '--widht'; did you mean --width?\n")
        #expect(
            try run(["help", "cache", "bogus"]).error
                == "offstage: offstage cache has no option 'bogus'; see `offstage help cache`\n")
    }

    /// The texts are for every language's users the same, as scripts read them.
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

    /// The first headings of a long text: what it is for, examples, and the ten options that most people need.
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

    /// The examples of `render` are typed as they are.
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
