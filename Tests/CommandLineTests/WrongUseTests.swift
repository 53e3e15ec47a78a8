import Foundation
import Testing

/// A command line that asks for what cannot be: exit code 2, one line that says what is wrong and what would be right,
/// and nothing is drawn or created.
@Suite struct WrongUseTests {
    @Test(arguments: [
        ([], "say what to do; `offstage --help` tells what there is"),
        (["draw"], "there is no command 'draw'; `offstage --help` tells what there is"),
        (["--frob"], "there is no command '--frob'; `offstage --help` tells what there is"),
        (["render", "--frob", "a.html"], "unknown option --frob; see `offstage render --help`"),
        (["sheet", "--frob", "in"], "unknown option --frob; see `offstage sheet --help`"),
        (["render", "a.html", "--out"], "missing argument for --out; see `offstage render --help`"),
        (["render", "a.html", "-o"], "missing argument for -o; see `offstage render --help`"),
        (["render", "--out", "out"], "say what to draw: an HTML file, a folder of them, or - for standard input"),
        (["render", "a.html"], "say where to put it: --out FOLDER, or -o FILE for one picture"),
        (["render", "a.html", "--out", "out", "-o", "x.png"], "--out and -o cannot both be; use one"),
        (["render", "a.html", "--json", "-o", "-"], "--json and -o - both need standard output; use one"),
        (["render", "-", "-", "--out", "out"], "standard input, -, can be drawn once only"),
        (["render", "a.html", "--out", ""], "--out needs the name of a folder; . is the working folder"),
        (["render", "a.html", "-o", ""], "-o needs the name of a file; - is standard output"),
        (["sheet", "in", "-o", ""], "-o needs the name of a file"),
        (["sheet", "in"], "say where to put it: -o FILE"),
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
                "--\(option) takes a whole number from 1 to 32767, not '\(value)'")
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
