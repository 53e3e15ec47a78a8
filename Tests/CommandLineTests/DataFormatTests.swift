import Foundation
import Testing

/// `--data` as CSV and as a JSON array.
@Suite struct DataFormatTests {
    /// The same values give the same pictures, in every format.
    @Test func theSameRowsInEachForm() throws {
        try withFolder { folder in
            try folder.write("t.html", "<!doctype html><p title=\"__NOTE__\">__NAME__: __NOTE__")
            let forms = [
                "a.jsonl": #"""
                {"identifier": "x", "name": "Ada, \"the\" first", "note": "two\nlines"}
                {"identifier": "y/z", "name": "Bob;é", "note": ""}
                """#,
                "b.json": #"""
                [
                  {"identifier": "x", "name": "Ada, \"the\" first",
                   "note": "two\nlines"},

                  {"identifier": "y/z", "name": "Bob;é", "note": ""}
                ]
                """#,
                "c.csv":
                    "\u{FEFF}identifier,name,note\r\nx,\"Ada, \"\"the\"\" first\",\"two\nlines\"\r\n\r\ny/z,Bob;é,\r\n",
                "d.CSV": "note;identifier;name\n\"two\nlines\";x;\"Ada, \"\"the\"\" first\"\n;y/z;\"Bob;é\"",
            ]
            for (name, text) in forms {
                try folder.write(name, text)
                for data in [name, "-"] {
                    let run = try Offstage.run(
                        "render", "--template", "t.html", "--data", data, "--out", "out-\(name)-\(data)", "--save-html",
                        stdin: data == "-" ? folder.data(name) : Data(), in: folder)
                    #expect(run.code == 0, "\(name), \(data): \(run.error)")
                }
            }
            for name in ["x.html", "x.png", "y/z.html", "y/z.png"] {
                let wanted = try folder.data("out-a.jsonl-a.jsonl/\(name)")
                for form in forms.keys {
                    for data in [form, "-"] {
                        #expect(try folder.data("out-\(form)-\(data)/\(name)") == wanted, "\(form), \(data), \(name)")
                    }
                }
            }
            #expect(try String(decoding: folder.data("out-a.jsonl--/x.html"), as: UTF8.self).contains("two\nlines"))
        }
    }

    @Test func aRowIsWhereItBegins() throws {
        try withFolder { folder in
            try folder.write("t.html", "__A__")
            try folder.write("d.csv", "identifier,a\nx,\"1\n2\"\n\ny,3\n")
            let run = try Offstage.run(
                "render", "--template", "t.html", "--data", "d.csv", "--out", "out", "--json", in: folder)
            #expect(try run.objects.map { $0["source"] as? String } == ["d.csv:2", "d.csv:5"])
            let explained = try Offstage.run("cache", "explain", "out/x.png", in: folder)
            #expect(explained.text.contains("not in the cache"), "each run has a cache of its own here")
        }
    }

    @Test(arguments: [
        ("d.csv", "identifier,a\nx\n", "d.csv:2: the row has 1 fields, and the header has 2 names"),
        ("d.csv", "identifier,a,a\nx,1,2\n", #"d.csv: two columns are called "a"; rename one"#),
        ("d.csv", "identifier,,a\nx,1,2\n", "d.csv: column 2 has no name; name it in the first line"),
        ("d.csv", "identifier,a\n", "d.csv contains no row, only a header; add rows below it"),
        ("d.csv", "identifier,a\nx,\"1\n\n", "d.csv:2: a quoted field has no closing quote; add a \""),
        (
            "d.csv", "identifier,a\nx,\"1\"2\n",
            "d.csv:2: text follows a quoted field; write each quote inside a field twice"
        ),
        ("d.csv", "id,a\nx,1\n", #"d.csv:2: there is no "identifier"; rename "id" to "identifier""#),
        ("d.csv", "name,a\nx,1\n", #"d.csv:2: there is no "identifier"; give each row a unique one"#),
        (
            "d.csv", "identifier,a\n../x,1\n",
            #"d.csv:2: the identifier "../x" contains . or .. as a part of its path; remove it"#
        ),
        ("d.json", "[]", "d.json contains no row; a row is a JSON object in its array"),
        (
            "d.json", "[\n{\"identifier\": \"x\"},\n]",
            "d.json:3: not a JSON array of objects: an element is missing between two commas or at the end"
        ),
        ("d.json", "[{\"identifier\": \"x\"}", "d.json:1: not a JSON array of objects: it does not end; there is no ]"),
        (
            "d.json", "[{\"identifier\": \"x\"}]\n{}",
            "d.json:2: not a JSON array of objects: text follows the closing ]"
        ),
        ("d.json", "[1]", "d.json:1: the line contains a number, not a JSON object"),
    ])
    func wrongData(name: String, text: String, message: String) throws {
        try withFolder { folder in
            try folder.write("t.html", "__A__")
            try folder.write(name, text)
            let run = try Offstage.run("render", "--template", "t.html", "--data", name, "--out", "out", in: folder)
            #expect(run.code == 2)
            #expect(run.error == "offstage: \(message)\n")
            #expect(folder.files() == [name, "t.html"].sorted())
        }
    }
}
