import Foundation
import Testing

/// The completions inside each shell: for a command line, the words that the Tab key offers at its end.
@Suite struct CompletionTests {
    private static let formats = ["png", "jpeg", "webp", "raw", "pdf", "svg", "dat", "json"]
    private static let sources = ["html", "image", "pdf", "sound", "ink"]
    private static let commands = [
        "render", "pipe", "serve", "work", "browse", "sheet", "info", "convert", "cache", "shared", "doctor",
    ]
    private static let actions = ["path", "stats", "list", "trim", "clear", "verify", "export", "import", "explain"]

    /// The completions of a line, the same for all shells. The working folder has `a folder` and `a.html`.
    static let lines: [(line: String, words: [String])] = [
        ("r", ["render"]), ("c", ["cache", "convert"]), ("render --sc", ["--scale"]),
        ("render --max-res", ["--max-resources", "--max-resource-bytes"]), ("render --width ", ["fit"]),
        ("render --out a", ["a folder"]), ("render a", ["a folder", "a.html"]), ("sheet a", ["a folder"]),
        ("sheet --col", ["--columns"]), ("cache --j", ["--json"]), ("cache explain --sc", ["--scale"]),
        ("cache explain a", ["a folder", "a.html"]), ("doctor --j", ["--json"]),
        // Formats and sources.
        ("render --format ", formats), ("render --also w", ["webp"]), ("serve --format j", ["jpeg", "json"]),
        ("work --only ", sources),
        // Nested commands.
        ("cache ", actions), ("cache e", ["explain", "export"]),
        ("shared ", ["init", "stats", "nodes", "dead", "retry", "trim"]),
        ("help ", commands), ("help cache e", ["explain"]), ("help render --wid", ["--width"]),
        ("help render p", ["pdf"]),
        ("help cache explain --st", ["--stdin", "--strict", "--strict-fonts"]),
        ("--print-completion ", ["bash", "zsh", "fish"]), ("--print-schema c", ["command"]),
        ("--print-m", ["--print-man"]),
    ]

    @Test(arguments: lines) func bash(line: String, words: [String]) throws {
        // After a space, the last word is empty.
        let given = ["offstage"] + line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        try expect(words, of: Self.bashLine, given)
    }

    /// bash treats the = of --out=FOLDER as a word.
    @Test(arguments: [
        (["render", "--out", "=", "a"], ["a folder"]), (["render", "--out", "="], ["a folder"]),
        (["render", "--format", "=", "pn"], ["png"]), (["cache", "export", "a"], ["a folder"]), (["doctor", "a"], []),
        (["sheet", "--columns", ""], []), (["cache", "stats", ""], []), (["shared", "stats", ""], []),
    ])
    func bashAlone(line: [String], words: [String]) throws { try expect(words, of: Self.bashLine, ["offstage"] + line) }

    @Test(arguments: lines) func zsh(line: String, words: [String]) throws {
        try expect(words, of: Self.zshLine, ["offstage " + line])
    }

    @Test(arguments: lines) func fish(line: String, words: [String]) throws {
        try expect(words, of: Self.fishLine, ["offstage " + line])
    }

    @Test(arguments: [
        ("cache export a", ["a folder"]), ("render --format=pn", ["--format=png"]), ("doctor a", []),
        ("sheet --columns ", []),
    ])
    func fishAlone(line: String, words: [String]) throws { try expect(words, of: Self.fishLine, ["offstage " + line]) }

    /// - Parameter command: receives the program's path and the words of the line.
    private func expect(_ words: [String], of command: [String], _ line: [String]) throws {
        try withFolder { folder in
            try folder.write("in/a.html", row())
            try folder.make("in/a folder")
            try folder.write("setup.zsh", Self.zshSetup)
            try folder.make("bin")
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("bin/offstage"), withDestinationPath: Offstage.path)
            let path = folder.path("bin") + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
            let outcome = try Child(
                command + line, environment: ["PATH": path, "HOME": folder.path, "FOLDER": folder.path],
                folder: folder.path("in")
            ).wait()
            #expect(outcome.error == "")
            let found = Set(
                outcome.text.split(separator: "\n").map { $0.hasSuffix("/") ? String($0.dropLast()) : String($0) })
            #expect(found == Set(words))
        }
    }

    private static let bashLine = [
        "bash", "-c",
        """
        # For bash's own call only.
        compopt() { :; }
        . <(offstage --print-completion bash)
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _offstage
        [ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
        """, "bash",
    ]

    /// The words without the descriptions after a tab. fish 4 also lists words that merely contain the letters of the
    /// line's last word, after those that begin with it.
    private static let fishLine = [
        "fish", "--no-config", "-c",
        """
        offstage --print-completion fish | source
        set words (complete -C $argv[1] | string replace -r '\\t.*' '')
        set last (string escape --style=regex -- (string match -r '[^ ]*$' -- $argv[1]))
        string match -r "^$last.*" -- $words; or string join \\n -- $words
        """,
    ]

    /// An interactive zsh on its own terminal receives the line and a Tab.
    private static let zshLine = [
        "zsh", "-f", "-c",
        """
        offstage --print-completion zsh > $FOLDER/_offstage
        zmodload zsh/zpty
        zpty z zsh -f -i
        zpty -w z "source $FOLDER/setup.zsh"
        while zpty -r z line; do [[ $line == ready* ]] && break; done
        zpty -w z "$1"$'\\t'
        integer marks=0
        while zpty -r z line; do
            line=${line//[$'\\r\\n']/}
            if [[ $line == *MARK ]]; then (( marks++ )) && break; continue; fi
            (( marks )) && print -r -- ${(Q)line}
        done
        true
        """, "zsh",
    ]

    /// Prints what completion adds, between two marks.
    private static let zshSetup = """
        PROMPT= RPROMPT=
        bindkey '^M' undefined
        bindkey '^J' undefined
        bindkey '^I' complete-word
        fpath=($FOLDER $fpath)
        autoload -Uz compinit; compinit -u -D
        mark() { print MARK }
        compprefuncs=(mark)
        comppostfuncs=(mark exit)
        compadd() {
            if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
            local -a hits
            builtin compadd -A hits "$@"
            (( $#hits )) && print -rl -- $hits
            # With none, zsh would offer other words.
            builtin compadd "$@"
        }
        print ready
        """
}
