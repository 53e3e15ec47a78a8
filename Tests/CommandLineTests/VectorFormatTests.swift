import Foundation
import Testing

/// `--format pdf` and `svg`: files that other programs, poppler and librsvg, can read.
@Suite struct VectorFormatTests {
    private static let html = """
        <!doctype html><meta charset=utf-8><style>body{margin:0;font:16px 'Noto Sans'}p{margin:0;height:30px}</style>
        <p>Grüße 日本 <a href="https://example.org/x">a link</a></p><p style="background:#0f0">second</p>
        """

    private func tool(_ arguments: [String], in folder: Folder) throws -> String {
        let outcome = try Child(arguments, folder: folder.path).wait()
        #expect(outcome.code == 0, "\(arguments) \(outcome.error)")
        return outcome.text
    }

    @Test func pdf() throws {
        try withFolder { folder in
            try folder.write("a.html", Self.html)
            let outcome = try Offstage.run("render", "a.html", "-o", "a.pdf", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            let info = try tool(["pdfinfo", "a.pdf"], in: folder)
            #expect(info.contains(/Pages: +1\n/) && info.contains(/Page size: +300 x 45 pts/), "\(info)")
            #expect(!info.contains("Date"), "\(info)")
            let text = try tool(["pdftotext", "a.pdf", "-"], in: folder)
            #expect(["Grüße", "日本", "a link", "second"].allSatisfy(text.contains), "\(text)")
            let fonts = try tool(["pdffonts", "a.pdf"], in: folder)
            #expect(fonts.contains(/NotoSans-Regular +CID TrueType +Identity-H +yes yes yes/), "\(fonts)")
            #expect(try tool(["pdfinfo", "-url", "a.pdf"], in: folder).contains("https://example.org/x"))
            #expect(try folder.data("a.pdf").count < 40_000)
            _ = try tool(["qpdf", "--check", "a.pdf"], in: folder)
        }
    }

    @Test func pagesOfAPaper() throws {
        try withFolder { folder in
            let rows = (0..<200).map { "<p>row \($0)</p>" }.joined()
            try folder.write("a.html", "<!doctype html>" + rows)
            for (spec, size) in [
                ("pdf:page=a4", "595.276 x 841.89 pts (A4)"), ("pdf:page=a5,landscape", "595.276 x 419.528 pts"),
                ("pdf:page=100x200,margin=0", "283.465 x 566.929 pts"),
                ("pdf:page=Letter,margin=10.5", "612 x 792 pts"),
            ] {
                #expect(
                    try Offstage.run("render", "a.html", "-o", "a.pdf", "--format", spec, in: folder).code == 0)
                let info = try tool(["pdfinfo", "a.pdf"], in: folder)
                #expect(info.contains("Page size:       \(size)"), "\(info)")
                #expect(!info.contains(/Pages: +1\n/))
                let text = try tool(["pdftotext", "a.pdf", "-"], in: folder)
                #expect(text.contains("row 0") && text.contains("row 199"))
            }
        }
    }

    @Test func svg() throws {
        try withFolder { folder in
            try folder.write("a.html", Self.html)
            let outcome = try Offstage.run("render", "a.html", "--out", "out", "--format", "svg", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            _ = try tool(["rsvg-convert", "out/a.svg", "-o", "a.png"], in: folder)
            #expect(try inspect("a.png", in: folder, "%w %h") == "400 60")
            #expect(try color("a.png", x: 300, y: 45, in: folder) == [0, 255, 0, 255])
            #expect(try color("a.png", x: 300, y: 10, in: folder) == [255, 255, 255, 255])
        }
    }

    /// Programs that read SVG would otherwise fill the outlines with black.
    @Test func emojiInAnSVGFileHaveTheirColours() throws {
        try withFolder { folder in
            let body = "<!doctype html><body style='margin:0;font:32px/40px sans-serif'>"
            try folder.write("a.html", body + "<p style='margin:0'>&#x1F7E5; a</p>")
            try folder.write("b.html", body + "<p style='margin:0'>a</p>")
            #expect(
                try Offstage.run("render", "a.html", "b.html", "--out", ".", "--format", "svg", in: folder).code == 0)
            _ = try tool(["rsvg-convert", "a.svg", "-o", "a.png"], in: folder)
            #expect(try inspect("a.png", in: folder, "%w %h") == "400 40")
            let red = try color("a.png", x: 18, y: 20, in: folder)
            #expect(red[0] > 180 && red[1] < 120 && red[2] < 120, "\(red)")
            #expect(!String(decoding: try folder.data("b.svg"), as: UTF8.self).contains("<image"))
        }
    }

    /// PDF and SVG files are made together with a pixel picture. The next run takes all files from the cache, and a
    /// third run makes the same bytes.
    @Test func besidePixelsAndKept() throws {
        try withFolder { folder in
            try folder.write("a.html", Self.html)
            let command = [Offstage.path, "render", "a.html", "--also", "pdf", "--also", "svg", "--json"]
            func run(_ out: String, _ options: [String]) throws -> (text: String, files: [Data]) {
                let outcome = try Child(command + ["--out", out] + options, folder: folder.path).wait()
                #expect(outcome.code == 0, "\(outcome.error)")
                #expect(folder.files(out) == ["a.pdf", "a.png", "a.svg"])
                return (outcome.text, try ["a.pdf", "a.svg"].map { try folder.data("\(out)/\($0)") })
            }
            let first = try run("one", ["--cache", "cache"])
            let second = try run("two", ["--cache", "cache"])
            #expect(!first.text.contains(#""kept":true"#) && second.text.contains(#""kept":true"#))
            #expect(second.files == first.files)
            #expect(try run("three", ["--no-cache"]).files == first.files)
        }
    }

    /// A PDF file's result has its number of pages, even beside pixels, from the cache and in parts; others have none.
    @Test func aResultHasTheNumberOfPages() throws {
        try withFolder { folder in
            try folder.write("a.html", "<!doctype html>" + String(repeating: "<p>row</p>", count: 100))
            let command = [Offstage.path, "render", "a.html", "--out", ".", "--cache", "cache", "--json"]
            for _ in 0..<2 {
                let alone = try Child(command + ["--format", "pdf:page=a5"], folder: folder.path).wait()
                let object = try #require(
                    try JSONSerialization.jsonObject(with: Data(alone.text.utf8)) as? [String: Any])
                let info = try tool(["pdfinfo", "a.pdf"], in: folder)
                let pages = try #require(object["pages"] as? Int)
                #expect(pages > 1 && info.contains("Pages:           \(pages)\n"), "\(info)")
                #expect(object["areas"] == nil && object["facts"] == nil)
                let beside = try Child(command + ["--also", "pdf", "--also", "svg"], folder: folder.path).wait()
                let all = try #require(try JSONSerialization.jsonObject(with: Data(beside.text.utf8)) as? [String: Any])
                let also = try #require(all["also"] as? [[String: Any]])
                #expect(
                    all["pages"] == nil && also[0]["pages"] as? Int == 1 && also[1]["pages"] == nil, "\(beside.text)")
            }
            let areas = try Child(command + ["--format", "pdf", "--areas"], folder: folder.path).wait().text
            #expect(areas.contains(#""areas":[]"#) && areas.contains(#""pages":1"#) && areas.contains(#""text":"row "#))
        }
    }

    @Test func languageAndTitle() throws {
        try withFolder { folder in
            for (html, title, language) in [
                ("<!doctype html><html lang=de-AT><title>Grüße \n 日本 &amp; (x)</title><p>a", "Grüße 日本 & (x)", "de-AT"),
                ("<!doctype html><p>a", nil, nil), ("<html lang='not a language'><title> </title>a", nil, nil),
            ] as [(String, String?, String?)] {
                try folder.write("a.html", "<meta charset=utf-8>" + html)
                for format in ["pdf", "pdf:page=a5"] {
                    #expect(
                        try Offstage.run("render", "a.html", "-o", "a.pdf", "--format", format, in: folder).code == 0)
                    let info = try tool(["pdfinfo", "a.pdf"], in: folder)
                    let found = info.split(separator: "\n").first { $0.hasPrefix("Title:") }
                    #expect(found.map { $0.dropFirst(6).trimmingCharacters(in: .whitespaces) } == title, "\(info)")
                    let json = try tool(["qpdf", "--json", "a.pdf"], in: folder)
                    #expect(json.contains("/Lang") == (language != nil))
                    if let language { #expect(json.contains(language)) }
                    _ = try tool(["qpdf", "--check", "a.pdf"], in: folder)
                }
            }
        }
    }

    /// Emoji are copied as the characters that were written, although each emoji is a single drawing.
    @Test func emojiOfSeveralCharactersCanBeCopied() throws {
        try withFolder { folder in
            let emoji = ["😀", "🇩🇪", "👨‍👩‍👧", "👍🏽", "1️⃣", "🏳️‍🌈", "❤️"]
            try folder.write("a.html", "<!doctype html><meta charset=utf-8><p>\(emoji.joined(separator: " x "))</p>")
            #expect(try Offstage.run("render", "a.html", "-o", "a.pdf", in: folder).code == 0)
            let text = try tool(["pdftotext", "a.pdf", "-"], in: folder)
            for one in emoji { #expect(text.contains(one), "\(one) in \(text)") }
            #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .privateUse }, "\(text)")
        }
    }

    /// cairo, which writes SVG, does not support blend modes, omits stripes, and misplaces masks.
    @Test(arguments: [
        "mix-blend-mode:multiply;background:#0ff",
        "background:linear-gradient(#0ff,#0ff),#ff0;background-blend-mode:multiply",
        "background:#0f0;mask:linear-gradient(#000,#000)",
        "background:repeating-linear-gradient(90deg,#0f0 0 30px,#00f 30px 60px)",
    ])
    func whatSVGCannotHoldIsPixels(style: String) throws {
        try withFolder { folder in
            let box = "<div style='height:40px;\(style)'></div>"
            try folder.write(
                "a.html", "<!doctype html><body style='margin:0'><div style='background:#ff0'>\(box)</div>")
            #expect(try Offstage.run("render", "a.html", "--out", ".", "--format", "svg", in: folder).code == 0)
            _ = try tool(["rsvg-convert", "a.svg", "-o", "a.png"], in: folder)
            let color = try color("a.png", x: 15, y: 20, in: folder)
            // A filter converts a gradient to pixels, and rounds values.
            #expect(color[0] <= 1 && color.dropFirst() == [255, 0, 255], "\(color)")
        }
    }

    @Test func columnsAreAWarning() throws {
        try withFolder { folder in
            try folder.write("a.html", "<div style='columns:2'><p>one<p>two</div>")
            let outcome = try Offstage.run("render", "a.html", "-o", "a.pdf", in: folder)
            #expect(outcome.code == 0)
            #expect(
                outcome.error.contains("columns merged into one, because WebKit does not print columns: 1 element"),
                "\(outcome.error)")
            #expect(try Offstage.run("render", "a.html", "-o", "b.pdf", "--strict", in: folder).code == 1)
            #expect(try Offstage.run("render", "a.html", "-o", "b.png", "--strict", in: folder).code == 0)
        }
    }

    /// Page scripts run in WebKit's sandbox, in which files cannot be written.
    @Test func withScriptsInTheSandbox() throws {
        try withFolder { folder in
            try folder.write(
                "a.html",
                "<!doctype html><p id=p></p><script>p.textContent = 'written by script'; console.log('a')</script>")
            // Console messages do not make a picture incomplete.
            let outcome = try Offstage.run("render", "a.html", "-o", "a.pdf", "--javascript", "--strict", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(try tool(["pdftotext", "a.pdf", "-"], in: folder).contains("written by script"))
        }
    }

    @Test(arguments: [
        ("pdf:page=b9", "page takes a3, a4, a5, a6, letter, legal, tabloid or WIDTHxHEIGHT in mm"),
        ("pdf:margin=3", "landscape and margin need page=…"),
        ("pdf:page=a6,margin=80", "a margin of 80 mm leaves no room on the page"),
        ("pdf:page=a4,margin=-1", "margin takes mm, 0 or more, not '-1'"),
        ("pdf:size=a4", "takes page, landscape and margin, not 'size'"),
        ("svg:x", "takes no options"),
    ])
    func wrongOptions(spec: String, message: String) throws {
        try withFolder { folder in
            try folder.write("a.html", Self.html)
            let outcome = try Offstage.run("render", "a.html", "--out", "out", "--format", spec, in: folder)
            #expect(outcome.code == 2)
            #expect(outcome.error.contains(message), "\(outcome.error)")
            let thumbnail = try Offstage.run("render", "a.html", "--out", "out", "--also", "thumb:9x9:pdf", in: folder)
            #expect(thumbnail.code == 2)
        }
    }
}
