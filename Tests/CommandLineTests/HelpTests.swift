import Foundation
import Testing

/// What the program says of itself. The fixtures are the whole texts: a change to them is a change for every reader.
@Suite struct HelpTests {
    @Test(arguments: [
        (["--help"], "help"), (["-h"], "help"), (["help"], "help"), (["render", "--help"], "help-render"),
        (["render", "-h"], "help-render"), (["sheet", "--help"], "help-sheet"), (["browse", "--help"], "help-browse"),
        (["cache", "--help"], "help-cache"), (["cache", "explain", "--help"], "help-cache-explain"),
        (["doctor", "--help"], "help-doctor"), (["pipe", "--help"], "help-pipe"),
        (["serve", "--help"], "help-serve"),
    ])
    func help(arguments: [String], fixture: String) throws {
        let url = try #require(Bundle.module.url(forResource: fixture, withExtension: "txt", subdirectory: "Fixtures"))
        let outcome = try run(arguments)
        #expect(outcome.code == 0)
        #expect(outcome.text == (try String(contentsOf: url, encoding: .utf8)))
        #expect(outcome.error == "")
    }

    /// The texts are for every language's users the same, as scripts read them.
    @Test func helpDoesNotChangeWithTheLanguage() throws {
        let plain = try run(["render", "--help"])
        let german = try run(["render", "--help"], ["LANG": "de_DE.UTF-8", "LANGUAGE": "de", "LC_ALL": "de_DE.UTF-8"])
        #expect(german.text == plain.text)
    }

    @Test(arguments: [["--version"], ["render", "--version"], ["sheet", "--version"], ["doctor", "--version"]])
    func version(arguments: [String]) throws {
        let outcome = try run(arguments)
        #expect(outcome.code == 0)
        #expect(outcome.text.wholeMatch(of: #/offstage \d+\.\d+\.\d+\n/#) != nil)
        #expect(outcome.error == "")
    }

    private func run(_ arguments: [String], _ environment: [String: String?] = [:]) throws -> Outcome {
        try Child([Offstage.path] + arguments, environment: environment, folder: "/").wait()
    }
}
