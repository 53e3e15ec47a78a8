import Foundation
import PageSamples
import Testing

/// `offstage info`
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
            // What a terminal would obey is left out.
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
                    "offstage: cannot read d.pdf: No such file or directory; name a file that can be drawn, a folder of them, or -",
                ])
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
