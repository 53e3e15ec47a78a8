import Foundation
import PageSamples
import Testing

/// PDF documents from all inputs.
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
            // Each page is in the cache.
            let again = try Offstage.run(
                "render",
                arguments: ["in/book.pdf", "--page", "2", "--variant", "plain", "--json", "--cache", "cache"],
                in: folder)
            #expect(try again.objects.first?["kept"] as? Bool == true)
            let reason = try Offstage.run(
                "cache", arguments: ["explain", "out/book/p002.plain.png", "--cache", "cache"], in: folder)
            #expect(reason.text.hasSuffix("out/book/p002.plain.png: cached; it would not be rendered again\n"))
        }
    }

    private func encrypt(_ file: String, to other: String, password: String, in folder: Folder) throws {
        let arguments = ["qpdf", "--encrypt", password, "owner", "256", "--", file, other]
        #expect(try Child(arguments, folder: folder.path).wait().code == 0)
    }

    /// With this code, a program can ask its user for the password.
    @Test func thePipeNamesAMissingPassword() throws {
        try withBook { folder throws in
            try encrypt("in/book.pdf", to: "secret.pdf", password: "secret", in: folder)
            try folder.write("wrong", "wrong")
            let pipe = try PipeProgram("--no-cache", in: folder)
            pipe.send(
                #"{"id": "a", "file": "secret.pdf", "inline": true}"#,
                #"{"id": "b", "file": "secret.pdf", "password-file": "wrong", "inline": true}"#)
            #expect(try pipe.result("a").object["code"] as? String == "password-required")
            #expect(try pipe.result("b").object["code"] as? String == "password-wrong")
            _ = try pipe.end()
        }
    }

    /// Some editors put a byte order mark at the start of a file.
    @Test func aPasswordFileMayHaveAByteOrderMark() throws {
        try withBook { folder throws in
            try encrypt("in/book.pdf", to: "secret.pdf", password: "pässword", in: folder)
            try folder.write("password", Data([0xEF, 0xBB, 0xBF]) + Data("pässword\r\n".utf8))
            let run = try render(folder, "secret.pdf", "--password-file", "password", "-q")
            #expect(run.code == 0 && run.error.isEmpty, "\(run.error)")
        }
    }

    @Test func layersAreShownAndHidden() throws {
        try withFolder { folder throws in
            let first = TestPDF.firstExtra()
            let properties = "/Resources << /Properties << /A \(first) 0 R /B \(first + 1) 0 R >> >>"
            let pdf = TestPDF(
                "/OC /A BDC 1 0 0 rg 0 0 100 100 re f EMC /OC /B BDC 0 0 1 rg 100 0 100 100 re f EMC",
                entries: "/MediaBox [0 0 200 100] \(properties)",
                catalog: "/OCProperties << /OCGs [\(first) 0 R \(first + 1) 0 R] /D << /OFF [\(first + 1) 0 R] >> >>",
                extra: ["<< /Type /OCG /Name (Fingerings) >>", "<< /Type /OCG /Name (Bowings) >>"])
            try folder.write("a.pdf", pdf.data)
            func colors(_ file: String) throws -> [[UInt8]] {
                let picture = try folder.picture(file)
                return [picture[50, 60], picture[200, 60]]
            }
            let (red, blue, white): ([UInt8], [UInt8], [UInt8]) = (
                [255, 0, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]
            )
            #expect(try render(folder, "a.pdf", "-q").code == 0)
            #expect(try colors("a.png") == [red, white])
            #expect(try render(folder, "a.pdf", "--layers", "Bowings,-Fingerings", "-q").code == 0)
            #expect(try colors("a.png") == [white, blue])
            #expect(try render(folder, "a.pdf", "--layers=-Fingerings", "-q").code == 0)
            #expect(try colors("a.png") == [white, white])
            try folder.write(
                "rows.jsonl",
                #"{"identifier": "row", "file": "a.pdf", "layers": "Bowings"}"# + "\n"
                    + #"{"identifier": "own", "file": "a.pdf", "layers": null}"#)
            let rows = try render(folder, "--manifest", "rows.jsonl", "--out", "out", "--layers", "-Fingerings", "-q")
            #expect(rows.code == 0, "\(rows.error)")
            #expect(try colors("out/row.png") == [red, blue] && colors("out/own.png") == [red, white])
            let run = try render(folder, "a.pdf", "--layers", "Dynamics", "-q")
            #expect(run.code == 1)
            #expect(
                run.errorLines == [
                    "offstage: a.pdf: the document has no layer named 'Dynamics'; offstage info FILE lists its layers"
                ])
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
        (
            ["--pages", "last-1"],
            "--pages takes pages such as 3, 1-3, 5-, last or all, with commas between them, not 'last-1'"
        ),
        (
            ["--layers", "A,,B"],
            "--layers takes names of layers with commas between them, each at most 200 bytes, not 'A,,B'"
        ),
        (["--pages", ""], "--pages takes pages such as 3, 1-3, 5-, last or all, with commas between them, not ''"),
        (["--pages", "1", "--page", "1"], "--page and --pages cannot be combined; use one"),
        (["--page", "0"], "--page takes a whole number from 1 to 1048576, not '0'"),
        (
            ["--fit", "10"],
            "--fit takes inside, contain, cover, fill, or a width and a height in CSS px such as 1024x768, each from 1 to 32767, not '10'"
        ),
        (["--rotate", "45"], "--rotate takes 0, 90, 180 or 270, not '45'"),
        (
            ["--clip", "1,2,3,0"],
            "--clip takes four numbers of CSS px such as 0,100,400,300, the last two more than 0, not '1,2,3,0'"
        ),
        (["--box", "page"], "--box takes crop, media, trim, bleed or art, not 'page'"),
        (
            ["--variant", "small"],
            "--variant takes one or more of plain, annotated and thumbnail, separated by commas, each only once, not 'small'"
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
