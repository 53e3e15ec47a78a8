import Foundation
import Testing

/// `--results` and `--html`: reports of a whole run as files.
@Suite struct ResultFilesTests {
    private func writeInputs(_ folder: Folder) throws {
        try folder.write("in/good.html", row())
        try folder.write("in/lacks.html", "<img src='gone \"1\".png' alt='' width=10 height=10>")
        try folder.write("in/empty.html", " ")
        try folder.write("in/<b>&\"odd\" 100%?#.html", row("lime"))
    }

    @Test func resultsAreTheLinesOfJSON() throws {
        try withFolder { folder in
            try writeInputs(folder)
            let outcome = try Offstage.run(
                "render", "in", "--out", "out", "--json", "--results", "new/r.jsonl", in: folder)
            #expect(outcome.code == 1)
            #expect(try folder.data("new/r.jsonl") == outcome.output)
            #expect(try outcome.objects.count == 4)
            let quiet = try Offstage.run("render", "in", "--out", "out", "-q", "--results", "new/r.jsonl", in: folder)
            #expect(quiet.text == "")
            #expect(folder.files("new") == ["r.jsonl"])
        }
    }

    /// The program itself draws the page: the pictures are found, and a snippet's text is never treated as markup.
    @Test func aPageOfAllPictures() throws {
        try withFolder { folder in
            try writeInputs(folder)
            let outcome = try Offstage.run(
                "render", "in", "--out", "pages/out", "--html", "pages/all/index.html", "--also", "thumb:9x9", "-q",
                in: folder)
            #expect(outcome.code == 1)
            let page = try String(contentsOfFile: folder.path("pages/all/index.html"), encoding: .utf8)
            let order = [
                "3 pictures, 1 failed", ">empty<", ">lacks<", "&lt;b&gt;&amp;&quot;odd&quot; 100%?#<", ">good<",
            ]
            let places = order.map { page.range(of: $0)?.lowerBound }
            #expect(!places.contains(nil))
            #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted(), "failures first: \(places)")
            #expect(page.contains("in/empty.html: the document is empty; there is nothing to draw"))
            #expect(page.contains("gone &quot;1&quot;.png"))
            #expect(page.contains("400\u{A0}×\u{A0}40 · @1x · "))
            #expect(page.contains("src=\"../out/%3Cb%3E%26%22odd%22%20100%25%3F%23.png\""))
            #expect(page.contains("href=\"../out/good.thumb-9x9.png\""))
            #expect(!page.contains("<script"))
            #expect(page.count(of: "loading=\"lazy\"") == 3)

            let drawn = try Offstage.run(
                "render", "pages/all/index.html", "--base", "pages", "-o", "page.png", "--strict", in: folder)
            #expect(drawn.code == 0, "\(drawn.error)")
            #expect(try folder.picture("page.png").count(of: [0, 255, 0, 255]) > 1000)
        }
    }

    /// The page may be in the folder that is drawn: it is not treated as an input, and no document of the user is
    /// lost.
    @Test func aPageAmongTheInputs() throws {
        try withFolder { folder in
            try folder.write("in/a.html", row())
            for _ in 1...2 {
                let outcome = try Offstage.run(
                    "render", "in", "--out", "in", "--html", "in/index.html", "--json", in: folder)
                #expect(outcome.code == 0, "\(outcome.error)")
                #expect(try outcome.objects.map { $0["identifier"] as? String } == ["a"])
            }
            let before = try folder.data("in/a.html")
            let lost = try Offstage.run("render", "in", "--out", "out", "--html", "in/a.html", in: folder)
            #expect(lost.code == 2)
            #expect(
                lost.error == "offstage: in/a.html would be replaced by the results; choose another path for them\n")
            #expect(try folder.data("in/a.html") == before)
        }
    }

    /// The filters work without scripts: a picture of the page with another filter selected.
    @Test func filters() throws {
        try withFolder { folder in
            try writeInputs(folder)
            _ = try Offstage.run("render", "in", "--out", "out", "--html", "out/index.html", "-q", in: folder)
            let page = try String(contentsOfFile: folder.path("out/index.html"), encoding: .utf8)
            let failed = page.replacing(" checked", with: "").replacing("id=\"failed\"", with: "id=\"failed\" checked")
            try folder.write("out/failed.html", failed)
            for (name, green) in [("index", true), ("failed", false)] {
                _ = try Offstage.run("render", "out/\(name).html", "-o", "x.png", "-q", in: folder)
                let pixels = try folder.picture("x.png").count(of: [0, 255, 0, 255])
                #expect((pixels > 1000) == green)
            }
        }
    }

    @Test func wrongUse() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            try folder.write("rows.jsonl", #"{"identifier":"a","html":"x"}"#)
            try folder.make("place")
            mkfifo(folder.path("pipe"), 0o666)
            let before = folder.files()
            let cases: [([String], String)] = [
                (["a.html", "--results", ""], "--results needs the name of a file"),
                (["a.html", "--html", ""], "--html needs the name of a file"),
                (["a.html", "--results", "place"], "--results place is a folder; name a file"),
                (["a.html", "--html", "pipe"], "--html pipe is not a regular file; name one"),
                (
                    ["a.html", "--html", "x", "--results", "./x"],
                    "two of --results, --html and --depfile name the same file, x; use two files"
                ),
                (
                    ["a.html", "--html", "place/a.png"],
                    "place/a.png is the picture of a.html; choose another path for the results"
                ),
                (
                    ["a.html", "--html", "a.html"],
                    "a.html would be replaced by the results; choose another path for them"
                ),
                (
                    ["--manifest", "rows.jsonl", "--results", "./rows.jsonl"],
                    "rows.jsonl would be replaced by the results; choose another path for them"
                ),
                (
                    ["a.html", "--results", "a.html/x"],
                    "cannot create the folder a.html: Not a directory; choose another path for the results"
                ),
            ]
            for (arguments, message) in cases {
                let outcome = try Child([Offstage.path, "render", "--out", "place"] + arguments, folder: folder.path)
                    .wait()
                #expect(outcome.code == 2, "\(arguments)")
                #expect(outcome.error == "offstage: \(message)\n")
                #expect(folder.files() == before)
            }
        }
    }

    /// Files are complete or missing: a run that is stopped writes none.
    @Test func stopped() throws {
        try LongRun.with(["--results", "r.jsonl", "--html", "index.html"]) { run in
            kill(run.child.id, SIGINT)
            let outcome = try run.child.wait()
            #expect(outcome.code == 130)
            #expect(run.folder.files().filter { !$0.contains("/") } == [])
        }
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}
