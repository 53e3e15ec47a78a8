import Foundation
import Offstage
import PageSamples
import Testing

@testable import OffstagePages

/// Annotations that Offstage makes, lists, and stores beside the document.
struct AnnotationTests {
    private static let red = PageAnnotation.Color(red: 255, green: 0, blue: 0)

    private static var all: [PageAnnotation] {
        let line = PagePart(x: 0.25, y: 0.25, width: 0.5, height: 0.125)
        return [
            .mark(.highlight, [line, PagePart(x: 0.25, y: 0.5, width: 0.25, height: 0.125)], text: "Look")!,
            .mark(.underline, [line], color: red)!, .mark(.strikeOut, [line], color: red)!,
            .text(.note, "A note, größer 🎼", at: PagePart(x: 0.875, y: 0.125, width: 0.0625, height: 0.125))!,
            .text(.freeText, "Free", at: PagePart(x: 0.5, y: 0.75, width: 0.25, height: 0.125))!,
            .ink(
                [
                    [.init(x: 0.125, y: 0.75), .init(x: 0.375, y: 0.75)],
                    [.init(x: 0.125, y: 0.875), .init(x: 0.25, y: 0.9375), .init(x: 0.375, y: 0.875)],
                ], color: red, width: 4)!,
        ]
    }

    private func qpdfAccepts(_ data: Data) throws -> Bool {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).pdf")
        defer { try? FileManager.default.removeItem(at: path) }
        try data.write(to: path)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/qpdf")
        process.arguments = ["--check", path.path]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test(arguments: [0, 90, 180, 270]) func annotationsAreAddedAndListed(rotation: Int) async throws {
        let pages = [
            TestPDF.Page(), TestPDF.Page(entries: "/MediaBox [10 20 210 120] /Rotate \(rotation)", content: "q Q"),
        ]
        let document = TestPDF(pages: pages).document
        try await withPages { engine async throws in
            let new = try await engine.adding(Self.all, to: document, page: 2)
            // The old bytes are unchanged, so a signature over them stays valid.
            #expect(new.data.prefix(document.data.count) == document.data)
            #expect(try qpdfAccepts(new.data))
            // The free text names a font; without one, other viewers show no text.
            #expect(new.data.range(of: Data("/DA (/Helv 12 Tf 0 0 0 rg)".utf8)) != nil)
            let found = try await engine.annotations(of: new, page: 2)
            #expect(found.map(\.kind) == Self.all.map(\.kind))
            #expect(found.map(\.text) == Self.all.map(\.text))
            for (one, made) in zip(found, Self.all) {
                func isNear(_ a: PagePart, _ b: PagePart) -> Bool {
                    max(abs(a.x - b.x), abs(a.y - b.y), abs(a.width - b.width), abs(a.height - b.height)) < 0.001
                }
                // An ink annotation's part includes the pen's width.
                #expect(one.kind == .ink || isNear(one.part, made.part), "\(one.kind)")
                #expect(one.marks.count == made.marks.count && zip(one.marks, made.marks).allSatisfy(isNear))
                #expect(one.strokes.map(\.count) == made.strokes.map(\.count))
                for (point, wanted) in zip(one.strokes.flatMap(\.self), made.strokes.flatMap(\.self)) {
                    #expect(abs(point.x - wanted.x) < 0.001 && abs(point.y - wanted.y) < 0.001)
                }
            }
            #expect(try await engine.annotations(of: new, page: 1).isEmpty)
            // Annotations are drawn where the reader sees them, whatever the page's rotation.
            let fit = FitBox(width: 400, height: 400)
            let shown = try await engine.pixels(DocumentPage(new, page: 2, fit: fit))
            func color(_ x: Double, _ y: Double) -> RGB {
                shown.color(Int(x * Double(shown.size.width)), Int(y * Double(shown.size.height)))
            }
            #expect(color(0.25, 0.75) == 0xFF0000)
            // The whole width of the pen, 4 points.
            #expect(color(0.25, rotation % 180 == 0 ? 0.735 : 0.7425) == 0xFF0000)
            #expect(color(0.375, 0.5625) != 0xFFFFFF && color(0.7, 0.5625) == 0xFFFFFF)
            let plain = try await engine.pixels(DocumentPage(new, page: 2, fit: fit, variant: .plain))
            #expect(plain.ink == 0)
            // Add another annotation on top.
            let more = try await engine.adding([Self.all[5]], to: new, page: 2)
            #expect(try await engine.annotations(of: more, page: 2).count == Self.all.count + 1)
            #expect(try qpdfAccepts(more.data))
        }
    }

    @Test func whatCannotBeAdded() async throws {
        try await withPages { engine async throws in
            func problem(_ annotations: [PageAnnotation], _ document: PageDocument, _ page: Int) async -> DrawingError?
            {
                do throws(DrawingError) {
                    _ = try await engine.adding(annotations, to: document, page: page)
                    return nil
                } catch { return error }
            }
            let document = TestPDF().document
            #expect(
                await problem(Self.all, PageDocument(Data("no document".utf8)), 1)?.problemCode
                    == "annotations-not-saved")
            #expect(await problem(Self.all, document, 2)?.problemCode == "page-out-of-range")
            #expect(await problem([], document, 1) == nil)
            #expect(PageAnnotation.mark(.ink, [.whole]) == nil && PageAnnotation.mark(.highlight, []) == nil)
            #expect(PageAnnotation.ink([[]]) == nil && PageAnnotation.text(.note, "", at: .whole) == nil)
            // Invalid numbers do not cause a crash.
            let odd = PageAnnotation.ink([[.init(x: .nan, y: .infinity), .init(x: -1e300, y: 1e300)]], width: .nan)
            #expect(await problem([odd].compactMap { $0 }, document, 1) == nil)
        }
    }

    @Test func aListThatIsNone() throws {
        let wire = Self.all[4].wire(page: 3, identifier: "a") + Self.all[5].wire(page: 4, identifier: "b")
        #expect(PageAnnotation.list(wire: wire)?.map(\.page) == [3, 4])
        #expect(PageAnnotation.list(wire: Data())?.count == 0)
        let first = Self.all[4].wire(page: 3, identifier: "a").count
        for count in 1..<wire.count where count != first {
            #expect(PageAnnotation.list(wire: wire.prefix(count)) == nil, "\(count)")
        }
        for index in wire.indices {
            var changed = wire
            changed[index] ^= 0xFF
            _ = PageAnnotation.list(wire: changed)
        }
    }

    @Test func annotationsAreStoredBesideTheDocument() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let document = folder.appendingPathComponent("score.pdf").path
        var file = try AnnotationFile(beside: document)
        #expect(file.pages.isEmpty)
        for annotation in Self.all { file.add(annotation, page: 3) }
        file.add(Self.all[0], page: 1)
        try file.write(beside: document)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["score.pdf.annotations.json"])
        var again = try AnnotationFile(beside: document)
        #expect(again == file && again[3] == Self.all && again[2] == [])
        again.remove(at: 99, page: 3)
        again.remove(at: 0, page: 1)
        #expect(again.pages.keys.sorted() == [3])
        // Data that is too large to be read again is not written.
        var large = AnnotationFile()
        large.add(.text(.note, String(repeating: "x", count: AnnotationFile.most), at: .whole)!, page: 1)
        #expect(throws: FileError.self) { try large.write(beside: document) }
        #expect(try AnnotationFile(beside: document) == file)
        try Data("{}".utf8).write(to: URL(fileURLWithPath: AnnotationFile.path(beside: document)))
        #expect(throws: AnnotationFile.Problem.notAnnotations(path: AnnotationFile.path(beside: document))) {
            try AnnotationFile(beside: document)
        }
    }
}
