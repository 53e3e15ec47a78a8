import Foundation
import Offstage
import PageSamples
import Testing

@testable import OffstagePages

/// Annotations that are saved into all forms of documents, as other programs read them.
struct SavedAnnotationTests {
    private static let red = PageAnnotation.Color(red: 255, green: 0, blue: 0)
    private static let fit = FitBox(width: 400, height: 400)
    private static let line = PageAnnotation.ink(
        [[.init(x: 0.125, y: 0.25), .init(x: 0.875, y: 0.25)]], color: red, width: 8)!
    private static let options = SavingOptions(modified: Date(timeIntervalSince1970: 1_700_000_000))

    private static var all: [PageAnnotation] {
        let mark = PagePart(x: 0.25, y: 0.25, width: 0.5, height: 0.125)
        let points = [
            PageAnnotation.Point(x: 0.1, y: 0.6), .init(x: 0.3, y: 0.7), .init(x: 0.2, y: 0.9),
        ]
        var text = PageAnnotation.text(.freeText, "Words, größer (1)\\", at: mark, color: red)!
        (text.fontSize, text.fontFamily, text.alignment, text.borderWidth) = (18, "serif", .center, 2)
        (text.fill, text.author, text.opacity) = (.init(red: 255, green: 255, blue: 0), "Jörg", 0.5)
        return [
            .mark(.highlight, [mark, PagePart(x: 0.25, y: 0.5, width: 0.25, height: 0.125)], text: "Look")!,
            .mark(.underline, [mark], color: red)!, .mark(.squiggly, [mark], color: red)!,
            .mark(.strikeOut, [mark], color: red)!, text, .text(.note, "A note 🎼", at: mark)!,
            .line(.line, Array(points.prefix(2)), color: red, width: 4)!,
            .line(.polygon, points, color: red, width: 2, fill: text.fill)!, .line(.polyLine, points, width: 3)!,
            .shape(.square, at: mark, color: red, width: 4, fill: text.fill)!,
            .shape(.circle, at: mark, color: red, width: 4)!, line,
            .ink([points], color: red, width: 6, pen: .init(opacity: 128, isHighlighter: true))!,
        ]
    }

    private static func file(_ annotations: [PageAnnotation], page: Int = 1) -> AnnotationFile {
        var file = AnnotationFile()
        for annotation in annotations { file.add(annotation, page: page) }
        return file
    }

    /// Runs a program on a document. Returns its output and exit code.
    private func run(_ program: String, _ arguments: [String], _ data: Data) throws -> (text: String, code: Int32) {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).pdf")
        defer { try? FileManager.default.removeItem(at: path) }
        try data.write(to: path)
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/\(program)")
        process.arguments = arguments.map { $0 == "FILE" ? path.path : $0 }
        (process.standardOutput, process.standardError) = (pipe, FileHandle.nullDevice)
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: output, as: UTF8.self), process.terminationStatus)
    }

    private func isSound(_ data: Data, password: String = "") throws -> Bool {
        try run("qpdf", ["--check", "--password=\(password)", "FILE"], data).code == 0
    }

    /// The document in another form, written by qpdf.
    private func qpdf(_ data: Data, _ arguments: String...) throws -> Data {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).pdf")
        defer { try? FileManager.default.removeItem(at: path) }
        #expect(try run("qpdf", arguments + ["FILE", path.path], data).code == 0)
        return try Data(contentsOf: path)
    }

    /// Every property is read back, whatever the page's rotation.
    @Test(arguments: [0, 90, 180, 270]) func whatIsSavedIsRead(rotation: Int) async throws {
        let document = TestPDF("q Q", entries: "/MediaBox [10 20 210 120] /Rotate \(rotation) /UserUnit 2").document
        try await withPages { engine async throws in
            let new = try await engine.saving(Self.file(Self.all), into: document, options: Self.options)
            #expect(try isSound(new.data))
            let found = try await engine.annotationFile(of: new)[1]
            #expect(found.count == Self.all.count)
            func isNear(_ a: PagePart, _ b: PagePart) -> Bool {
                max(abs(a.x - b.x), abs(a.y - b.y), abs(a.width - b.width), abs(a.height - b.height)) < 0.001
            }
            for (one, made) in zip(found, Self.all) {
                #expect(one.kind == made.kind && one.text == made.text && one.author == made.author)
                #expect(one.color == made.color && one.fill == made.fill && one.pen == made.pen, "\(one.kind)")
                #expect(abs(one.opacity - made.opacity) < 0.001 && abs(one.fontSize - made.fontSize) < 0.01)
                #expect(one.fontFamily == made.fontFamily && one.alignment == made.alignment)
                #expect(made.kind.isMark || made.kind == .freeText || abs(one.width - made.width) < 0.01, "\(one.kind)")
                #expect(made.kind != .freeText || one.borderWidth == made.borderWidth)
                #expect(one.identifier?.count == 32 && one.modified == Self.options.modified)
                #expect(one.marks.count == made.marks.count && zip(one.marks, made.marks).allSatisfy(isNear))
                #expect(one.strokes.map(\.count) == made.strokes.map(\.count))
            }
            #expect(Set(found.map(\.identifier)).count == found.count)
            // Saving what was read changes nothing, and the same save gives the same bytes.
            let again = try await engine.saving(engine.annotationFile(of: new), into: new, options: Self.options)
            #expect(again.data == new.data)
            let same = try await engine.saving(Self.file(Self.all), into: document, options: Self.options)
            #expect(same.data == new.data)
        }
    }

    /// The clock is not in the bytes: saving again on another day gives the same document.
    @Test func annotationsGetATimeOnlyFromTheCaller() async throws {
        try await withPages { engine async throws in
            let document = TestPDF("q Q").document
            let new = try await engine.saving(Self.file(Self.all), into: document)
            #expect(try await engine.annotationFile(of: new)[1].allSatisfy { $0.modified == nil })
        }
    }

    /// Marks follow the text as the page is shown, and line widths are in points.
    @Test(arguments: [0, 90, 180, 270]) func aSavedPageLooksLikeItsPicture(rotation: Int) async throws {
        let document = TestPDF("q Q", entries: "/MediaBox [0 0 200 200] /Rotate \(rotation) /UserUnit 2").document
        try await withPages { engine async throws in
            for annotation in Self.all {
                let new = try await engine.adding([annotation], to: document, page: 1)
                var drawn = DocumentPage(document, fit: Self.fit)
                drawn.annotations = PageAnnotations([annotation])
                let pixels = try await engine.pixels(drawn)
                #expect(
                    try await engine.pixels(DocumentPage(new, fit: Self.fit)).bytes == pixels.bytes,
                    "\(annotation.kind)")
                #expect(pixels.ink > 0.001, "\(annotation.kind)")
            }
            // A line of 8 points on a page of 400 points, drawn on 400 px.
            let line = try await engine.pixels(
                DocumentPage(engine.adding([Self.line], to: document, page: 1), fit: Self.fit))
            #expect(line.color(200, 103) == 0xFF0000 && line.color(200, 105) == 0xFFFFFF)
            #expect(line.color(200, 96) == 0xFF0000 && line.color(200, 94) == 0xFFFFFF)
            // Near the lower edge of the mark, from left to right.
            let under = try await engine.pixels(
                DocumentPage(engine.adding([Self.all[1]], to: document, page: 1), fit: Self.fit))
            for x in stride(from: 105, to: 295, by: 10) {
                #expect((146...150).contains { under.color(x, $0) != 0xFFFFFF }, "\(x)")
            }
        }
    }

    /// Documents with a cross-reference table, a cross-reference stream, both, bytes before the header, or a damaged
    /// table: other programs open the result, even after many saves.
    @Test(arguments: ["table", "stream", "linear", "before", "before, counted", "damaged"])
    func otherProgramsOpenTheResult(form: String) async throws {
        let plain = TestPDF(pages: [.init(content: TestPDF.redLeft), .init()]).data
        let document =
            switch form {
            case "stream": try qpdf(plain, "--object-streams=generate")
            case "linear": try qpdf(plain, "--linearize", "--object-streams=generate")
            case "before": Data("junk\r\n".utf8) + plain
            // A document whose offsets count from the file's first byte, not from the header.
            case "before, counted":
                Data(
                    String(decoding: plain, as: UTF8.self)
                        .replacing(#/(\d{10}) 00000 n/#) { String(format: "%010d 00000 n", Int($0.1)! + 4) }
                        .replacing(#/startxref\n(\d+)/#) { "startxref\n\(Int($0.1)! + 4)" }
                        .replacing(#/^%PDF/#) { _ in "abc\n%PDF" }.utf8)
            case "damaged":
                Data(String(decoding: plain, as: UTF8.self).replacing("startxref\n", with: "startxref\n9").utf8)
            default: plain
            }
        try await withPages { engine async throws in
            var current = PageDocument(document)
            for number in 1...5 {
                let next = try await engine.saving(Self.file([Self.line], page: 1 + number % 2), into: current)
                #expect(next.data.prefix(current.data.count) == current.data)
                if form != "before, counted" { #expect(try isSound(next.data), "\(number)") }
                current = next
            }
            #expect(try await engine.annotationFile(of: current).pages.mapValues(\.count) == [1: 2, 2: 3])
            // poppler finds the cross-reference table and all the pages.
            let (text, code) = try run("pdfinfo", ["FILE"], current.data)
            #expect(code == 0 && text.contains(#/Pages: +2/#))
            #expect(try await engine.pixels(DocumentPage(current, page: 2, fit: Self.fit)).color(200, 50) == 0xFF0000)
            // The list contains references, not dictionaries.
            #expect(String(decoding: current.data, as: UTF8.self).contains(#//Annots (\[\d+ 0 R|\d+ 0 R)/#))
        }
    }

    /// A save writes only changes, never the page's fonts and images.
    @Test func aLineAddsLittle() async throws {
        let picture = String(repeating: "0 0 1 rg ", count: 100_000)
        let document = PageDocument(try qpdf(TestPDF(picture).data, "--stream-data=uncompress"))
        try await withPages { engine async throws in
            var current = document
            for _ in 1...10 { current = try await engine.saving(Self.file([Self.line]), into: current) }
            #expect(current.data.count - document.data.count < 20_000)
            #expect(try await engine.annotations(of: current, page: 1).count == 10)
        }
    }

    @Test(arguments: ["40", "128 --use-aes=n", "128 --use-aes=y", "256"]) func encrypted(bits: String) async throws {
        let parts = bits.split(separator: " ").map(String.init)
        let weak = parts[0] == "256" || parts.contains("--use-aes=y") ? [] : ["--allow-weak-crypto"]
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).pdf")
        defer { try? FileManager.default.removeItem(at: path) }
        let arguments = weak + ["--encrypt", "user", "owner"] + parts + ["--", "FILE", path.path]
        #expect(try run("qpdf", arguments, TestPDF().data).code == 0)
        let document = PageDocument(try Data(contentsOf: path))
        try await withPages { engine async throws in
            await #expect(throws: PageFailure.passwordRequired.error) {
                try await engine.saving(Self.file(Self.all), into: document)
            }
            await #expect(throws: PageFailure.passwordWrong.error) {
                try await engine.saving(Self.file(Self.all), into: document, options: .init(password: "wrong"))
            }
            let new = try await engine.saving(Self.file(Self.all), into: document, options: .init(password: "user"))
            #expect(try isSound(new.data, password: "user"))
            #expect(new.data.range(of: Data("Look".utf8)) == nil)
            let found = try await engine.annotationFile(of: new, password: "user")[1]
            #expect(found.map(\.text) == Self.all.map(\.text))
            var request = DocumentPage(new, fit: Self.fit)
            request.password = "user"
            let pixels = try await engine.pixels(request)
            #expect(pixels.color(100, 50) == 0xFF0000)
            #expect(try run("pdftotext", ["-upw", "user", "FILE", "-"], new.data).code == 0)
        }
    }

    @Test func permissionsAndCertificatesAreRespected() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).pdf")
        defer { try? FileManager.default.removeItem(at: path) }
        let arguments = ["--encrypt", "", "owner", "256", "--modify=none", "--", "FILE", path.path]
        #expect(try run("qpdf", arguments, TestPDF().data).code == 0)
        let closed = PageDocument(try Data(contentsOf: path))
        func certified(_ entry: String) -> PageDocument {
            let number = TestPDF.firstExtra()
            return TestPDF(
                catalog: "/Perms << /DocMDP \(number) 0 R >>",
                extra: ["<< /Type /Sig /Reference [<< /TransformMethod /DocMDP /TransformParams << \(entry) >> >>] >>"]
            ).document
        }
        try await withPages { engine async throws in
            func problem(_ document: PageDocument, _ options: SavingOptions = .init()) async -> String? {
                do throws(DrawingError) {
                    let new = try await engine.saving(Self.file([Self.line]), into: document, options: options)
                    return new.data.count > document.data.count ? nil : "unchanged"
                } catch { return error.problemCode }
            }
            #expect(await problem(closed) == "annotations-forbidden")
            #expect(await problem(closed, .init(password: "owner")) == nil)
            #expect(await problem(closed, .init(isForced: true)) == nil)
            for entry in ["/P 1", "/P 2", ""] {
                #expect(await problem(certified(entry)) == "document-certified")
                #expect(await problem(certified(entry), .init(isForced: true)) == nil)
            }
            #expect(await problem(certified("/P 3")) == nil)
        }
    }

    /// Annotations are found by their identifier, even one that is made from the object number. Deleting a note also
    /// deletes its pop-up window.
    @Test func annotationsAreChangedAndDeleted() async throws {
        let first = TestPDF.firstExtra()
        let document = TestPDF(
            entries: "/MediaBox [0 0 200 100] /Annots [\(first) 0 R \(first + 1) 0 R \(first + 2) 0 R]",
            extra: [
                "<< /Type /Annot /Subtype /Text /Rect [10 10 30 30] /NM (one) /Contents (1) /Popup \(first + 1) 0 R >>",
                "<< /Type /Annot /Subtype /Popup /Rect [30 30 90 90] /Parent \(first) 0 R >>",
                "<< /Type /Annot /Subtype /Square /Rect [100 10 190 90] /C [0 0 1] /CA 0.5 /Subj (kept) >>",
            ]
        ).document
        try await withPages { engine async throws in
            var file = try await engine.annotationFile(of: document)
            #expect(file[1].map(\.identifier) == ["one", "object-\(first + 2)-0"])
            #expect(file[1][1].opacity == 0.5 && file[1][1].color == .init(red: 0, green: 0, blue: 255))
            var square = file[1][1]
            square.color = Self.red
            file = Self.file([square])
            file.removed = [1: ["one", "unknown"]]
            let saved = try await engine.saved(file, into: document)
            #expect(saved.warnings.map(\.problem) == [.identifierUnknown] && saved.warnings[0].page == 1)
            #expect(try isSound(saved.document.data))
            let left = try await engine.annotations(of: saved.document, page: 1)
            #expect(left.map(\.kind) == [.square] && left[0].color == Self.red && left[0].opacity == 0.5)
            #expect(left[0].identifier == "object-\(first + 2)-0")
            #expect(
                try run("qpdf", ["--qdf", "--object-streams=disable", "FILE", "-"], saved.document.data).text.contains(
                    "(kept)"))
            // A picture of the old document with the annotation file equals a picture of the new document.
            var drawn = DocumentPage(document, fit: Self.fit)
            var changed = AnnotationFile()
            changed.removed = [1: ["one"]]
            drawn.annotations = changed.annotations(ofPage: 1)
            let picture = try await engine.pixels(drawn)
            let other = try await engine.saving(changed, into: document)
            #expect(try await engine.pixels(DocumentPage(other, fit: Self.fit)).bytes == picture.bytes)
            #expect(try await engine.pixels(DocumentPage(document, fit: Self.fit)).bytes != picture.bytes)
        }
    }

    /// Everything that can be drawn can be saved.
    @Test func longAnnotationsAreSaved() async throws {
        let wave = (0..<60_000).map { PageAnnotation.Point(x: Double($0) / 60_000, y: $0 % 2 == 0 ? 0.4 : 0.6) }
        let dots = (0..<5_000).map { [PageAnnotation.Point(x: Double($0) / 5_000, y: 0.9)] }
        let widths = wave.indices.map { Double($0 % 5) }
        let long = String(repeating: "ß", count: 100_000)
        let many: [PageAnnotation] = [
            .ink([wave])!, .ink([wave], pen: .init(widths: [widths]))!, .ink(dots)!, .text(.note, long, at: .whole)!,
            .text(.freeText, long, at: .whole)!,
        ]
        try await withPages { engine async throws in
            let new = try await engine.adding(many, to: TestPDF().document, page: 1)
            let found = try await engine.annotations(of: new, page: 1)
            #expect(found.map { $0.strokes.reduce(0) { $0 + $1.count } } == [60_000, 60_000, 5_000, 0, 0])
            #expect(found[0].strokes.count == 1 && found[1].strokes.count == 1)
            #expect(found[1].pen?.widths == [widths])
            #expect(found[3].text == long && found[4].text == long)
            // Other programs cannot read an array of 100,000 numbers.
            let text = String(decoding: try qpdf(new.data, "--qdf", "--object-streams=disable"), as: UTF8.self)
            let lists = text.split(separator: "/InkList").dropFirst().flatMap {
                $0.prefix(while: { $0 != "/" }).split(separator: "[")
            }
            #expect(lists.allSatisfy { $0.split(whereSeparator: \.isWhitespace).count <= 40_001 })
            // Saving the same annotations again changes nothing.
            let again = try await engine.saving(engine.annotationFile(of: new), into: new)
            #expect(again.data == new.data)
            #expect(try isSound(new.data))
        }
    }

    /// If a page shares its list with other pages, it gets its own list.
    @Test func pagesWithOneListOfAnnotations() async throws {
        let list = TestPDF.firstExtra(pages: 2)
        let page = TestPDF.Page(entries: "/MediaBox [0 0 200 100] /Annots \(list) 0 R")
        var pdf = TestPDF(pages: [page, page])
        pdf.extra = ["[\(list + 1) 0 R]", "<< /Type /Annot /Subtype /Square /Rect [9 9 90 90] /NM (old) >>"]
        let document = pdf.document
        try await withPages { engine async throws in
            let new = try await engine.saving(Self.file([Self.line], page: 2), into: document)
            #expect(try isSound(new.data))
            #expect(
                try await engine.annotationFile(of: new).pages.mapValues { $0.map(\.kind) } == [
                    1: [.square], 2: [.square, .ink],
                ])
        }
    }

    /// A note's symbol is upright in all viewers, and in the same position when it is read again.
    @Test(arguments: [90, 180, 270]) func notesOnTurnedPages(rotation: Int) async throws {
        let document = TestPDF("q Q", entries: "/MediaBox [10 20 210 120] /Rotate \(rotation)").document
        let place = PagePart(x: 0.5, y: 0.25, width: 0.1, height: 0.1)
        try await withPages { engine async throws in
            let new = try await engine.adding([.text(.note, "A", at: place)!], to: document, page: 1)
            let found = try await engine.annotations(of: new, page: 1)[0].part
            #expect(abs(found.x - place.x) < 0.001 && abs(found.y - place.y) < 0.06, "\(found)")
            let text = try run("qpdf", ["--qdf", "--object-streams=disable", "FILE", "-"], new.data).text
            #expect(text.contains("/F 28") && text.contains(#/BBox \[\s*0\s+0\s/#))
        }
    }

    @Test func whatHasNoPointsIsLeftOutWithAWarning() async throws {
        var empty = Self.line
        empty.strokes = []
        let document = TestPDF().document
        try await withPages { engine async throws in
            let saved = try await engine.saved(Self.file([empty]), into: document)
            #expect(saved.warnings.map(\.problem) == [.empty] && saved.document.data == document.data)
        }
    }

    /// Changing an annotation that several pages share affects only the page in question.
    @Test(arguments: [true, false]) func anAnnotationOfSeveralPages(isOneList: Bool) async throws {
        let list = TestPDF.firstExtra(pages: 2)
        let page = TestPDF.Page(
            entries: "/MediaBox [0 0 200 100] /Annots \(isOneList ? "\(list) 0 R" : "[\(list + 1) 0 R]")")
        var pdf = TestPDF(pages: [page, page])
        pdf.extra = ["[\(list + 1) 0 R]", "<< /Type /Annot /Subtype /Square /Rect [9 9 90 90] /NM (old) >>"]
        let document = pdf.document
        try await withPages { engine async throws in
            var changed = try await engine.annotations(of: document, page: 2)[0]
            changed.color = Self.red
            let new = try await engine.saving(Self.file([changed], page: 2), into: document)
            #expect(try isSound(new.data))
            let found = try await engine.annotationFile(of: new)
            #expect(found[1].map(\.color.red) == [0] && found[2].map(\.color.red) == [255])
        }
    }

    /// Annotations that are stored directly in the page's list have their own identifiers. They are drawn once and
    /// saved once, and can be deleted.
    @Test func annotationsWithoutObjects() async throws {
        let square = "<< /Type /Annot /Subtype /Square /Rect [20 20 60 60] /C [1 0 0] /IC [1 0 0] >>"
        let document = TestPDF(entries: "/MediaBox [0 0 200 100] /Annots [\(square) \(square)]").document
        try await withPages { engine async throws in
            let file = try await engine.annotationFile(of: document)
            #expect(file[1].map(\.identifier) == ["index-0", "index-1"])
            #expect(try await engine.saving(file, into: document).data == document.data)
            var moved = file[1]
            for index in moved.indices { moved[index].part.x += 0.5 }
            var drawn = DocumentPage(document, fit: Self.fit)
            drawn.annotations = Self.file(moved).annotations(ofPage: 1)
            let pixels = try await engine.pixels(drawn)
            #expect(pixels.color(80, 120) == 0xFFFFFF && pixels.color(280, 120) == 0xFF0000)
            var without = AnnotationFile()
            without.removed = [1: ["index-0", "index-1"]]
            let saved = try await engine.saved(without, into: document)
            #expect(saved.warnings.isEmpty)
            #expect(try await engine.annotations(of: saved.document, page: 1).isEmpty)
        }
    }

    /// A line must have two points, and a polygon one stroke.
    @Test func linesWithOtherPointsAreLeftOut() async throws {
        let point = PageAnnotation.Point(x: 0.5, y: 0.5)
        var line = PageAnnotation.line(.line, [point, .init(x: 0.7, y: 0.5)])!
        var polygon = PageAnnotation.line(.polygon, [point, .init(x: 0.7, y: 0.5)])!
        let document = TestPDF().document
        try await withPages { engine async throws in
            for strokes in [[[point]], [[point, point, point]], [[point, point], [point, point]]] {
                line.strokes = strokes
                let saved = try await engine.saved(Self.file([line]), into: document)
                #expect(saved.warnings.map(\.problem) == [.empty] && saved.document.data == document.data)
            }
            polygon.strokes = [[point], [point]]
            #expect(try await engine.saved(Self.file([polygon]), into: document).warnings.map(\.problem) == [.empty])
        }
    }

    /// The largest numbers that the schema allows are preserved.
    @Test func theLargestSizesComeBack() async throws {
        var wide = Self.line
        wide.width = 1_000
        wide.pen = .init(widths: [[1_000, 5]])
        var text = PageAnnotation.text(.freeText, "A", at: .whole)!
        (text.fontSize, text.borderWidth) = (1_000, 1_000)
        try await withPages { engine async throws in
            let new = try await engine.adding([wide, text], to: TestPDF().document, page: 1)
            let found = try await engine.annotations(of: new, page: 1)
            #expect(found[0].width == 1_000 && found[0].pen?.widths == [[1_000, 5]])
            #expect(found[1].fontSize == 1_000 && found[1].borderWidth == 1_000)
        }
    }

    /// Deleting an annotation also deletes its replies.
    @Test func repliesAreDeletedWithTheirAnnotation() async throws {
        let first = TestPDF.firstExtra()
        let document = TestPDF(
            entries: "/MediaBox [0 0 200 100] /Annots [\(first) 0 R \(first + 1) 0 R \(first + 2) 0 R]",
            extra: [
                "<< /Type /Annot /Subtype /Text /Rect [10 10 30 30] /NM (one) >>",
                "<< /Type /Annot /Subtype /Text /Rect [10 10 30 30] /NM (two) /IRT \(first) 0 R >>",
                "<< /Type /Annot /Subtype /Text /Rect [10 10 30 30] /NM (three) /IRT \(first + 1) 0 R >>",
            ]
        ).document
        try await withPages { engine async throws in
            var file = AnnotationFile()
            // The replies may also be in the list of removed annotations.
            file.removed = [1: ["one", "two", "three"]]
            let saved = try await engine.saved(file, into: document)
            #expect(saved.warnings.isEmpty)
            #expect(try await engine.annotations(of: saved.document, page: 1).isEmpty)
        }
    }

    /// If two annotations have the same name, the second one is identified by its object number.
    @Test func namesThatAreThereTwice() async throws {
        let first = TestPDF.firstExtra()
        let square = "<< /Type /Annot /Subtype /Square /Rect [9 9 90 90] /NM (same) >>"
        let document = TestPDF(
            entries: "/MediaBox [0 0 200 100] /Annots [\(first) 0 R \(first + 1) 0 R]", extra: [square, square]
        ).document
        try await withPages { engine async throws in
            let file = try await engine.annotationFile(of: document)
            #expect(file[1].map(\.identifier) == ["same", "object-\(first + 1)-0"])
            #expect(try await engine.saving(file, into: document).data == document.data)
        }
    }

    /// An annotation without a name is drawn once if the file beside the document refers to it by its object number.
    @Test func aNamelessAnnotationIsReplacedInThePicture() async throws {
        let first = TestPDF.firstExtra()
        let document = TestPDF(
            entries: "/MediaBox [0 0 200 100] /Annots [\(first) 0 R]",
            extra: ["<< /Type /Annot /Subtype /Square /Rect [20 20 60 60] /C [1 0 0] /IC [1 0 0] >>"]
        ).document
        try await withPages { engine async throws in
            var file = try await engine.annotationFile(of: document)
            var moved = file[1][0]
            moved.part.x += 0.5
            file = Self.file([moved])
            var drawn = DocumentPage(document, fit: Self.fit)
            drawn.annotations = file.annotations(ofPage: 1)
            let pixels = try await engine.pixels(drawn)
            #expect(pixels.color(80, 120) == 0xFFFFFF && pixels.color(280, 120) == 0xFF0000)
        }
    }

    /// The CSS style takes precedence over the operators, and typewriter text has no box.
    @Test func freeTextsOfOtherPrograms() async throws {
        let first = TestPDF.firstExtra()
        let rest = "/Type /Annot /Subtype /FreeText /Rect [9 9 90 90] /Contents (x) /DA (/Helv 9 Tf 1 0 0 rg)"
        let document = TestPDF(
            entries: "/MediaBox [0 0 200 100] /Annots [\(first) 0 R \(first + 1) 0 R \(first + 2) 0 R]",
            extra: [
                "<< \(rest) /DS (font: bold 14pt 'Times New Roman', serif; color: #00FF00; text-align: center) /BS << /W 2 >> >>",
                "<< \(rest) /IT /FreeTextTypeWriter /Q 2 /DS (FONT: 16PX/1.2 'Courier New'; COLOR: #f00; TEXT-ALIGN: CENTER) >>",
                "<< \(rest) /DS (font-size:11.5pt;font-family:\"Georgia\") >>",
            ]
        ).document
        try await withPages { engine async throws in
            let found = try await engine.annotations(of: document, page: 1)
            #expect(found.map(\.fontFamily) == ["Times New Roman", "Courier New", "Georgia"])
            #expect(found.map(\.fontSize) == [14, 12, 11.5] && found.map(\.borderWidth) == [2, 0, 1])
            #expect(found.map(\.alignment) == [.center, .right, .left])
            #expect(found.map(\.color.green) == [255, 0, 0] && found.map(\.color.red) == [0, 255, 255])
        }
    }

    @Test func thoseOfAnotherKindAreLeftOutWithAWarning() async throws {
        let other = PageAnnotation(kind: .other, part: .whole)
        try await withPages { engine async throws in
            let document = TestPDF().document
            let saved = try await engine.saved(Self.file([other, Self.line]), into: document)
            #expect(saved.warnings.map(\.problem) == [.kindUnknown])
            #expect(try await engine.annotations(of: saved.document, page: 1).map(\.kind) == [.ink])
        }
    }
}
