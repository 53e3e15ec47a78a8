import Foundation
import Testing

/// `--template` with `--data`: a page for each row of values.
@Suite struct TemplateOptionTests {
    private static let card = """
        <!doctype html><meta charset=latin1><style>body { margin: 0 } div { height: 20px } [title="<&>\\""] { background: red }
        </style><div title="__NAME__"></div>__{BODY}__
        """

    /// The engine sees escaped text as the original text, even in an attribute; raw HTML remains markup.
    @Test func textAndHTML() throws {
        try withFolder { folder in
            try folder.write("cards/card.html", Self.card)
            try folder.write(
                "cards/dot.svg",
                "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9' fill='blue'/></svg>"
            )
            try folder.write(
                "data.jsonl",
                #"""
                {"identifier": "a", "NAME": "<&>\"", "body": "<img src=dot.svg style='display:block'>"}

                {"identifier": "b/c", "name": "é", "Body": 7, "options": {"width": 50, "also": "webp"}}
                """#)
            let outcome = try Offstage.run(
                "render", "--template", "cards/card.html", "--data", "data.jsonl", "--out", "out", "--width", "60",
                "--json", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(try outcome.objects.map { $0["source"] as? String } == ["data.jsonl:1", "data.jsonl:3"])
            let first = try folder.picture("out/a.png")
            #expect(first.size == [60, 29])
            #expect(first[30, 10] == [255, 0, 0, 255])
            // The base is the template's own folder.
            #expect(first[4, 24] == [0, 0, 255, 255])
            let second = try folder.picture("out/b/c.png")
            #expect(second.width == 50)
            #expect(second[30, 10] == [255, 255, 255, 255])
            #expect(folder.files("out") == ["a.png", "b/c.png", "b/c.webp"])
        }
    }

    /// Two ways to get the same page give the same bytes. The template can use the identifier as a value.
    @Test func theSameBytesAsAFile() throws {
        try withFolder { folder in
            try folder.write("t.html", "<!doctype html><p>__IDENTIFIER__: __A__ __{A}__ __A__")
            try folder.write("a.html", "<!doctype html><meta charset=utf-8><p>a: __B__&lt;é __B__<é __B__&lt;é")
            try folder.write("data.jsonl", #"{"identifier": "a", "a": "__B__<é"}"#)
            let template = try Offstage.run(
                "render", "--template", "t.html", "--data", "-", "-o", "x.png", stdin: folder.data("data.jsonl"),
                in: folder)
            #expect(template.code == 0, "\(template.error)")
            #expect(try Offstage.run("render", "a.html", "-o", "y.png", in: folder).code == 0)
            #expect(try folder.data("x.png") == folder.data("y.png"))
        }
    }

    @Test(arguments: [
        (
            #"{"identifier": "a", "name": "x"}"#,
            #"data.jsonl:2 "a": there is no value for __BODY__; give one, or remove the token from the template"#
        ),
        (
            #"{"identifier": "a", "name": "x", "body": "", "bdy": ""}"#,
            #"data.jsonl:2 "a": the template has no __BDY__; remove the value, or add the token to the template"#
        ),
        (
            #"{"identifier": "a", "name": "x", "NAME": "y", "body": ""}"#,
            #"data.jsonl:2 "a": there are two values for __NAME__; use one"#
        ),
        (
            #"{"identifier": "a", "name": null, "body": ""}"#,
            #"data.jsonl:2 "a": "name" takes text, a number, true or false, not null"#
        ),
        (
            #"{"identifier": "a", "name": ["x"], "body": ""}"#,
            #"data.jsonl:2 "a": "name" takes text, a number, true or false, not a list"#
        ),
        (
            #"{"identifier": "a", "name": {}, "body": ""}"#,
            #"data.jsonl:2 "a": "name" takes text, a number, true or false, not an object"#
        ),
        (
            #"{"identifier": "a", "name": "", "body": "", "options": 1}"#,
            #"data.jsonl:2 "a": "options" takes an object, not a number"#
        ),
        (
            #"{"identifier": "a", "name": "", "body": "", "options": {"width": "x"}}"#,
            #"data.jsonl:2 "a": "width" takes a whole number or "fit", not "x""#
        ),
        (
            #"{"identifier": "a", "name": "", "body": "", "options": {"html": "x"}}"#,
            #"data.jsonl:2 "a": there is no key "html"; `offstage --print-schema manifest` lists them"#
        ),
        (
            #"{"identifier": "ok", "name": "", "body": ""}"#,
            #"data.jsonl:2: line 1 has the identifier "ok" too; rename one"#
        ),
        (
            #"{"identifier": "../a", "name": "", "body": ""}"#,
            #"data.jsonl:2: the identifier "../a" contains . or .. as a part of its path; remove it"#
        ),
        (#"{"name": "", "body": ""}"#, #"data.jsonl:2: there is no "identifier"; give each row a unique one"#),
        ("{", "data.jsonl:2: the line is not valid JSON; a row is a JSON object on one line"),
    ])
    func wrongRows(row: String, message: String) throws {
        try withFolder { folder in
            try folder.write("card.html", Self.card)
            try folder.write("data.jsonl", "{\"identifier\": \"ok\", \"name\": true, \"body\": 1.5}\n" + row)
            try expectRefusal(message, ["--template", "card.html"], in: folder)
        }
    }

    @Test func wrongTemplates() throws {
        try withFolder { folder in
            try folder.write("data.jsonl", #"{"identifier": "a", "BODY": ""}"#)
            try folder.write("latin1.html", Data([0x63, 0xE9]))
            try expectRefusal(
                "--template: cannot read none.html: No such file or directory", ["--template", "none.html"], in: folder)
            try expectRefusal(
                "--template latin1.html is not UTF-8; save it as UTF-8", ["--template", "latin1.html"], in: folder)
            try expectRefusal(
                "--template has no builtin:card; use builtin:presentation or a file",
                ["--template", "builtin:card"], in: folder)
        }
    }

    /// The built-in page also sets the picture's width and background, unless an option does.
    @Test func presentation() throws {
        try withFolder { folder in
            try folder.write(
                "data.jsonl",
                """
                {"identifier": "a", "body": "<p>x", "width": 150, "background_color": "#00f8", "LINE_HEIGHT": 2, "font": "serif"}
                {"identifier": "b", "body": "<p>x", "width": 150, "text_color": "red", "options": {"width": 90, "background": "lime"}}
                {"identifier": "c", "body": "<p>x"}
                """)
            let outcome = try Offstage.run(
                "render", "--template", "builtin:presentation", "--data", "data.jsonl", "--out", "out", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            let first = try folder.picture("out/a.png")
            #expect(first.size == [150, 32])
            #expect(first.hasAlpha)
            #expect(try folder.picture("out/b.png").size == [90, 22])
            #expect(try folder.picture("out/c.png").size == [400, 22])
        }
    }

    @Test(arguments: [
        (
            #""text_color": "redd""#,
            "__TEXT_COLOR__ takes a colour such as white, transparent, #1e90ff or rgba(0,0,0,0.5)"
        ),
        (#""width": "150px""#, "__WIDTH__ takes a whole number of CSS px from 1 to 32767"),
        (#""line_height": 0"#, "__LINE_HEIGHT__ takes a number from 0.5 to 10, a multiple of the font size"),
        (
            #""font": "a;b""#,
            "__FONT__ takes font families separated by commas, with only letters, digits, spaces, -, _ and . in their names"
        ),
        (#""color": "red""#, "the template has no __COLOR__; remove the value, or add the token to the template"),
    ])
    func presentationsThatCannotBe(value: String, message: String) throws {
        try withFolder { folder in
            try folder.write("data.jsonl", "{\"identifier\": \"a\", \"body\": \"\", \(value)}")
            try expectRefusal("data.jsonl:1 \"a\": \(message)", ["--template", "builtin:presentation"], in: folder)
        }
    }

    private func expectRefusal(_ message: String, _ template: [String], in folder: Folder) throws {
        let before = folder.files()
        let outcome = try Child(
            [Offstage.path, "render", "--data", "data.jsonl", "--out", "out"] + template, folder: folder.path
        ).wait()
        #expect(outcome.code == 2)
        #expect(outcome.error == "offstage: \(message)\n")
        #expect(folder.files() == before)
    }
}
