import Foundation
import PageSamples
import Testing

/// No option on a command line is silently ignored: a wrong value is an error, whatever the run draws, and an option
/// without effect causes a warning.
@Suite struct OptionUseTests {
    /// Values that no source accepts.
    private static let wrong = [
        ["--fit", "bogus"], ["--crop", "nonsense"], ["--gravity", "middle"], ["--waveform", "triangle"],
        ["--box", "foo"], ["--rotate", "45"], ["--variant", "nope"], ["--bar-width", "-3"], ["--marker", "zz"],
        ["--from", "abc"], ["--amplitude", "x"], ["--password-file", "no-such"], ["--annotations", "no-such.json"],
        ["--frame", "0"], ["--width", "0"],
        ["--css", "no-such.css"], ["--max-points", "x"], ["--selector", "###"], ["--selector", ""],
        ["--max-memory", "0"], ["--max-input-bytes", "0"],
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
            // One line for each option. Limits may have no effect without a warning.
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

    @Test func anOptionOfTheRunWithoutEffectIsNamed() throws {
        try withFolder { folder in
            try folder.write("page.html", "<h1>Hi</h1>")
            try folder.write("book.pdf", TestPDF(pages: [.init()]).data)
            try folder.write("one/book.pdf", TestPDF(pages: [.init()]).data)
            let font = "Vollkorn-Regular.woff2"
            try FileManager.default.copyItem(
                atPath: Document.root.appendingPathComponent("Snippets/assets/fonts/\(font)").path,
                toPath: folder.make("fonts").path(font))
            func named(_ file: String, _ options: String...) throws -> [String] {
                let run = try Offstage.run(
                    "render", arguments: [file, "-o", "x.png", "--no-cache"] + options, in: folder)
                #expect(run.code == 0, "\(run.error)")
                return run.errorLines.compactMap { line in
                    line.firstMatch(of: #/^offstage: --(\S+) has no effect on (\w+) files; leave it out$/#).map {
                        "\($0.output.1) \($0.output.2)"
                    }
                }
            }
            let run = ["--fonts", "fonts", "--allow-host", "example.org", "--save-html", "--progress"]
            #expect(
                try named("book.pdf", run[0], run[1], run[2], run[3], run[4], run[5], "--fresh-workers", "document")
                    == ["allow-host pdf", "fonts pdf", "progress pdf", "save-html pdf"])
            #expect(
                try named("page.html", "--progress", "--fresh-workers", "document", "--save-html")
                    == ["fresh-workers html", "progress html"])
            // At least one file of the run belongs to the option's source.
            let both = try Offstage.run(
                "render", arguments: ["page.html", "one", "--out", "out", "--no-cache", "--save-html"], in: folder)
            #expect(both.code == 0 && !both.error.contains("no effect"), "\(both.error)")
        }
    }

    /// An invalid selector is found without an engine, and a valid one is never reported as invalid.
    @Test func aWrongSelectorIsAnErrorForFilesOfOtherSources() throws {
        try withFolder { folder in
            try folder.write("book.pdf", TestPDF(pages: [.init()]).data)
            for wrong in ["###", "p >", "> p", "a,,b", "1a", ".", "p{}", "a:", "[]", ""] {
                let run = try Offstage.run(
                    "render", arguments: ["book.pdf", "-o", "x.png", "--selector", wrong], in: folder)
                #expect(
                    run.code == 2
                        && run.error
                            == "offstage: --selector takes a CSS selector such as h1, .total or #main > p, not '\(wrong)'\n",
                    "\(run.error)")
            }
            for right in [
                "h1", "#a > .b:not([x=\"]\"]) ~ *", "a:is(b, c) /* d */ + e::before", "\\31 a", "ä, [x", "p:not(a",
            ] {
                let run = try Offstage.run(
                    "render", arguments: ["book.pdf", "-o", "x.png", "--no-cache", "--selector", right], in: folder)
                #expect(run.code == 0 && run.error.contains("--selector has no effect on pdf files"), "\(run.error)")
            }
        }
    }

    @Test func anOptionThatNeedsAnotherIsNamed() throws {
        try withFolder { folder in
            try folder.write("book.pdf", TestPDF(pages: [.init()]).data)
            try folder.write("sound.wav", Sound.wav)
            try folder.write("page.html", "<h1>Hi</h1>")
            try folder.write(
                "notes.xopp",
                ##"<xournal><page width="72" height="36"><background type="solid" color="#ffffffff"/><layer/></page></xournal>"##
            )
            for (file, options, message) in [
                ("book.pdf", ["--gravity", "north"], "--gravity has no effect without --fit cover or --fit contain"),
                ("book.pdf", ["--fit", "cover"], "--fit has no effect without --width and --height"),
                ("book.pdf", ["--fit", "cover", "--width", "9"], "--fit has no effect without --width and --height"),
                ("book.pdf", ["--areas"], "--areas has no effect without --json or --results"),
                ("book.pdf", ["--background", "red"], "--background has no effect without --fit contain"),
                ("sound.wav", ["--line-width", "3"], "--line-width has no effect without --waveform line"),
                (
                    "sound.wav", ["--bar-gap", "3", "--waveform", "line"],
                    "--bar-gap has no effect without --waveform bars"
                ),
                ("sound.wav", ["--played-color", "red"], "--played-color has no effect without --played or --pair"),
                ("page.html", ["--time-zone", "Asia/Tokyo"], "--time-zone has no effect without --javascript"),
            ] {
                let run = try Offstage.run(
                    "render", arguments: [file, "-o", "a.png", "--no-cache"] + options, in: folder)
                let remedy = "add the missing option, or leave this one out"
                #expect(run.code == 0 && run.error.contains("\(message); \(remedy)\n"), "\(run.error)")
            }
            for (file, options, message) in [
                (
                    "sound.wav", ["--no-mirror", "--align", "top"],
                    "--no-mirror has no effect with --align top or --align bottom"
                ),
                (
                    "book.pdf", ["--ink", "notes.xopp", "--variant", "plain"],
                    "--ink has no effect with --variant plain"
                ),
                (
                    "notes.xopp", ["--width", "9", "--variant", "thumbnail"],
                    "--width has no effect with --variant thumbnail"
                ),
                (
                    "page.html", ["--color-scheme", "dark", "--format", "pdf"],
                    "--color-scheme has no effect with --format pdf and svg"
                ),
            ] {
                let run = try Offstage.run(
                    "render", arguments: [file, "-o", "a.out", "--no-cache", "--format", "png"] + options, in: folder)
                #expect(run.code == 0 && run.error.contains("\(message); leave one of them out\n"), "\(run.error)")
            }
            // All of these options have an effect.
            for (file, options) in [
                ("sound.wav", ["--line-width", "3", "--waveform", "line", "--min-bar-height", "5"]),
                ("sound.wav", ["--bar-gap", "3", "--played-color", "red", "--played", "0.5", "--no-mirror"]),
                ("page.html", ["--time-zone", "Asia/Tokyo", "--javascript", "--color-scheme", "dark"]),
                ("book.pdf", ["--background", "red", "--fit", "contain", "--width", "9", "--height", "9"]),
                ("book.pdf", ["--areas", "--json"]),
            ] {
                let run = try Offstage.run(
                    "render", arguments: [file, "-o", "b.png", "--no-cache"] + options, in: folder)
                #expect(run.code == 0 && !run.error.contains("no effect"), "\(run.error)")
            }
            // A row may contain the other option.
            try folder.write(
                "rows.jsonl", #"{"identifier": "a", "file": "book.pdf", "fit": "cover", "width": 9, "height": 9}"#)
            let run = try Offstage.run(
                "render", "--manifest", "rows.jsonl", "--gravity", "north", "--out", "out", "--no-cache", in: folder)
            #expect(run.code == 0 && !run.error.contains("no effect"), "\(run.error)")
        }
    }

    /// A row's own option without effect is a warning of its result, in every command that takes rows. For an option
    /// of the pipe, the warning follows at the end.
    @Test func aRowsOptionWithoutEffectIsAWarning() throws {
        try withFolder { folder in
            try folder.write("book.pdf", TestPDF(pages: [.init()]).data)
            try folder.write(
                "rows.jsonl",
                """
                {"identifier": "a", "file": "book.pdf", "gravity": "north"}
                {"identifier": "b", "file": "book.pdf", "gravity": "north", "fit": "cover", "width": 9, "height": 9}
                """)
            let run = try Offstage.run(
                "render", "--manifest", "rows.jsonl", "--out", "out", "--no-cache", "--json", in: folder)
            func warnings(_ object: [String: Any]) -> [String] {
                (object["warnings"] as? [[String: Any]] ?? []).compactMap { $0["message"] as? String }
            }
            let message = "an option has no effect: gravity (without --fit cover or --fit contain)"
            #expect(run.code == 0, "\(run.error)")
            #expect(try run.objects.map(warnings) == [[message], []])
            #expect(try run.objects.map { $0["status"] as? String } == ["drawn", "drawn"])
            let pipe = try PipeProgram("--no-cache", "--out", "pipe", "--frame", "2", "--page", "1", in: folder)
            pipe.send(#"{"id": "a", "identifier": "a", "file": "book.pdf", "gravity": "north"}"#)
            let (outcome, results) = try pipe.end()
            #expect(results.map { warnings($0.object) } == [[message]])
            #expect(
                outcome.code == 0 && outcome.error == "offstage: --frame has no effect on pdf files; use --page\n",
                "\(outcome.error)")
            let service = try Service(["--files", "."], in: folder)
            let body = #"{"file": "book.pdf", "gravity": "north"}"#
            let answer = try service.ask("POST", "/v1/images", ["Content-Type": "application/json"], body)
            #expect(answer.status == 200 && answer.headers["offstage-warnings"] == "1; option-unused")
            #expect(try service.stop().code == 0)
        }
    }

    /// The options of a run apply to the documents whose source accepts them; a row's own key applies to its
    /// document.
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
