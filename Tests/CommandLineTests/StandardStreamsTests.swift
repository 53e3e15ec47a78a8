import Foundation
import Testing

/// Standard input and output: pictures and results in pipes, and pipes that are closed or full.
@Suite struct StandardStreamsTests {
    @Test func aPictureOnStandardOutput() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            // GLib's debug messages go to standard output unless they are redirected.
            let outcome = try Offstage.run(
                "render", "a.html", "-o", "-", environment: ["G_MESSAGES_DEBUG": "all"], in: folder)
            #expect(outcome.code == 0)
            #expect(try Picture(outcome.output).size == [400, 40])
            _ = try Offstage.run("render", "a.html", "-o", "a.png", in: folder)
            #expect(try folder.data("a.png") == outcome.output, "the file's bytes and nothing else")
            #expect(outcome.errorLines.last?.wholeMatch(of: #/1 picture in \d\.\d\d s/#) != nil)
            #expect(folder.files() == ["a.html", "a.png"])
        }
    }

    @Test func aDocumentInPieces() throws {
        try withFolder { folder in
            // The document is larger than a pipe's buffer, and declares its charset itself.
            let filler = "<!--" + String(repeating: "x", count: 300_000) + "-->"
            let outcome = try Offstage.run(
                "render", "-", "--out", "out", stdin: Data((row() + filler + row("lime")).utf8), in: folder)
            #expect(outcome.code == 0)
            let picture = try folder.picture("out/stdin.png")
            #expect(picture.size == [400, 80])
            #expect(picture[0, 79] == [0, 255, 0, 255])
        }
    }

    @Test func nothingOnStandardInput() throws {
        try withFolder { folder in
            let empty = try Offstage.run("render", "-", "--out", "out", in: folder)
            #expect(empty.code == 1)
            #expect(
                empty.errorLines.first == "offstage: standard input: the document is empty; there is nothing to draw")
            let closed = try shell(#""$0" render - --out out <&-"#, in: folder)
            #expect(closed.code == 1)
            #expect(
                closed.errorLines.first == "offstage: standard input: the document is empty; there is nothing to draw")
            let aFolder = try shell(#""$0" render - --out out <."#, in: folder)
            #expect(aFolder.code == 1)
            #expect(
                aFolder.errorLines.first
                    == "offstage: cannot read standard input: Is a directory; name a file that Offstage renders, a folder of them, or -"
            )
        }
    }

    /// A picture's file must never get the descriptor of standard error and then receive the program's messages.
    @Test func closedStreamsAreNotTakenByFiles() throws {
        try withFolder { folder in
            for index in 1...6 { try folder.write("in/\(index).html", row()) }
            try #expect(shell(#""$0" render in --out out --json <&- >&- 2>&-"#, in: folder).code == 0)
            #expect(folder.files("out").count == 6)
            for name in folder.files("out") { #expect(throws: Never.self) { try folder.picture("out/" + name) } }
        }
    }

    @Test(arguments: ["render in --out out --json", "render in/1.html -o -", "--help", "--version"])
    func resultsThatNobodyGets(command: String) throws {
        try withFolder { folder in
            try folder.write("in/1.html", row())
            let full = try shell(#""$0" \#(command) >/dev/full"#, in: folder)
            #expect(full.code == 1)
            #expect(
                full.error.contains(
                    "cannot write standard output: No space left on device; free some space or choose another disk\n"))
            let gone = try shell(#"{ "$0" \#(command); echo $? >code; } | true"#, in: folder, until: "code")
            #expect(String(decoding: try folder.data("code"), as: UTF8.self) == "1\n", "\(gone.error)")
            // A reader such as `head` ends when it has read enough.
            #expect(!gone.error.contains("standard output") && !gone.error.contains("Broken pipe"), "\(gone.error)")
        }
    }

    private func shell(_ script: String, in folder: Folder, until file: String? = nil) throws -> Outcome {
        let child = try Child(["sh", "-c", script, Offstage.path], folder: folder.path)
        let outcome = try child.wait()
        if let file { #expect(eventually { access(folder.path(file), F_OK) == 0 }) }
        return outcome
    }
}
