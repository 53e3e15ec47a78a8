import Foundation
import PageSamples
import Testing

/// The command `offstage info`.
struct InfoTests {
    private var book: Data {
        let first = TestPDF.firstExtra(pages: 2)
        var pdf = TestPDF(pages: [.init(), .init()])
        pdf.catalog = "/Outlines \(first) 0 R"
        pdf.extra = [
            "<< /Type /Outlines /First \(first + 1) 0 R /Last \(first + 1) 0 R /Count 1 >>",
            "<< /Title <FEFF004F006E0065009B00330031006D> /Parent \(first) 0 R /Dest [\(TestPDF.object(ofPage: 2)) 0 R /Fit] >>",
        ]
        return pdf.data
    }

    @Test func aDocumentIsDescribed() throws {
        try withFolder { folder throws in
            try folder.write("in/book.pdf", book)
            try folder.write("in/other.html", "<p>")
            let run = try Offstage.run("info", arguments: ["in"], in: folder)
            // Control characters are removed.
            #expect(
                run.text
                    == "in/book.pdf: PDF, 2 pages, 200 × 100 pt\n  One 31m, page 2\nin/other.html: HTML, UTF-8\n")
            #expect(run.code == 0 && run.error.isEmpty)
            let line = try Offstage.run("info", arguments: ["in/book.pdf", "--json"], in: folder)
            let object = try #require(try line.objects.first)
            #expect(object["source"] as? String == "in/book.pdf" && object["kind"] as? String == "pdf")
            #expect(object["pages"] as? Int == 2 && object["encrypted"] as? Bool == false)
            #expect((object["sizes"] as? [[String: Double]])?.last == ["width": 200, "height": 100])
            #expect((object["outline"] as? [[String: Any]])?.first?["page"] as? Int == 2)
        }
    }

    @Test func aNameIsPrintedWithoutWhatATerminalWouldObey() throws {
        try withFolder { folder throws in
            try folder.write("a\u{1B}]0;b.html", "<p>")
            let run = try Offstage.run("info", arguments: ["a\u{1B}]0;b.html"], in: folder)
            #expect(run.text == "a\\u{1b}]0;b.html: HTML, UTF-8\n")
        }
    }

    @Test func aDocumentThatCannotBeReadFailsAlone() throws {
        try withFolder { folder throws in
            try folder.write("a.pdf", "hello")
            try folder.write("b.pdf", book)
            try folder.write("c.html", "<p>")
            let run = try Offstage.run("info", arguments: ["a.pdf", "b.pdf", "c.html", "d.pdf", "--json"], in: folder)
            #expect(run.code == 1)
            #expect(try run.objects.map { $0["error"] == nil } == [false, true, true, false])
            #expect(
                run.errorLines == [
                    "offstage: a.pdf: the document is not a PDF file, or too damaged to be read",
                    "offstage: cannot read d.pdf: No such file or directory; name a file that Offstage renders, a folder of them, or -",
                ])
        }
    }

    // MARK: Text files

    private func text(_ lines: String...) -> Data {
        TestPDF(pages: lines.map { .init(content: "BT /F1 12 Tf 30 40 Td (\($0)) Tj ET") }).data
    }

    @Test func aTextIsFoundInDocuments() throws {
        try withFolder { folder throws in
            try folder.write("in/a.pdf", text("One Andante", "Allegro", "andante, then Andante"))
            try folder.write("in/b.pdf", text("Largo"))
            let run = try Offstage.run("info", arguments: ["in", "--find", "ANDANTE"], in: folder)
            #expect(run.code == 0 && run.error.isEmpty)
            let lines = run.text.split(separator: "\n").map(String.init)
            #expect(lines.count == 4 && lines[0] == "in/a.pdf: PDF, 3 pages, 200 × 100 pt")
            #expect(lines[1].hasPrefix("  page 1 at ") && lines[1].hasSuffix(": One Andante"))
            #expect(lines[3].hasPrefix("  page 3 at ") && lines[3].hasSuffix(": andante, then Andante"))
            let json = try Offstage.run("info", arguments: ["in", "--find", "andante", "--json"], in: folder)
            let matches = try json.objects.map { $0["matches"] as? [[String: Any]] ?? [] }
            #expect(matches.map(\.count) == [3, 0])
            #expect(matches[0].map { $0["page"] as? Int } == [1, 3, 3])
            let box = try #require((matches[0][1]["boxes"] as? [[String: Double]])?.first)
            // 30 points from the left, with its baseline 60 points from the top.
            #expect(abs(box["x"]! - 40) < 2 && abs(box["y"]! + box["height"]! - 80) < 3)
        }
    }

    @Test func aTextThatNoDocumentHasIsAFailure() throws {
        try withFolder { folder throws in
            try folder.write("a.pdf", text("One"))
            try folder.write("b.html", "<p>two")
            let run = try Offstage.run("info", arguments: ["a.pdf", "b.html", "--find", "two"], in: folder)
            #expect(run.code == 1 && run.text.isEmpty && run.error.isEmpty)
            let empty = try Offstage.run("info", arguments: ["a.pdf", "--find", " "], in: folder)
            #expect(empty.code == 2 && empty.error == "offstage: --find needs a text to find, not ' '\n")
        }
    }

    @Test func layersAreListed() throws {
        try withFolder { folder throws in
            let first = TestPDF.firstExtra()
            let pdf = TestPDF(
                catalog: "/OCProperties << /OCGs [\(first) 0 R \(first + 1) 0 R] /D << /OFF [\(first + 1) 0 R] >> >>",
                extra: ["<< /Type /OCG /Name (Fingerings) >>", "<< /Type /OCG /Name (Bowings) >>"])
            try folder.write("a.pdf", pdf.data)
            let run = try Offstage.run("info", arguments: ["a.pdf"], in: folder)
            #expect(run.text == "a.pdf: PDF, 1 page, 200 × 100 pt\n  layer: Fingerings\n  layer: Bowings (hidden)\n")
            let object = try #require(
                try Offstage.run("info", arguments: ["a.pdf", "--json"], in: folder).objects.first)
            let layers = object["layers"] as? [[String: Any]]
            #expect(layers?.map { $0["name"] as? String } == ["Fingerings", "Bowings"])
            #expect(layers?.map { $0["visible"] as? Bool } == [true, false])
        }
    }

    @Test func wrongUse() throws {
        try withFolder { folder throws in
            let none = try Offstage.run("info", arguments: [], in: folder)
            #expect(none.code == 2 && none.error == "offstage: info takes files or folders; name some\n")
            let input = try Offstage.run("info", arguments: ["-"], in: folder)
            #expect(input.code == 2)
        }
    }
}
