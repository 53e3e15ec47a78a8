import Foundation
import Testing

/// The man page and the completions that `make install` makes.
@Suite struct ManualTests {
    /// The whole texts, as in `HelpTests`.
    @Test(arguments: [
        (["--print-man"], "man"), (["--print-completion", "bash"], "completion-bash"),
        (["--print-completion", "zsh"], "completion-zsh"),
    ])
    func print(arguments: [String], fixture: String) throws {
        let url = try #require(Bundle.module.url(forResource: fixture, withExtension: "txt", subdirectory: "Fixtures"))
        let outcome = try Child([Offstage.path] + arguments, folder: "/").wait()
        #expect(outcome.code == 0)
        #expect(outcome.text == (try String(contentsOf: url, encoding: .utf8)))
        #expect(outcome.error == "")
    }

    @Test func theManPageIsWellFormed() throws {
        let page = try Child([Offstage.path, "--print-man"], folder: "/").wait().output
        let outcome = try Child(["mandoc", "-T", "lint", "-W", "warning"], stdin: page, folder: "/").wait()
        #expect(outcome.code == 0, "\(outcome.text)")
    }

    @Test(arguments: [
        (["offstage", "r"], ["render"]),
        (["offstage", "render", "--sc"], ["--scale"]),
        (["offstage", "render", "--max-res"], ["--max-resources", "--max-resource-bytes"]),
        (["offstage", "render", "--width", ""], ["fit"]),
        (["offstage", "render", "--out", "a"], ["a folder"]),
        (["offstage", "render", "--out", "=", "a"], ["a folder"]),
        (["offstage", "render", "--out", "="], ["a folder"]),
        (["offstage", "render", "a"], ["a folder", "a.html"]),
        (["offstage", "sheet", "a"], ["a folder"]),
        (["offstage", "sheet", "--col"], ["--columns"]),
        (["offstage", "sheet", "--columns", ""], []),
        (["offstage", "cache", "e"], ["explain", "export"]),
        (["offstage", "cache", "--j"], ["--json"]),
        (["offstage", "cache", "explain", "--sc"], ["--scale"]),
        (["offstage", "cache", "explain", "a"], ["a folder", "a.html"]),
        (["offstage", "c"], ["cache", "convert"]),
        (["offstage", "doctor", "--j"], ["--json"]),
        (["offstage", "doctor", "a"], []),
    ])
    func bashCompletes(line: [String], words: [String]) throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            try folder.make("a folder")
            // compopt is for bash's own call only.
            let script = """
                compopt() { :; }
                . <("$0" --print-completion bash)
                COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
                _offstage
                [ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
                """
            let outcome = try Child(["bash", "-c", script, Offstage.path] + line, folder: folder.path).wait()
            #expect(outcome.error == "")
            #expect(outcome.text.split(separator: "\n").map(String.init).sorted() == words.sorted())
        }
    }

    @Test(arguments: [["--print-completion"], ["--print-completion", "fish"]])
    func anotherShell(arguments: [String]) throws {
        let outcome = try Child([Offstage.path] + arguments, folder: "/").wait()
        #expect(outcome.code == 2)
        #expect(
            outcome.error == "offstage: --print-completion takes bash or zsh\n")
        #expect(outcome.text == "")
    }
}
