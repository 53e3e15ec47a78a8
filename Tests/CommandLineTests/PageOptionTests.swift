import Foundation
import PageSamples
import Testing

/// PDF documents at all front doors.
struct PageOptionTests {
    /// Pages of different colours; the second one has a black annotation in the middle.
    private var book: Data {
        let note = "<< /Type /Annot /Subtype /Square /Rect [80 30 120 70] /C [0 0 0] /IC [0 0 0] >>"
        let boxes = ["", "/Annots [\(note)]", ""].map { "/MediaBox [0 0 200 100] \($0)" }
        let colors = ["1 0 0", "0 1 0", "0 0 1"]
        return TestPDF(
            pages: zip(boxes, colors).map { .init(entries: $0, content: "\($1) rg 0 0 200 100 re f") }
        ).data
    }

    private func withBook(_ body: (Folder) throws -> Void) throws {
        try withFolder { folder throws in
            try folder.write("in/book.pdf", book)
            try body(folder)
        }
    }

    private func render(_ folder: Folder, _ arguments: String...) throws -> Outcome {
        try Offstage.run("render", arguments: arguments + ["--cache", "cache"], in: folder)
    }

    @Test func aDocumentIsItsFirstPage() throws {
        try withBook { folder throws in
            let run = try render(folder, "in/book.pdf", "--fit", "100x100", "--scale", "2", "-q")
            #expect(run.code == 0 && run.error.isEmpty, "\(run.error)")
            let picture = try folder.picture("book.png")
            #expect(picture.size == [200, 100] && picture.scale == 2)
            #expect(picture[50, 50] == [255, 0, 0, 255])
            #expect(try render(folder, "in/book.pdf", "--page", "3", "-q").code == 0)
            #expect(try folder.picture("book.png")[50, 50] == [0, 0, 255, 255])
        }
    }

    @Test func eachPageAndVariantIsAPictureOfItsOwn() throws {
        try withBook { folder throws in
            let arguments = ["--pages", "2,last", "--variant", "plain,annotated,thumbnail", "--out", "out", "--json"]
            let run = try Offstage.run("render", arguments: ["in"] + arguments + ["--cache", "cache"], in: folder)
            #expect(run.code == 0, "\(run.error)")
            let names = ["p002", "p003"].flatMap { page in
                ["plain", "annotated", "thumbnail"].map { "book/\(page).\($0)" }
            }
            #expect(try run.objects.map { $0["identifier"] as? String } == names)
            #expect(folder.files("out") == names.map { "\($0).png" }.sorted())
            #expect(try folder.picture("out/book/p002.plain.png")[133, 66] == [0, 255, 0, 255])
            #expect(try folder.picture("out/book/p002.annotated.png")[133, 66] == [0, 0, 0, 255])
            #expect(try folder.picture("out/book/p002.thumbnail.png").size == [256, 128])
            #expect(try folder.data("out/book/p003.plain.png") == folder.data("out/book/p003.annotated.png"))
            // Each one is in the cache.
            let again = try Offstage.run(
                "render",
                arguments: ["in/book.pdf", "--page", "2", "--variant", "plain", "--json", "--cache", "cache"],
                in: folder)
            #expect(try again.objects.first?["kept"] as? Bool == true)
            let reason = try Offstage.run(
                "cache", arguments: ["explain", "out/book/p002.plain.png", "--cache", "cache"], in: folder)
            #expect(reason.text.hasSuffix("out/book/p002.plain.png: kept; it would not be drawn again\n"))
        }
    }

    @Test func withoutAListOfPagesAVariantIsNamed() throws {
        try withBook { folder throws in
            #expect(try render(folder, "in", "--out", "out", "--variant", "plain,annotated", "-q").code == 0)
            #expect(folder.files("out") == ["book.annotated.png", "book.plain.png"])
        }
    }

    @Test func aRangeMeansThePagesThatExist() throws {
        try withBook { folder throws in
            #expect(try render(folder, "in", "--out", "out", "--pages", "2-9,1", "-q").code == 0)
            #expect(folder.files("out") == ["book/p001.png", "book/p002.png", "book/p003.png"])
            let run = try render(folder, "in/book.pdf", "--out", "other", "--pages", "7,3", "-q")
            #expect(run.code == 1)
            #expect(run.error == "offstage: in/book.pdf: there is no page 7; the document has 3 pages\n")
            #expect(folder.files("other") == ["book/p003.png"])
        }
    }

    @Test func aDocumentThatCannotBeReadFailsAlone() throws {
        try withBook { folder throws in
            try folder.write("in/bad.pdf", "hello")
            let run = try render(folder, "in", "--out", "out", "--pages", "all", "-q")
            #expect(run.code == 1)
            #expect(
                run.error == "offstage: in/bad.pdf: the document is not a PDF file, or too damaged to be read\n")
            #expect(folder.files("out").count == 3)
        }
    }

    @Test(arguments: [
        (["--pages", "x"], "--pages takes pages such as 3, 1-3, 5-, last or all, with commas between them, not 'x'"),
        (
            ["--pages", "3-1"],
            "--pages takes pages such as 3, 1-3, 5-, last or all, with commas between them, not '3-1'"
        ),
        (["--pages", ""], "--pages takes pages such as 3, 1-3, 5-, last or all, with commas between them, not ''"),
        (["--pages", "1", "--page", "1"], "--page and --pages cannot both be; use one"),
        (["--page", "0"], "--page takes a whole number from 1 to 100000, not '0'"),
        (
            ["--fit", "10"],
            "--fit takes a width and a height in CSS px such as 1024x768, each from 1 to 32767, not '10'"
        ),
        (["--rotate", "45"], "--rotate takes 0, 90, 180 or 270, not '45'"),
        (
            ["--clip", "1,2,3,0"],
            "--clip takes four numbers of CSS px such as 0,100,400,300, the last two more than 0, not '1,2,3,0'"
        ),
        (["--box", "page"], "--box takes crop, media, trim, bleed or art, not 'page'"),
        (
            ["--variant", "small"],
            "--variant takes some of plain, annotated and thumbnail, each once and with commas between them, not 'small'"
        ),
        (["--password-file", "no"], "--password-file: cannot read no: No such file or directory"),
    ]) func wrongUse(arguments: [String], message: String) throws {
        try withBook { folder throws in
            let run = try Offstage.run("render", arguments: ["in/book.pdf", "--out", "out"] + arguments, in: folder)
            #expect(run.code == 2 && run.error == "offstage: \(message)\n")
        }
    }

    @Test func rows() throws {
        try withBook { folder throws in
            try folder.write(
                "rows.jsonl",
                """
                {"identifier": "a", "file": "in/book.pdf", "page": 3, "fit": "100x100", "rotate": 90, "timeout": 5}
                {"identifier": "b", "file": "in/book.pdf", "page": 2, "variant": "plain", "clip": "0,0,10,20"}
                """)
            let run = try render(folder, "--manifest", "rows.jsonl", "--out", "out", "-q")
            #expect(run.code == 0, "\(run.error)")
            #expect(try folder.picture("out/a.png").size == [50, 100])
            #expect(try folder.picture("out/b.png").size == [10, 20])
            try folder.write("rows.jsonl", #"{"identifier": "a", "file": "in/book.pdf", "css": "a.css"}"#)
            let wrong = try render(folder, "--manifest", "rows.jsonl", "--out", "out", "-q")
            #expect(
                wrong.error
                    == "offstage: rows.jsonl:1 \"a\": \"css\" is not an option of the source pdf; leave it out\n")
        }
    }

    @Test func theServiceTakesDocuments() throws {
        try withFolder { folder throws in
            let service = try Service(in: folder)
            let answer = try service.draw(book, type: "application/pdf", "page=2&variant=plain&fit=100x100")
            #expect(answer.status == 200)
            #expect(try answer.picture.size == [100, 50])
            #expect(try answer.picture[50, 25] == [0, 255, 0, 255])
            let wrong = try service.draw(book, type: "application/pdf", "page=4")
            #expect(wrong.status == 422 && wrong.code == "page-out-of-range", "\(wrong.text)")
            #expect(try service.stop().code == 0)
        }
    }
}
