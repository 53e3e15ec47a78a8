import Foundation
import Testing

extension KnownBlock {
    static let ofReadme = [
        // CI runs these two commands, each of which builds the project.
        KnownBlock("README.md", "sh", "make run") { block in
            #expect(block.text == "make run")
            #expect(Document.named("README.md")?.parts.blocks[0].text == block.text)
        },
        KnownBlock("README.md", "sh", "make test") { block in
            #expect(block.text == "make test")
            #expect(Document.named("README.md")?.parts.blocks[1].text == block.text)
        },
        KnownBlock("README.md", "sh", #"PATH="$PWD/.build/release:$PATH""#) { block in
            #expect(block.text.components(separatedBy: "\n").count == 5)
            try withFolder { folder in
                try run(block.text, in: folder)
                #expect(try folder.picture("hello.png").width == 400)
                #expect(try folder.picture("page.png").width == 400)
                #expect(try folder.data("page.webp").starts(with: Data("RIFF".utf8)))
            }
        },
        make("docs/performance.md", "make bench"),
    ]

    @Sendable static func hello(_ program: String) throws {
        try withFolder { folder in
            let outcome = try Child([program], folder: folder.path).wait()
            #expect(outcome.code == 0, "\(outcome.error)")
            let picture = try folder.picture("hello.png")
            #expect(outcome.text == "\(picture.width) × \(picture.height) device px, warnings: []\n")
            #expect(picture.width == 640)
        }
    }

    static let ofCommandLine = [
        KnownBlock(
            "docs/command-line.md", "sh", "offstage render Snippets/assets/img --out thumbs --width 200 --format webp"
        ) {
            block in
            try withFolder { folder in
                let outcome = try run(block.text, in: folder)
                #expect(try outcome.objects.count == 25)
                #expect(folder.files("thumbs").count { $0.hasSuffix(".webp") } == 25)
                #expect(folder.files().contains("square.jpg"))
            }
        },
        KnownBlock(
            "docs/command-line.md", "sh",
            "offstage render song.wav --waveform bars --width 800 --height 120 --played 0.4 --out out"
        ) { block in
            try withFolder { folder in
                try folder.write("song.wav", Sound.wav(seconds: 4))
                let outcome = try run(block.text, in: folder)
                #expect(try outcome.objects.last?["kind"] as? String == "WAV")
                #expect(folder.files("out") == ["song.dat", "song.png"])
                #expect(folder.files().contains("part.svg"))
            }
        },
        KnownBlock("docs/command-line.md", "conf", "# ~/.config/offstage/offstage.conf") { block in
            try withFolder { folder in
                let place = String(block.text.split(separator: "\n")[0].dropFirst("# ~/".count))
                try folder.write(place, block.text)
                try folder.write("house.css", "p { height: 40px; margin: 0 } body { margin: 0 }")
                try folder.write("a.html", "<!doctype html><p>Hello")
                let outcome = try Child(
                    [Offstage.path, "render", "a.html"],
                    environment: ["OFFSTAGE_CONFIG": nil, "XDG_CONFIG_HOME": nil, "HOME": folder.path],
                    folder: folder.path
                ).wait()
                #expect(outcome.code == 0 && outcome.error == "")
                let picture = try folder.picture("a.png")
                #expect(picture.size == [800, 80])
            }
        },
        KnownBlock("docs/command-line.md", "sh", "offstage render Snippets --out out --scale 2") { block in
            try withFolder { folder in
                try run(block.text, in: folder)
                // The files that each line should create.
                let snippets = folder.files("Snippets").filter { $0.hasSuffix(".html") }
                #expect(folder.files("out").count == snippets.count)
                #expect(try folder.picture("chat.png").width == 320)
                #expect(try folder.picture("hello.png").width == 400)
                #expect(folder.files("labels").count > 1)
                #expect(try folder.picture("sheet.png").height > 1000)
                let results = try String(contentsOfFile: folder.path("results.jsonl"), encoding: .utf8)
                #expect(results.split(separator: "\n").count == snippets.count)
            }
        },
        KnownBlock("docs/command-line.md", "sh", "offstage render Snippets/invoice-german.html -o invoice.pdf") {
            block in
            try withFolder { folder in
                try run(block.text, in: folder)
                for name in ["invoice.pdf", "front.pdf", "out/invoice-german.pdf"] {
                    #expect(try folder.data(name).starts(with: Data("%PDF-".utf8)), "\(name)")
                }
                let snippets = folder.files("Snippets").filter { $0.hasSuffix(".html") }
                #expect(folder.files("out").count == 3 * snippets.count)
            }
        },
        // Two blocks start like this: the page that waits, and the template.
        KnownBlock("docs/command-line.md", "html", "<!doctype html>") { block in
            try withFolder { folder in
                try folder.write("a.html", block.text)
                let outcome = try Offstage.run(
                    "render", "a.html", "-o", "a.png", "--javascript", "--strict", in: folder)
                #expect(outcome.code == 0, "\(outcome.error)")
                #expect(try folder.picture("a.png").count(of: [0, 0, 0, 255]) == 200 * 60)
                // Without scripts, the page's request to wait is never ended, so it must be ignored.
                let plain = try Offstage.run("render", "a.html", "-o", "b.png", "--strict", in: folder)
                #expect(plain.code == 0, "\(plain.error)")
                #expect(try folder.picture("b.png").count(of: [0, 0, 0, 255]) == 0)
            }
        },
        part("docs/command-line.md", "jsonl", manifestLine, of: manyRows),
        part("docs/command-line.md", "html", "<!doctype html><!-- card.html -->", of: manyRows),
        part("docs/command-line.md", "jsonl", dataLine, of: manyRows),
        KnownBlock("docs/command-line.md", "sh", manyRows) { block in
            try withFolder { folder in
                let document = block.document
                try folder.write("rows.jsonl", text(document, "jsonl", manifestLine))
                try folder.write("card.html", text(document, "html", "<!doctype html><!-- card.html -->"))
                try folder.write("people.jsonl", text(document, "jsonl", dataLine))
                try run(block.text, in: folder)
                #expect(
                    folder.files("out") == [
                        "ada@2x.png", "bob@2x.png", "chat/greek.png", "chat/greek.thumb-120x120.png",
                        "chat/greek.webp", "cleo.png", "index.html", "status/open.png",
                    ])
                #expect(try folder.picture("out/ada@2x.png").width == 600)
            }
        },
        KnownBlock("docs/command-line.md", "sh", "offstage render Snippets --out out") { block in
            try withFolder { folder in
                let outcome = try run(block.text, in: folder)
                #expect(outcome.text.contains("chat-greek.png: cached; it would not be rendered again"))
                #expect(outcome.text.contains(" checked, 0 damaged"))
                #expect(outcome.text.contains("0 pictures removed"))
            }
        },
        KnownBlock("docs/command-line.md", "sh", "offstage pipe --out out <<'EOF' > results.jsonl") { block in
            try withFolder { folder in
                try run(block.text, in: folder)
                #expect(folder.files("out") == ["chat/1.png", "chat/1.webp", "greek.png"])
                let lines = try String(contentsOfFile: folder.path("results.jsonl"), encoding: .utf8)
                    .split(separator: "\n")
                #expect(try Schema.result.errors(in: lines.map(String.init)).allSatisfy { $0 == nil })
                #expect(lines.count == 4 && lines.last?.contains("finish") == true)
            }
        },
    ]

    private static let manyRows = "offstage render --manifest rows.jsonl --out out --html out/index.html"
    private static let manifestLine =
        ##"{"identifier": "status/open", "html": "<b>Open</b>", "width": "fit", "background": "#e6f4ea"}"##
    private static let dataLine =
        #"{"identifier": "ada", "name": "Ada <3", "points": 12, "note": "<em>well done</em>", "options": {"width": 300}}"#

    static let ofReports = [
        KnownBlock("docs/reports.md", "sh", figures) { block in
            try withFolder { folder in
                try run(block.text, in: folder)
                #expect(folder.files("figures") == ["chart-lines.png", "table-nutrition.png"])
                #expect(try folder.picture("figures/chart-lines.png").scale == 3)
                func kept(_ name: String) throws -> [Bool] {
                    try String(contentsOfFile: folder.path(name), encoding: .utf8).split(separator: "\n").map {
                        $0.contains(#""kept":true"#)
                    }
                }
                #expect(try kept("figures.jsonl") == [false, false])
                #expect(try kept("again.jsonl") == [true, true])
                #expect(
                    try String(contentsOfFile: folder.path("figures.d"), encoding: .utf8).contains("chart-lines.html"))
            }
        },
        part("docs/reports.md", "html", "<!doctype html>", of: rowsOfFigures),
        part("docs/reports.md", "jsonl", figureLine, of: rowsOfFigures),
        KnownBlock("docs/reports.md", "sh", rowsOfFigures) { block in
            try withFolder { folder in
                try folder.write("figure.html", text(block.document, "html", "<!doctype html>"))
                try folder.write("figures.jsonl", text(block.document, "jsonl", figureLine))
                try run(block.text, in: folder)
                #expect(folder.files("figures") == ["churn.png", "index.html", "revenue.png"])
                #expect(try folder.picture("figures/revenue.png").scale == 3)
            }
        },
        KnownBlock(
            "docs/reports.md", "sh", "offstage render Snippets/table-nutrition.html --out figures --also pdf --also svg"
        ) {
            block in
            try withFolder { folder in
                try run(block.text, in: folder)
                #expect(
                    folder.files("figures") == ["table-nutrition.pdf", "table-nutrition.png", "table-nutrition.svg"])
            }
        },
    ]

    private static let figures =
        "offstage render Snippets/table-nutrition.html Snippets/chart-lines.html --out figures --scale 3 "
        + "--depfile figures.d --results figures.jsonl"
    private static let rowsOfFigures =
        "offstage render --template figure.html --data figures.jsonl --out figures --width fit --scale 3 "
        + "--html figures/index.html"
    private static let figureLine = #"{"identifier": "revenue", "label": "Revenue", "value": "€ 1.2 m"}"#
}
