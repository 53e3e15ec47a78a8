import Foundation
import Testing

/// Invalid command lines: exit code 2, one line with the problem and the remedy, and nothing is drawn or created.
@Suite struct WrongUseTests {
    @Test(arguments: [
        ([], "no command given; see `offstage --help`"),
        (["draw"], "there is no command 'draw'; see `offstage --help`"),
        (["rendr", "a.html"], "there is no command 'rendr'; did you mean render?"),
        (["--frob"], "unknown option --frob; see `offstage --help`"),
        (["--verison"], "unknown option --verison; did you mean --version?"),
        (["help", "dcotor"], "there is no command 'dcotor'; did you mean doctor?"),
        (["cache", "lst"], "cache has no action 'lst'; did you mean list?"),
        (
            ["--print-schema", "manifst"],
            "--print-schema takes manifest, request, command, result or annotations; did you mean manifest?"
        ),
        (["a.html"], "no command given; to render, type: offstage render a.html"),
        (["a.html", "--css", "it's"], #"no command given; to render, type: offstage render a.html --css 'it'\''s'"#),
        (["-"], "no command given; to render, type: offstage render - -o picture.png"),
        (["."], "no command given; to render, type: offstage render . --out out"),
        (["--out", "out", "a.html"], "no command given; to render, type: offstage render --out out a.html"),
        (["https://example.org/"], url), (["render", "https://example.org/"], url),
        (["render", "a.html", "HTTP://example.org/", "--out", "out"], url),
        (["render", "a.html", "--widht", "9"], "unknown option --widht; did you mean --width?"),
        (["render", "a.html", "--max-elem", "9"], "unknown option --max-elem; did you mean --max-elements?"),
        (["render", "a.html", "-width", "9"], "unknown option -width; did you mean --width?"),
        (["render", "a.html", "-O", "x.png"], "unknown option -O; did you mean -o?"),
        (["render", "a.html", "-x"], "unknown option -x; see `offstage render --help`"),
        (["render", "a.html", "--javascript=no"], alone("javascript", "no")),
        (["render", "--strict=", "a.html"], alone("strict", "")),
        (["serve", "--allow-javascript=0"], alone("allow-javascript", "0")),
        (["render", "--xyzzy", "a.html"], "unknown option --xyzzy; see `offstage render --help`"),
        (["sheet", "--frob", "in"], "unknown option --frob; see `offstage sheet --help`"),
        (["render", "a.html", "--out"], "--out needs a value, FOLDER; see `offstage render --help`"),
        (["render", "a.html", "-o"], "-o needs a value, FILE; see `offstage render --help`"),
        (["render", "--out", "out"], "no input given; name a file, a folder of files, or - for standard input"),
        (["render", "."], "no output given; use --out FOLDER, or -o FILE for one picture"),
        (["render", "-"], "no output given; use --out FOLDER, or -o FILE for one picture"),
        (["render", "a.html", "a.html"], "no output given; use --out FOLDER, or -o FILE for one picture"),
        (
            ["render", "a.html", "--selector", "p", "--each"],
            "no output given; use --out FOLDER, or -o FILE for one picture"
        ),
        (["render", "a.html", "--out", "out", "-o", "x.png"], "--out and -o cannot be combined; use one"),
        (["render", "a.html", "--json", "-o", "-"], "--json and -o - both need standard output; use one"),
        (["render", "-", "-", "--out", "out"], "standard input (-) can be rendered only once"),
        (["render", "a.html", "--out", ""], "--out needs the name of a folder; . is the working folder"),
        (["render", "a.html", "-o", ""], "-o needs the name of a file; - is standard output"),
        (["sheet", "in", "-o", ""], "sheet writes a file; name one, such as -o sheet.png"),
        (["sheet", "in", "-o", "-"], "sheet writes a file; name one, such as -o sheet.png"),
        (["sheet", "in"], "no output given; use -o FILE"),
        (["sheet", "-o", "sheet.png"], "name one folder of pictures"),
        (["sheet", "in", "in", "-o", "sheet.png"], "name one folder of pictures"),
    ])
    func commandLine(arguments: [String], message: String) throws {
        try expectRefusal(arguments, message)
    }

    @Test(arguments: ["0", "32768", "12.5", "4px", ""])
    func lengths(value: String) throws {
        for option in ["width", "height", "viewport-height"] {
            try expectRefusal(
                ["render", "a.html", "--out", "out", "--\(option)=\(value)"],
                "--\(option) takes a whole number from 1 to 32767\(option == "width" ? ", or fit" : ""), not '\(value)'"
            )
        }
    }

    @Test(arguments: ["0", "-1", "nan", "86401", "1s"])
    func timeouts(value: String) throws {
        try expectRefusal(
            ["render", "a.html", "--out", "out", "--timeout=\(value)"],
            "--timeout takes a number of more than 0 up to 86400, not '\(value)'")
    }

    @Test(arguments: ["0", "65", "two"])
    func jobs(value: String) throws {
        try expectRefusal(
            ["render", "a.html", "--out", "out", "-j", value],
            "--jobs takes a whole number from 1 to 64, not '\(value)'")
    }

    @Test(arguments: ["0", "101", "x"])
    func columns(value: String) throws {
        try expectRefusal(
            ["sheet", "in", "-o", "sheet.png", "--columns", value],
            "--columns takes a whole number from 1 to 100, not '\(value)'")
    }

    @Test(arguments: ["0", "0.2", "3.5", "2x", "nan"])
    func scales(value: String) throws {
        for command in [["render", "a.html"], ["sheet", "in"]] {
            try expectRefusal(
                command + ["-o", "x.png", "--scale", value], "--scale takes a number from 0.25 to 3, not '\(value)'")
        }
    }

    @Test(arguments: ["reddish", "#ff", "#ggg", "#+fff", "#-0000000", "rgba(1,2)", ""])
    func colors(value: String) throws {
        try expectRefusal(
            ["render", "a.html", "--out", "out", "--background=\(value)"],
            "--background takes a colour such as white, transparent, #1e90ff or rgba(0,0,0,0.5), not '\(value)'")
    }

    /// An option's value is never mistaken for a switch, and single-letter switches can be combined.
    @Test func wordsOfACommandLine() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            try folder.write("-b.html", row())
            let outcome = try Offstage.run(
                "render", "-qj2", "--css", "--javascript=no", "-oa.png", "a.html", in: folder)
            #expect(outcome.code == 2)
            #expect(outcome.error.hasPrefix("offstage: --css: cannot"), "\(outcome.error)")
            let other = try Offstage.run("render", "-qj2", "-oc.png", "--", "-b.html", in: folder)
            #expect(other.code == 0, "\(other.error)")
            #expect(folder.files() == ["-b.html", "a.html", "c.png"])
        }
    }

    private static let url =
        "Offstage does not open URLs; download the page first: curl -sL URL | offstage render - -o page.png"

    private static func alone(_ option: String, _ value: String) -> String {
        "--\(option) takes no value, and there is '=\(value)'; write --\(option) alone to turn it on, or leave it out"
    }

    private func expectRefusal(_ arguments: [String], _ message: String) throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let outcome = try Child([Offstage.path] + arguments, folder: folder.path).wait()
            #expect(outcome.code == 2, "\(arguments)")
            #expect(outcome.error == "offstage: \(message)\n")
            #expect(outcome.text == "")
            #expect(folder.files() == ["a.html"], "\(arguments) created something")
        }
    }
}
