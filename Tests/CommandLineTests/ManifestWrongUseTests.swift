import Foundation
import Testing

/// Invalid manifests: exit code 2 and a message with the line and the key. Nothing is drawn or created.
@Suite struct ManifestWrongUseTests {
    @Test(arguments: [
        (#""width": "wide""#, #""width" takes a whole number or "fit", not "wide""#),
        (#""width": 12.5"#, #""width" takes a whole number or "fit", not 12.5"#),
        (#""width": "320""#, #""width" takes a whole number or "fit", not "320""#),
        (#""width": true"#, #""width" takes a whole number or "fit", not true"#),
        (#""width": [320]"#, #""width" takes a whole number or "fit", not a list"#),
        (#""width": 0"#, #""width" takes a whole number from 1 to 32767, or fit, not '0'"#),
        (#""scale": "2""#, #""scale" takes a number, not "2""#),
        (#""scale": 4"#, #""scale" takes a number from 0.25 to 3, not '4'"#),
        (#""timeout": -1"#, #""timeout" takes a number of more than 0 up to 86400, not '-1'"#),
        (#""trim": 1"#, #""trim" takes true or false, not 1"#),
        (#""trim": "yes""#, #""trim" takes true or false, not "yes""#),
        (#""selector": 1"#, #""selector" takes text, not 1"#),
        (#""selector": "a\u0000b""#, #""selector" takes text, not "a\u{0}b""#),
        (#""background": {}"#, #""background" takes text, not an object"#),
        (
            #""background": "redd""#,
            #""background" takes a colour such as white, transparent, #1e90ff or rgba(0,0,0,0.5), not 'redd'"#
        ),
        (#""base": "none""#, #""base" none is not a folder; give the folder that relative URLs refer to"#),
        (#""format": "jpg""#, #""format" takes png, jpeg, webp, raw, pdf, svg, dat, json or thumb:WxH, not 'jpg'"#),
        (#""also": ["webp", 1]"#, #""also" takes text, or a list of it, not 1"#),
        (
            #""also": ["webp", "gif"]"#,
            #""also" takes png, jpeg, webp, raw, pdf, svg, dat, json, thumb:WxH or a scale such as 2x, not 'gif'"#
        ),
        (#""each": true"#, #""each" requires --selector"#),
        (#""max-width": 9"#, #""max-width" requires --width fit"#),
        (#""min-height": 9, "max-height": 8"#, #""min-height" 9 is more than "max-height" 8; exchange them"#),
        (
            #""widht": 9"#, #"there is no key "widht"; did you mean width?"#
        ),
        (#""xyz": "x""#, #"there is no key "xyz"; `offstage --print-schema manifest` lists them"#),
        (#""file": "b.html""#, #""html" and "file" cannot be combined; use one"#),
    ])
    func options(keys: String, message: String) throws {
        try expectRefusal("{\"identifier\": \"b\", \"html\": \"x\", \(keys)}", message, of: "b")
    }

    @Test(arguments: [
        (#"{"identifier": "b"}"#, #"there is neither "html" nor "file"; give one of them"#),
        (#"{"identifier": "b", "html": null}"#, #""html" takes text, not null"#),
        (#"{"identifier": "b", "file": ["b.html"]}"#, #""file" takes text, not a list"#),
        (#"{"identifier": "b", "file": ""}"#, #""file" needs the path of a file, not """#),
        (#"{"html": "x"}"#, #"there is no "identifier"; give each row a unique one"#),
        (#"{"identifier": 7, "html": "x"}"#, #""identifier" takes text, not 7"#),
        (#"{"identifier": "a", "html": "x"}"#, #"line 1 has the identifier "a" too; rename one"#),
        (#"["b"]"#, "the line contains a list, not a JSON object"),
        (#""b""#, "the line contains text, not a JSON object"),
        (#"{"identifier": "b", "#, "the line is not valid JSON; a row is a JSON object on one line"),
        (#"{"identifier": "b"} x"#, "the line is not valid JSON; a row is a JSON object on one line"),
        (#"{identifier: "b"}"#, "the line is not valid JSON; a row is a JSON object on one line"),
    ])
    func rows(row: String, message: String) throws {
        let isNamed = message.contains("html") || message.contains("file")
        try expectRefusal(row, message, of: isNamed ? "b" : nil)
    }

    @Test func aTableIsForData() throws {
        try withFolder { folder in
            try folder.write("a.csv", "identifier,html\nx,A\n")
            let outcome = try Offstage.run("render", "--manifest", "a.csv", "--out", "out", in: folder)
            #expect(outcome.code == 2)
            #expect(
                outcome.error.contains(
                    "--manifest: a.csv is a table, not a file of JSON lines; to render a picture of each row, give "
                        + "--template=PAGE --data=a.csv"), "\(outcome.error)")
        }
    }

    /// An identifier is untrusted, and becomes a path.
    @Test(arguments: [
        ("../b", #""../b" contains . or .. as a part of its path; remove it"#),
        ("a/../../b", #""a/../../b" contains . or .. as a part of its path; remove it"#),
        ("..", #"".." contains . or .. as a part of its path; remove it"#),
        ("./b", #""./b" contains . or .. as a part of its path; remove it"#),
        ("/etc/b", #""/etc/b" begins with a slash, but names a path below --out; remove the slash"#),
        ("b/", #""b/" has an empty part between or after slashes; remove the extra slash"#),
        ("b//c", #""b//c" has an empty part between or after slashes; remove the extra slash"#),
        ("", #""" is empty; give it a name"#),
        (#"a\u0000b"#, #""a\u{0}b" contains a control character; leave it out"#),
        (#"a\nb"#, #""a\u{a}b" contains a control character; leave it out"#),
        (#"a\u001b[2J"#, #""a\u{1b}[2J" contains a control character; leave it out"#),
        (#"a\u009bb"#, #""a\u{9b}b" contains a control character; leave it out"#),
        (
            String(repeating: "é", count: 128),
            "\"\(String(repeating: "é", count: 80))…\" has a part of more than 255 bytes; shorten it"
        ),
    ])
    func identifiers(identifier: String, message: String) throws {
        try expectRefusal("{\"identifier\": \"\(identifier)\", \"html\": \"x\"}", "the identifier \(message)")
    }

    /// With its extension, a file name is longer than the identifier.
    @Test func aNameThatGetsTooLong() throws {
        let row = "{\"identifier\": \"\(String(repeating: "b", count: 252))\", \"html\": \"x\"}"
        let name = "rows.jsonl:1 \"\(String(repeating: "b", count: 80))…\""
        try expect("the name of \(name)'s file would have more than 255 bytes; shorten it", rows: Data(row.utf8))
    }

    @Test func notUTF8() throws {
        let row = Data(#"{"identifier": "b", "html": "caf"#.utf8) + [0xE9] + Data("\"}".utf8)
        try expect("rows.jsonl:1: the line is not UTF-8; save the file as UTF-8", rows: row)
    }

    @Test(arguments: ["", "\n", "\u{FEFF}", " \r\n\t\n"])
    func noRow(text: String) throws {
        try expect("rows.jsonl contains no row; a row is a JSON object on a line of its own", rows: Data(text.utf8))
    }

    @Test(arguments: [
        (["--manifest", "none.jsonl"], "--manifest: cannot read none.jsonl: No such file or directory"),
        (["--manifest", "."], "--manifest: cannot read .: Is a directory; name a file"),
        (
            ["--manifest", "rows.jsonl", "rows.jsonl"],
            "--manifest and files to draw cannot be combined; put the files into the manifest"
        ),
        (["--manifest", "rows.jsonl", "--template", "x"], "--manifest and --template cannot be combined; use one"),
        (["--manifest", "rows.jsonl", "--data", "x"], "--manifest and --template cannot be combined; use one"),
        (["--template", "x"], "--template needs --data FILE, the rows that go into it"),
        (["--data", "x"], "--data requires --template"),
        (["--data", "x", "--template", "y", "z"], "--template and files to draw cannot be combined; use one"),
        (["--manifest", "-", "--watch"], "--watch cannot watch standard input; name a file"),
        (["-", "--watch"], "--watch cannot watch standard input; name a file"),
        // A row cannot change the command line's own options.
        (
            ["--manifest", "rows.jsonl", "--width", "wide"],
            "--width takes a whole number from 1 to 32767, or fit, not 'wide'"
        ),
    ])
    func commandLines(arguments: [String], message: String) throws {
        try withFolder { folder in
            try folder.write("rows.jsonl", #"{"identifier": "a", "html": "x", "scale": 1}"#)
            try expect(message, arguments + ["--out", "out"], in: folder)
        }
    }

    /// Expects the refusal of a row that follows a valid one. The message must name the line, and the row's identifier
    /// if it has one.
    private func expectRefusal(_ row: String, _ message: String, of identifier: String? = nil) throws {
        let name = identifier.map { " \"\($0)\"" } ?? ""
        try expect(
            "rows.jsonl:3\(name): \(message)", rows: Data("{\"identifier\": \"a\", \"html\": \"x\"}\n\n\(row)\n".utf8))
    }

    private func expect(_ message: String, rows: Data) throws {
        try withFolder { folder in
            try folder.write("rows.jsonl", rows)
            try expect(message, ["--manifest", "rows.jsonl", "--out", "out"], in: folder)
        }
    }

    private func expect(_ message: String, _ arguments: [String], in folder: Folder) throws {
        let outcome = try Child([Offstage.path, "render"] + arguments, folder: folder.path).wait()
        #expect(outcome.code == 2, "\(arguments)")
        #expect(outcome.error == "offstage: \(message)\n")
        #expect(folder.files() == ["rows.jsonl"], "\(arguments) created something")
    }
}
