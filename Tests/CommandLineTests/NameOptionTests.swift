import Foundation
import Testing

/// `--name`: file names from a pattern, and the conflicts that are reported before anything is drawn.
@Suite struct NameOptionTests {
    @Test func aPattern() throws {
        try withFolder { folder in
            try folder.write("in/a/b.html", "<p>x<p>y")
            let outcome = try Offstage.run(
                "render", "in", "--out", "out", "--name", "{scale}x/{id}@{scale}x{variant}.{ext}", "--scale", "1.5",
                "--also",
                "thumb:9x9", "--also", "jpeg", "--json", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(
                folder.files("out") == [
                    "1.5x/a/b@1.5x.jpg", "1.5x/a/b@1.5x.png", "1.5x/a/b@1.5x.thumb-9x9.png",
                ])
            #expect(try outcome.objects.first?["path"] as? String == "out/1.5x/a/b@1.5x.png")
            #expect(try outcome.objects.first?["identifier"] as? String == "a/b")
        }
    }

    @Test func parts() throws {
        try withFolder { folder in
            try folder.write("in/a.html", "<p>x<p>y")
            let outcome = try Offstage.run(
                "render", "in", "--out", "out", "--name", "{id}/p{part}.{ext}", "--selector", "p", "--each", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(folder.files("out") == ["a/p-1.png", "a/p-2.png"])
        }
    }

    /// The default is also a pattern.
    @Test func theDefault() throws {
        try withFolder { folder in
            try folder.write("a.html", "<p>x")
            for (place, options) in [("x", []), ("y", ["--name", "{id}{part}{variant}.{ext}"])] {
                let arguments = [
                    "render", "a.html", "--out", place, "--also", "thumb:9x9", "--selector", "p", "--each",
                ]
                #expect(try Child([Offstage.path] + arguments + options, folder: folder.path).wait().code == 0)
            }
            #expect(folder.files("x") == ["a-1.png", "a-1.thumb-9x9.png"])
            #expect(folder.files("x") == folder.files("y"))
        }
    }

    private static let known = "the placeholders are {id}, {part}, {scale}, {variant} and {ext}"
    private static let two = "put {variant} or {ext} into --name, or leave one --also out"

    @Test(arguments: [
        (["--name", "{id}.{extension}"], "--name has no {extension}; \(known)"),
        (["--name", "{}.png"], "--name has no {}; \(known)"),
        (["--name", "{id.png"], "--name {id.png: a brace is unmatched; \(known)"),
        (["--name", "id}.png"], "--name id}.png: a brace is unmatched; \(known)"),
        (["--name", "{id}{part}{part}"], "--name {id}{part}{part}: {part} can be used only once"),
        (["--name", ""], "--name takes a relative path below --out, without . and .., not ''"),
        (["--name", "../{id}"], "--name takes a relative path below --out, without . and .., not '../{id}'"),
        (["--name", "/{id}"], "--name takes a relative path below --out, without . and .., not '/{id}'"),
        (["--name", "{id}/"], "--name takes a relative path below --out, without . and .., not '{id}/'"),
        (
            ["--name", "x.{ext}"],
            "in/a.html and in/a@2x.html would both become out/x.png; rename one or render them into two folders"
        ),
        (["--name", "{id}", "--also", "webp"], "two files of in/a.html would both be out/a; \(two)"),
        (["--name", "{id}.{ext}", "--also", "thumb:9x9"], "two files of in/a.html would both be out/a.png; \(two)"),
        (
            ["--name", "{id}{variant}.{ext}", "--selector", "p", "--each"],
            "--each may give several pictures; put {part} into --name"
        ),
        (
            ["--name", "{id}\(String(repeating: "x", count: 251)).{ext}"],
            "the name of in/a.html's file would have more than 255 bytes; shorten it"
        ),
    ])
    func wrongUse(options: [String], message: String) throws {
        try withFolder { folder in
            try folder.write("in/a.html", row())
            try folder.write("in/a@2x.html", row())
            let outcome = try Child(
                [Offstage.path, "render", "in", "--out", "out"] + options, folder: folder.path
            ).wait()
            #expect(outcome.code == 2, "\(options)")
            #expect(outcome.error == "offstage: \(message)\n")
            #expect(folder.files("out") == [])
        }
    }

    @Test func aPatternForOneFile() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let outcome = try Offstage.run("render", "a.html", "-o", "x.png", "--name", "{id}", in: folder)
            #expect(outcome.code == 2)
            #expect(outcome.error == "offstage: --name requires --out\n")
        }
    }

    /// Rows whose files would replace each other, because of their own options or their parts' numbers.
    @Test(arguments: [
        (
            [#"{"identifier":"a","html":"","also":"thumb:9x9"}"#, #"{"identifier":"a.thumb-9x9","html":""}"#], [],
            #"rows.jsonl:1 "a" and rows.jsonl:2 "a.thumb-9x9" would both become out/a.thumb-9x9.png; "#
                + "rename one or render them into two folders"
        ),
        (
            [#"{"identifier":"a","html":"","selector":"p","each":true}"#, #"{"identifier":"a-12","html":""}"#], [],
            #"rows.jsonl:2 "a-12" has the name of a part of rows.jsonl:1 "a"; rename one"#
        ),
        (
            [#"{"identifier":"a@2x","html":""}"#, #"{"identifier":"a","html":"","scale":2}"#],
            ["--name", "{id}{variant}.{ext}", "--also", "png"],
            #"two files of rows.jsonl:1 "a@2x" would both be out/a@2x.png; \#(two)"#
        ),
        (
            [#"{"identifier":".5a","html":"","scale":1}"#, #"{"identifier":"a","html":"","scale":1.5}"#],
            ["--name", "{part}{scale}{id}"],
            #"rows.jsonl:1 ".5a" and rows.jsonl:2 "a" would both become out/1.5a; rename one or render them into two folders"#
        ),
        (
            [
                #"{"identifier":"b-3.thumb-9x9","html":""}"#,
                #"{"identifier":"b","html":"","selector":"p","each":true,"also":["thumb:9x9"]}"#,
            ], [],
            #"rows.jsonl:1 "b-3.thumb-9x9" has the name of a part of rows.jsonl:2 "b"; rename one"#
        ),
    ])
    func rowsThatClash(rows: [String], options: [String], message: String) throws {
        try withFolder { folder in
            try folder.write("rows.jsonl", rows.joined(separator: "\n"))
            let outcome = try Child(
                [Offstage.path, "render", "--manifest", "rows.jsonl", "--out", "out"] + options, folder: folder.path
            ).wait()
            #expect(outcome.code == 2, "\(rows)")
            #expect(outcome.error == "offstage: \(message)\n")
            #expect(folder.files() == ["rows.jsonl"])
        }
    }

    /// A symbolic link below the output folder is followed within that folder, but never out of it.
    @Test func linksThatLeadOut() throws {
        try withFolder { folder in
            try folder.write("other/old.png", "old")
            try folder.make("out/inside")
            symlink("inside", folder.path("out/in"))
            symlink("../other", folder.path("out/link"))
            symlink("../other/old.png", folder.path("out/file.png"))
            symlink("..", folder.path("out/up"))
            for identifier in ["link/a", "link/deep/a", "file", "up/a"] {
                try folder.write("rows.jsonl", "{\"identifier\": \"\(identifier)\", \"html\": \"x\"}")
                let outcome = try Offstage.run("render", "--manifest", "rows.jsonl", "--out", "out", in: folder)
                #expect(outcome.code == 2)
                #expect(
                    outcome.error
                        == "offstage: rows.jsonl:1 \"\(identifier)\": through a symbolic link, out/\(identifier).png is outside out; "
                        + "rename the row or the link\n"
                )
            }
            #expect(folder.files("other") == ["old.png"])
            try folder.write("rows.jsonl", "{\"identifier\": \"in/a\", \"html\": \"x\"}")
            #expect(try Offstage.run("render", "--manifest", "rows.jsonl", "--out", "out", in: folder).code == 0)
            #expect(folder.files("out/inside") == ["a.png"])
            // A part's number is known only when it is drawn.
            symlink("../../other/old.png", folder.path("out/inside/b-1.png"))
            try folder.write(
                "rows.jsonl", #"{"identifier": "in/b", "html": "<p>x<p>y", "selector": "p", "each": true}"#)
            let part = try Offstage.run("render", "--manifest", "rows.jsonl", "--out", "out", "-q", in: folder)
            #expect(part.code == 1)
            #expect(
                part.error
                    == "offstage: rows.jsonl:1 \"in/b\": through a symbolic link, out/in/b-1.png is outside out; "
                    + "rename the row or the link\n"
            )
            #expect(try folder.data("other/old.png") == Data("old".utf8))
            try folder.write("rows.jsonl", "{\"identifier\": \"in/a\", \"html\": \"x\"}")
            // The output folder itself may be a link.
            #expect(try Offstage.run("render", "--manifest", "rows.jsonl", "--out", "out/link", in: folder).code == 0)
            #expect(folder.files("other") == ["in/a.png", "old.png"])
        }
    }
}
