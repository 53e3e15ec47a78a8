import Foundation
import PageSamples
import Testing

/// No option of a command line is ignored without a word: a wrong value is an error, whatever the run draws, and an option without effect
/// is named.
@Suite struct OptionUseTests {
    /// Values that no source takes.
    private static let wrong = [
        ["--fit", "bogus"], ["--crop", "nonsense"], ["--gravity", "middle"], ["--waveform", "triangle"],
        ["--box", "foo"], ["--rotate", "45"], ["--variant", "nope"], ["--bar-width", "-3"], ["--marker", "zz"],
        ["--from", "abc"], ["--amplitude", "x"], ["--password-file", "no-such"], ["--annotations", "no-such.json"],
        ["--frame", "0"], ["--width", "0"],
        ["--css", "no-such.css"], ["--max-points", "x"],
    ]

    @Test(arguments: wrong) func aWrongValueIsAnErrorWhateverIsDrawn(option: [String]) throws {
        try withFolder { folder in
            try folder.write("in/page.html", "<h1>Hi</h1>")
            try folder.write("rows.jsonl", #"{"identifier": "a", "html": "x"}"#)
            let row = Data(#"{"id": 1, "html": "x", "output": "x.png"}"#.utf8)
            for (arguments, input) in [
                (["render", "in/page.html", "-o", "x.png"], Data()), (["render", "in", "--out", "x"], Data()),
                (["render", "-", "-o", "x.png"], Data("<p>x".utf8)),
                (["render", "--manifest", "rows.jsonl", "--out", "x"], Data()), (["pipe", "--out", "x"], row),
            ] {
                let run = try Child(
                    [Offstage.path] + arguments + option + ["--no-cache"], stdin: input, folder: folder.path
                ).wait()
                #expect(run.code == 2 && run.error.hasPrefix("offstage: \(option[0])"), "\(arguments) \(run.error)")
            }
            #expect(folder.files() == ["in/page.html", "rows.jsonl"])
        }
    }

    @Test func anOptionWithoutEffectIsNamed() throws {
        try withFolder { folder in
            try folder.write("page.html", "<h1>Hi</h1>")
            let options = [
                "--crop", "0,0,9,9", "--rotate", "90", "--pages", "1-3", "--frame", "2", "--max-points", "9",
            ]
            func lines(_ more: String...) throws -> (code: Int32, errors: [String], text: String) {
                let run = try Offstage.run(
                    "render", arguments: ["page.html", "-o", "page.png", "--no-cache"] + options + more, in: folder)
                return (run.code, run.errorLines.filter { $0.hasPrefix("offstage: ") }, run.text)
            }
            // One line each. A limit is kept.
            let named = ["crop", "frame", "pages", "rotate"].map {
                "offstage: --\($0) has no effect on html files; leave it out"
            }
            var run = try lines()
            #expect(run.code == 0 && run.errors == named)
            run = try lines("--json")
            #expect(run.code == 0 && run.errors == named)
            #expect(run.text.split(separator: "\n").count == 1 && run.text.hasPrefix("{"))
            run = try lines("--quiet")
            #expect(run.code == 0 && run.errors.isEmpty)
            run = try lines("--strict")
            #expect(run.code == 2 && run.errors == [named[0]])
        }
    }

    @Test func anOptionThatNeedsAnotherIsNamed() throws {
        try withFolder { folder in
            try folder.write("book.pdf", TestPDF(pages: [.init()]).data)
            for (options, message) in [
                (["--gravity", "north"], "--gravity has no effect without --fit cover or --fit contain"),
                (["--fit", "cover"], "--fit has no effect without --width and --height"),
                (["--fit", "cover", "--width", "9"], "--fit has no effect without --width and --height"),
            ] {
                let run = try Offstage.run(
                    "render", arguments: ["book.pdf", "-o", "a.png", "--no-cache"] + options, in: folder)
                #expect(run.code == 0 && run.error.contains("\(message); give that, or leave it out\n"), "\(run.error)")
            }
            // A row may have the other option.
            try folder.write(
                "rows.jsonl", #"{"identifier": "a", "file": "book.pdf", "fit": "cover", "width": 9, "height": 9}"#)
            let run = try Offstage.run(
                "render", "--manifest", "rows.jsonl", "--gravity", "north", "--out", "out", "--no-cache", in: folder)
            #expect(run.code == 0 && !run.error.contains("no effect"), "\(run.error)")
        }
    }

    /// The options of a run are for those of its documents that take them; a row's own key is for its document.
    @Test func aRowsOwnKeyIsForItsDocument() throws {
        try withFolder { folder in
            try folder.write("book.pdf", TestPDF(pages: [.init()]).data)
            try folder.write(
                "rows.jsonl",
                """
                {"identifier": "a", "file": "book.pdf"}
                {"identifier": "b", "html": "<p>x"}
                """)
            let run = try Offstage.run(
                "render", "--manifest", "rows.jsonl", "--fit", "40x40", "--out", "out", "--no-cache", in: folder)
            #expect(run.code == 0 && !run.error.contains("no effect"), "\(run.error)")
            #expect(try folder.picture("out/a.png").size == [40, 20])
            let pipe = try PipeProgram("--no-cache", "--fit", "40x40", "--out", "pipe", in: folder)
            pipe.send(
                #"{"id": "a", "identifier": "a", "file": "book.pdf"}"#, #"{"id": "b", "identifier": "b", "html": "x"}"#,
                #"{"id": "c", "identifier": "c", "html": "x", "fit": "40x40"}"#)
            let (outcome, results) = try pipe.end()
            #expect(outcome.code == 1 || outcome.code == 0)
            #expect(try folder.data("pipe/a.png") == folder.data("out/a.png"))
            let failed = results.compactMap { $0.object["error"] as? String }
            #expect(failed.count == 1 && failed[0].contains(#""fit" takes "#), "\(failed)")
        }
    }
}
