import Foundation
import Testing

/// Terminals that support colours get them. `script` runs the program on a terminal.
@Suite struct ColorTests {
    private static let escape = "\u{1B}["

    private func onTerminal(_ words: String, _ environment: [String: String?] = [:], in folder: Folder) throws -> String
    {
        try Child(
            ["script", "-qec", "'\(Offstage.path)' \(words)", "/dev/null"], environment: environment,
            folder: folder.path
        ).wait().text.replacing("\r\n", with: "\n")
    }

    @Test func aTerminalHasThem() throws {
        try withFolder { folder in
            let help = try onTerminal("help render", in: folder)
            #expect(help.contains("\n\(Self.escape)1mMost used:\(Self.escape)0m\n"))
            #expect(help.contains("\n\(Self.escape)36m      --out\(Self.escape)0m=FOLDER "))
            #expect(
                try onTerminal("frob", in: folder).hasPrefix("\(Self.escape)31moffstage:\(Self.escape)0m there is no"))
            #expect(try onTerminal("doctor", in: folder).hasPrefix("\(Self.escape)32mok  \(Self.escape)0m  display"))
        }
    }

    /// Apart from the colours, the text is the same.
    @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]]) func someWantNone(environment: [String: String]) throws {
        try withFolder { folder in
            for words in ["help render", "-h", "frob", "render --frob"] {
                let plain = try onTerminal(words, environment, in: folder)
                #expect(!plain.contains("\u{1B}") && !plain.isEmpty)
                let colored = try onTerminal(words, ["NO_COLOR": ""], in: folder)
                #expect(colored.contains("\u{1B}") || words == "-h" && colored == plain || colored.contains("1m"))
                #expect(colored.replacing(#/\u{1B}\[\d+m/#, with: "") == plain)
            }
        }
    }

    /// A document's own control characters are shown as text, even in a coloured message.
    @Test func namesAreEscaped() throws {
        try withFolder { folder in
            let text = try onTerminal("render $(printf '\\033[31mred.html')", in: folder)
            #expect(text.contains("\(Self.escape)31moffstage:\(Self.escape)0m"))
            #expect(!text.contains("\u{1B}[31mred"), "\(text)")
        }
    }

    @Test func aFileHasNone() throws {
        try withFolder { folder in
            for words in [["help", "render"], ["-h"], ["frob"], ["render", "--frob"], ["render", "none.html"]] {
                let outcome = try Child([Offstage.path] + words, folder: folder.path).wait()
                #expect(!outcome.text.contains("\u{1B}") && !outcome.error.contains("\u{1B}"))
            }
        }
    }

    /// A dumb terminal does not support control sequences, so it gets lines instead of a bar.
    @Test func aDumbTerminalHasLines() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let text = try onTerminal("render a.html", ["TERM": "dumb"], in: folder)
            #expect(text.hasPrefix("[1/1] a  400 × 40 ") && !text.contains("\u{1B}"), "\(text)")
        }
    }
}
