import Foundation
import PageSamples
import Testing

/// Converting and listing annotations with `offstage convert`.
struct AnnotationConvertTests {
    /// Annotations in the middle of a page of 200 × 100 points.
    private static let part = #"{"x":0.25,"y":0.25,"width":0.5,"height":0.5}"#

    /// A file with only the required values.
    private static func sidecar(page: Int = 2) -> String {
        let red = #""color":{"red":255,"green":0,"blue":0}"#
        return """
            {"version":1,"pages":{"\(page)":[
            {"kind":"highlight","part":\(part),"marks":[\(part)],\(red),"identifier":"mark-1","author":"Ada","text":"Look"},
            {"kind":"note","part":{"x":0.9,"y":0.1,"width":0.05,"height":0.1},"text":"A note"}]}}
            """
    }

    private func withScore(_ body: (Folder) throws -> Void) throws {
        try withFolder { folder throws in
            try folder.write("score.pdf", TestPDF(pages: [.init(content: "q Q"), .init(content: "q Q")]).data)
            try folder.write("notes.json", Self.sidecar())
            try body(folder)
        }
    }

    private func convert(_ folder: Folder, _ arguments: String...) throws -> Outcome {
        try Offstage.run("convert", arguments: arguments, in: folder)
    }

    private func expectMark(_ folder: Folder, _ document: String) throws {
        let run = try Offstage.run(
            "render",
            arguments: [document, "--page", "2", "--annotations", "none", "--cache", "cache", "-q", "-o", "page.png"],
            in: folder)
        #expect(run.code == 0, "\(run.error)")
        let picture = try folder.picture("page.png")
        #expect(picture[133, 66] == [255, 0, 0, 255] && picture[20, 66] == [255, 255, 255, 255], "\(document)")
    }

    @Test func annotationsAreSavedInTheDocument() throws {
        try withScore { folder throws in
            let score = try folder.data("score.pdf")
            let run = try convert(folder, "score.pdf", "a.pdf", "--annotations", "notes.json")
            #expect(run.code == 0 && run.error.isEmpty, "\(run.error)")
            try expectMark(folder, "a.pdf")
            #expect(try folder.data("a.pdf").starts(with: score))
            // The file beside the document is the default, so the option needs no value.
            let none = try convert(folder, "score.pdf", "b.pdf")
            #expect(none.code == 2)
            #expect(
                none.error
                    == "offstage: score.pdf.annotations.json does not exist; name an annotation file: --annotations=FILE\n"
            )
            try folder.write("score.pdf.annotations.json", Self.sidecar())
            for arguments in [["score.pdf", "b.pdf"], ["--annotations", "score.pdf", "b.pdf"]] {
                #expect(try Offstage.run("convert", arguments: arguments, in: folder).code == 0)
                try expectMark(folder, "b.pdf")
            }
            let list = try Offstage.run("info", arguments: ["a.pdf", "--annotations", "--json"], in: folder)
            let found = try #require(try list.objects.first?["annotations"] as? [[String: Any]])
            #expect(found.map { $0["kind"] as? String } == ["highlight", "note"])
            #expect(found.map { $0["page"] as? Int } == [2, 2])
            #expect(found.map { $0["text"] as? String } == ["Look", "A note"])
            let lines = try Offstage.run("info", arguments: ["a.pdf", "--annotations"], in: folder).text
            #expect(lines.contains("\n  page 2, highlight") && lines.contains(": Look\n"), "\(lines)")
        }
    }

    @Test func annotationsComeOutAgain() throws {
        try withScore { folder throws in
            #expect(try convert(folder, "score.pdf", "a.pdf", "--annotations=notes.json").code == 0)
            #expect(try convert(folder, "a.pdf", "out.json").code == 0)
            #expect(try convert(folder, "a.pdf", "out.xfdf").code == 0)
            let xfdf = String(decoding: try folder.data("out.xfdf"), as: UTF8.self)
            #expect(
                xfdf.contains("<highlight page=\"1\"") && xfdf.contains("coords=\"50,75,150,75,50,25,150,25\""),
                "\(xfdf)")
            for file in ["out.json", "out.xfdf"] {
                #expect(try convert(folder, "score.pdf", "again.pdf", "--annotations", file).code == 0)
                try expectMark(folder, "again.pdf")
            }
            let bare = try convert(folder, "score.pdf", "none.json")
            #expect(
                bare.code == 1
                    && bare.error == "offstage: score.pdf: the document has no annotations; nothing was written\n")
            // For the conversion between formats, the document supplies its page boxes.
            #expect(try convert(folder, "out.xfdf", "b.json", "--document", "score.pdf").code == 0)
            #expect(try convert(folder, "b.json", "b.xfdf", "--document", "score.pdf").code == 0)
            #expect(try folder.data("b.xfdf").range(of: Data("50,75,150,75,50,25,150,25".utf8)) != nil)
            let lone = try convert(folder, "out.xfdf", "c.json")
            #expect(
                lone.code == 2
                    && lone.error
                        == "offstage: out.xfdf needs the page sizes of its document; name the document with --document\n"
            )
        }
    }

    @Test func annotationsAreDeletedAndChanged() throws {
        try withScore { folder throws in
            #expect(try convert(folder, "score.pdf", "a.pdf", "--annotations", "notes.json").code == 0)
            func list(_ document: String) throws -> [[String: Any]] {
                let run = try Offstage.run("info", arguments: [document, "--annotations", "--json"], in: folder)
                return try #require(try run.objects.first?["annotations"] as? [[String: Any]])
            }
            let names = try list("a.pdf").compactMap { $0["identifier"] as? String }
            #expect(names.count == 2 && names[0] == "mark-1", "\(names)")
            #expect(try list("a.pdf")[0]["author"] as? String == "Ada" && list("a.pdf")[0]["modified"] == nil)
            #expect(try convert(folder, "a.pdf", "b.pdf", "--remove-annotations", "mark-1").code == 0)
            #expect(try list("b.pdf").compactMap { $0["identifier"] as? String } == [names[1]])
            #expect(
                try convert(folder, "a.pdf", "c.pdf", "--remove-annotations", names.joined(separator: ",")).code == 0)
            #expect(try convert(folder, "a.pdf", "d.pdf", "--remove-annotations", "all").code == 0)
            #expect(try list("c.pdf").isEmpty && list("d.pdf").isEmpty)
            // An annotation with the same identifier as one in the document replaces it.
            let blue = Self.sidecar().replacing("255,\"green\":0,\"blue\":0", with: "0,\"green\":0,\"blue\":255")
            try folder.write("blue.json", blue)
            #expect(try convert(folder, "b.pdf", "e.pdf", "--annotations", "blue.json").code == 0)
            #expect(try convert(folder, "a.pdf", "f.pdf", "--annotations", "blue.json").code == 0)
            #expect(try list("f.pdf").count { $0["identifier"] as? String == "mark-1" } == 1)
            let missing = try convert(folder, "a.pdf", "g.pdf", "--remove-annotations", "none")
            #expect(missing.code == 1)
            #expect(
                missing.error
                    == "offstage: a.pdf has no annotation none; `offstage info --annotations` lists them\n")
        }
    }

    @Test func anEncryptedDocumentTakesItsPassword() throws {
        try withScore { folder throws in
            let encrypt = try Child(
                ["/usr/bin/qpdf", "--encrypt", "secret", "owner", "256", "--", "score.pdf", "locked.pdf"],
                folder: folder.path
            ).wait()
            #expect(encrypt.code == 0, "\(encrypt.error)")
            try folder.write("password", "secret\n")
            let refused = try convert(folder, "locked.pdf", "a.pdf", "--annotations", "notes.json")
            #expect(
                refused.code == 1
                    && refused.error
                        == "offstage: locked.pdf: the document is encrypted; give its password\n",
                "\(refused.error)")
            let run = try convert(
                folder, "locked.pdf", "a.pdf", "--annotations", "notes.json", "--password-file", "password")
            #expect(run.code == 0, "\(run.error)")
            for output in ["out.json", "out.xfdf"] {
                let read = try convert(folder, "a.pdf", output, "--password-file", "password")
                #expect(read.code == 0, "\(read.error)")
                #expect(try folder.data(output).range(of: Data("mark-1".utf8)) != nil)
            }
            let lines = try Offstage.run(
                "info", arguments: ["a.pdf", "--annotations", "--password-file", "password"], in: folder)
            #expect(lines.text.contains("page 2, highlight, mark-1, by Ada"), "\(lines.text)\(lines.error)")
            let ink = try convert(folder, "notes.xopp", "b.pdf", "--password-file", "password")
            #expect(ink.error == "offstage: --password-file requires a PDF document\n")
        }
    }

    @Test func noInputIsWrittenOver() throws {
        try withScore { folder throws in
            try FileManager.default.linkItem(atPath: folder.path("score.pdf"), toPath: folder.path("same.pdf"))
            let files = ["score.pdf", "notes.json"]
            let before = try files.map { try folder.data($0) }
            for arguments in [
                ["score.pdf", "same.pdf", "--annotations", "notes.json"],
                ["score.pdf", "score.pdf", "--annotations=notes.json"],
                ["notes.json", "notes.json", "--document", "score.pdf"],
            ] {
                let run = try Offstage.run("convert", arguments: arguments, in: folder)
                #expect(run.code == 2 && run.error.contains("was not changed; choose another output"), "\(run.error)")
                #expect(try files.map { try folder.data($0) } == before)
            }
            #expect(try convert(folder, "score.pdf", "score.pdf", "--annotations=notes.json", "--force").code == 0)
            #expect(try folder.data("score.pdf.original") == before[0])
            try expectMark(folder, "score.pdf")
        }
    }

    @Test(arguments: [
        (
            ["score.pdf", "a.pdf", "--annotations=notes.txt"],
            "--annotations takes a .json or .xfdf file, not 'notes.txt'"
        ),
        (
            ["score.pdf", "a.pdf", "--annotations", "notes.txt"],
            "convert takes one input and one output, but 3 names were given; --annotations takes a .json or .xfdf file"
        ),
        (["score.pdf", "a.xfdf", "--annotations", "notes.json"], "--annotations requires a PDF output"),
        (["score.pdf", "a.json", "--remove-annotations", "all"], "--remove-annotations requires a PDF output"),
        (
            ["score.pdf", "a.pdf", "--document", "b.pdf"],
            "--document requires a .json or .xfdf annotation file as input"
        ),
        (
            ["score.pdf", "a.pdf", "--remove-annotations", ""],
            "--remove-annotations takes all, or identifiers with commas between them"
        ),
        (
            ["notes.xopp", "a.pdf", "--annotations=notes.json"],
            "--annotations=notes.json requires a PDF document as input and as output; for ink, leave the file out"
        ),
        (
            ["notes.xfdf", "a.pdf"],
            "convert writes notes.xfdf as .json; to add it to a document, use: offstage convert DOCUMENT.pdf OUTPUT.pdf --annotations notes.xfdf"
        ),
    ])
    func wrongUse(arguments: [String], message: String) throws {
        try withScore { folder throws in
            let run = try Offstage.run("convert", arguments: arguments, in: folder)
            #expect(run.code == 2 && run.error == "offstage: \(message)\n", "\(run.error)")
        }
    }

    @Test(arguments: [
        ("notes.json", "[1", "notes.json: it is not valid JSON"),
        ("notes.json", "{}", "notes.json contains no annotations that this version can read"),
        ("notes.json", #"{"version":1,"pages":{"1":[{"kind":"ink"}]}}"#, "notes.json: pages.1[0].part is missing"),
        (
            "notes.json", #"{"version":1,"pages":{"1":[{"kind":"ink","part":{"x":0,"y":0,"width":1,"height":"1"}}]}}"#,
            "notes.json: pages.1[0].part.height has a value of the wrong type"
        ),
        ("notes.json", #"{"version":1,"pages":{"0":[]}}"#, "notes.json: the page is 0; the first page is 1"),
        (
            "notes.json", #"{"version":1,"pages":{"3":[{"kind":"note","part":{"x":0,"y":0,"width":1,"height":1}}]}}"#,
            "notes.json: there is no page 3; score.pdf has 2 pages"
        ),
        (
            "notes.xfdf", "<xfdf>\n<annots>\n<ink page=\"0\"/></annots></xfdf>",
            "notes.xfdf:3: inklist of ink is missing or not valid"
        ),
        (
            "notes.xfdf", "<!DOCTYPE a>\n<xfdf/>",
            "notes.xfdf:1: it has a document type declaration (DOCTYPE), which XFDF does not use; remove it"
        ),
        (
            "notes.xfdf", "<xfdf><annots><square page=\"2\" rect=\"0,0,9,9\"/></annots></xfdf>",
            "notes.xfdf: there is no page 3; the document has 2 pages"
        ),
    ])
    func aWrongFileOfAnnotations(name: String, text: String, message: String) throws {
        try withScore { folder throws in
            try folder.write(name, text)
            let run = try convert(folder, "score.pdf", "a.pdf", "--annotations", name)
            #expect(run.code == 1 && run.error.hasPrefix("offstage: \(message)"), "\(run.error)")
            #expect(!FileManager.default.fileExists(atPath: folder.path("a.pdf")))
        }
    }

    @Test func whatIsLeftOutIsNamed() throws {
        try withScore { folder throws in
            try folder.write(
                "notes.xfdf",
                "<xfdf><annots><stamp page=\"0\" rect=\"0,0,9,9\"/><square page=\"0\" rect=\"0,0,9,9\"/></annots></xfdf>"
            )
            let run = try convert(folder, "notes.xfdf", "a.json", "--document", "score.pdf")
            #expect(
                run.code == 0 && run.error == "offstage: notes.xfdf: left out: a stamp annotation, page 1\n",
                "\(run.error)")
        }
    }

    @Test func theSchemaDescribesFilesOfAnnotations() throws {
        try withScore { folder throws in
            #expect(try convert(folder, "score.pdf", "a.pdf", "--annotations=notes.json").code == 0)
            #expect(try convert(folder, "a.pdf", "out.json").code == 0)
            let line = Self.sidecar().replacing("\n", with: "")
            let good = [
                line, String(decoding: try folder.data("out.json"), as: UTF8.self).replacing("\n", with: ""),
                #"{"version":1}"#, #"{"version":1,"pages":{},"removed":{"1":["a"]}}"#,
                #"{"version":1,"pages":{"1":[{"kind":"ink","part":\#(Self.part),"strokes":[[{"x":0,"y":1}]],"pen":{"widths":[[1]],"opacity":9,"isHighlighter":true}}]}}"#,
            ]
            let bad = [
                "{}", #"{"version":2}"#, #"{"version":1,"pages":{"0":[]}}"#,
                #"{"version":1,"pages":{"1":[{"kind":"ink"}]}}"#,
                line.replacing("highlight", with: "stamp"), line.replacing("255", with: "256"),
            ]
            let valid = try Schema.annotations.errors(in: good + bad).map { $0 == nil }
            #expect(valid == good.map { _ in true } + bad.map { _ in false })
        }
    }
}
