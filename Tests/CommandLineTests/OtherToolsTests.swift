import Foundation
import Testing

/// Options that users know from other programs: the error suggests Offstage's own option.
@Suite struct OtherToolsTests {
    @Test(arguments: [
        ("--quality", "--format jpeg:quality=80"), ("--dpi", "--scale"), ("--size", "--width"),
        ("--device-scale-factor", "--scale"), ("--full-page", "--height"),
        ("--transparent", "--background transparent"),
        ("--wait", "--timeout"), ("--output-dir", "--out"), ("--threads", "--jobs"), ("--resize", "--fit"),
        ("--force", "--refresh"), ("--viewport", "--width"), ("--verbose", "--json"), ("--dry-run", "cache explain"),
        ("--concurrency", "--jobs"), ("--omit-background", "--background"), ("--javascript-delay", "--timeout"),
        ("--page-range", "--pages"), ("--stylesheet", "--css"), ("--lang", "--language"), ("--timezone", "--time-zone"),
        ("--zoom", "--samples-per-pixel"), ("--background-color", "--background"), ("--start", "--from"),
        ("--end", "--to"),
        // Playwright, Puppeteer
        ("--wait-for-timeout", "--timeout"), ("--path", "-o"),
        ("--reduced-motion", "--motion"), ("--user-agent", "download the page"), ("--headless", "leave it out"),
        // wkhtmltoimage
        ("--crop-w", "--clip"), ("--encoding", "--charset"), ("--minimum-font-size", "--min-font-size"),
        ("--enable-local-file-access", "--base"), ("--print-media-type", "--media print"),
        ("--disable-smart-width", "--width"), ("--custom-header", "download the page"),
        ("--page-size", "--format pdf:page=a4"), ("--margin-top", "margin=15"), ("--config", "OFFSTAGE_CONFIG"),
        // vipsthumbnail, convert
        ("--smartcrop", "--gravity"), ("--auto-orient", "--no-autorotate"), ("--strip", "leave it out"),
        ("--flop", "--flip horizontal"), ("--density", "--scale"), ("--extract", "--crop"),
        ("-resize", "--fit"), ("-quality", "--format jpeg:quality=80"), ("-density", "--scale"),
        // pdftoppm
        ("--scale-to", "--fit"), ("--cropbox", "--box"), ("-png", "--format png"), ("-scale-to", "--fit"),
        ("-r", "--scale"), ("-f", "--pages"), ("-l", "--pages"), ("-upw", "--password-file"),
        // audiowaveform
        ("--waveform-color", "--wave-color"), ("--input-filename", "give the file's name"),
        ("--bits", "--format dat:bits=8"),
        ("--with-axis-labels", "--axis"), ("--amplitude-scale", "--normalize"), ("--zoom", "--scale"),
    ])
    func anOptionOfAnotherProgram(option: String, own: String) throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            for word in option.hasPrefix("--") ? [option, option + "=2"] : [option] {
                let outcome = try Offstage.run("render", "a.html", word, "-o", "a.png", in: folder)
                #expect(outcome.code == 2)
                #expect(outcome.error.hasPrefix("offstage: unknown option \(option)"))
                #expect(outcome.error.contains(own), "\(outcome.error)")
                #expect(outcome.errorLines.count == 1)
            }
            #expect(folder.files() == ["a.html"])
        }
    }

    @Test(arguments: [
        (["render", "a.html", "--columns", "3"], "--columns; it is an option of `offstage sheet`"),
        (["sheet", "in", "--selector", "p"], "--selector; it is an option of `offstage render`"),
        (
            ["render", "a.html", "--token-file", "x"],
            "--token-file; it is an option of `offstage serve` and `offstage work`"
        ),
    ])
    func anOptionOfAnotherCommand(arguments: [String], message: String) throws {
        let outcome = try Child([Offstage.path] + arguments, folder: "/").wait()
        #expect(outcome.code == 2 && outcome.error.hasPrefix("offstage: unknown option \(message)"), "\(outcome.error)")
    }

    /// For other commands, the advice differs or is omitted.
    @Test func noAdviceNamesAnOptionThatTheCommandLacks() throws {
        try withFolder { folder in
            let outcome = try Offstage.run("sheet", "in", "--threads", "4", in: folder)
            #expect(outcome.error == "offstage: unknown option --threads; see `offstage sheet --help`\n")
        }
    }

    /// Keys of rows have no dashes.
    @Test func aKeyOfAnotherProgram() throws {
        try withFolder { folder in
            try folder.write("rows.jsonl", #"{"identifier": "a", "html": "<p>a", "dpi": 192}"# + "\n")
            let outcome = try Offstage.run("render", "--manifest", "rows.jsonl", "--out", "out", in: folder)
            #expect(
                outcome.error.contains(#"there is no key "dpi"; use scale: 1 is 96 device px an inch"#),
                "\(outcome.error)")
        }
    }

    @Test func aFileThatLooksLikeAnOption() throws {
        try withFolder { folder in
            try folder.write("-dash.html", row())
            let outcome = try Offstage.run("render", "-dash.html", in: folder)
            #expect(outcome.code == 2)
            #expect(outcome.error == "offstage: -dash.html is read as options; for the file, write ./-dash.html\n")
            #expect(try Offstage.run("render", "./-dash.html", "-q", in: folder).code == 0)
        }
    }
}
