import Foundation
import Offstage
import PageSamples
import Testing

@testable import OffstagePages

/// Reading and writing annotations as XFDF.
struct XFDFTests {
    /// Files as other programs write them, with various orders of corners, various spacing, and unknown elements.
    private static let foreign = """
        <?xml version="1.0" encoding="UTF-8"?>
        <xfdf xmlns="http://ns.adobe.com/xfdf/" xml:space="preserve"><f href="score.pdf"/><annots>
        <highlight page="0" rect="10,20,110,70" color="#FF8000" opacity="0.5" name="h1" title="Ada" date="D:20261127120000+01'00'"
          coords="10,45,110,45,10,70,110,70,10,20,110,20,10,45,110,45"><contents>Größer &amp; 🎼</contents><popup page="0"/></highlight>
        <squiggly page="0" rect="10,20,110,70" coords="10,70,110,70,10,20,110,20"/>
        <text page="1" rect="20,20,40,40" icon="Comment"><contents-richtext><body><p>One</p><p>Two</p></body></contents-richtext></text>
        <freetext page="0" rect="10,20,110,70" width="2" color="#FFFF00" justification="centered">
          <contents>Words</contents><defaultappearance>0 0 1 rg /TiRo 18 Tf</defaultappearance></freetext>
        <ink page="0" width="3" color="#0000FF" rect="10,20,110,70"><inklist><gesture>10,20;110,70;</gesture><gesture>10,70 60,20</gesture></inklist></ink>
        <line page="0" rect="10,20,110,70" start="10,20" end="110,70"/>
        <circle page="0" rect="10,20,110,70" interior-color="#00FF00" width="4"/>
        <polygon page="0" rect="10,20,110,70"><vertices>10,20;110,20;60,70</vertices></polygon>
        <stamp page="1" rect="0,0,10,10"/><stamp page="1" rect="0,0,10,10"/>
        <highlight page="0" rect="10,20,110,70" flags="print,hidden"/>
        </annots></xfdf>
        """

    private static let document = TestPDF(pages: [
        .init(entries: "/MediaBox [0 0 300 200] /CropBox [10 20 210 120]", content: "q Q"), .init(content: "q Q"),
    ]).document

    @Test func anotherProgramsAnnotationsAreRead() async throws {
        try await withPages { engine async throws in
            let (file, losses) = try await engine.annotations(fromXFDF: Data(Self.foreign.utf8), for: Self.document)
            #expect(
                losses.all.map(\.description) == [
                    "a stamp annotation, page 2, and 1 more", "a hidden annotation, page 1",
                ])
            let page = file[1]
            #expect(
                page.map(\.kind) == [.highlight, .squiggly, .freeText, .ink, .line, .circle, .polygon])
            // The crop box is 200 × 100 points; the annotations are at its lower left.
            let part = PagePart(x: 0, y: 0.5, width: 0.5, height: 0.5)
            for one in page { #expect(one.part == part, "\(one.kind)") }
            #expect(
                page[0].marks == [
                    PagePart(x: 0, y: 0.5, width: 0.5, height: 0.25), PagePart(x: 0, y: 0.75, width: 0.5, height: 0.25),
                ])
            #expect(page[0].text == "Größer & 🎼" && page[0].author == "Ada" && page[0].identifier == "h1")
            #expect(page[0].opacity == 0.5 && page[0].color == .init(red: 255, green: 128, blue: 0))
            #expect(page[0].modified == Date(timeIntervalSince1970: 1_795_777_200))
            #expect(page[2].text == "Words" && page[2].fontSize == 18 && page[2].fontFamily == "serif")
            #expect(page[2].color == .init(red: 0, green: 0, blue: 255) && page[2].alignment == .center)
            #expect(page[2].fill == .init(red: 255, green: 255, blue: 0) && page[2].borderWidth == 2)
            #expect(
                page[3].strokes == [
                    [.init(x: 0, y: 1), .init(x: 0.5, y: 0.5)], [.init(x: 0, y: 0.5), .init(x: 0.25, y: 1)],
                ])
            #expect(page[3].width == 3 && page[5].width == 4 && page[5].fill == .init(red: 0, green: 255, blue: 0))
            #expect(page[6].strokes == [[.init(x: 0, y: 1), .init(x: 0.5, y: 1), .init(x: 0.25, y: 0.5)]])
            #expect(file[2].map(\.text) == ["One\nTwo"])
        }
    }

    private static var all: AnnotationFile {
        let (line, blue) = (PagePart(x: 0.25, y: 0.25, width: 0.5, height: 0.125), PageAnnotation.Color.blue)
        let points = [PageAnnotation.Point(x: 0.125, y: 0.75), .init(x: 0.375, y: 0.5)]
        var text = PageAnnotation.text(.freeText, "Free <\u{1}>\n\"&\" text", at: line, color: blue)!
        (text.fontSize, text.fontFamily, text.alignment) = (24, "monospace", .right)
        (text.fill, text.borderWidth) = (.init(red: 1, green: 2, blue: 3), 2)
        var mark = PageAnnotation.mark(.underline, [line, line], color: blue, text: "Why?")!
        (mark.identifier, mark.author, mark.opacity) = ("a \"name\"", "Ada & Bob", 0.25)
        mark.modified = Date(timeIntervalSince1970: 1_700_000_000)
        var file = AnnotationFile()
        for one in [
            mark, text, .mark(.highlight, [line])!, .mark(.squiggly, [line])!, .mark(.strikeOut, [line])!,
            .text(.note, "Note", at: line)!, .ink([points, points.reversed()], color: blue, width: 4)!,
            .line(.line, points, width: 2)!, .line(.polygon, points + [.init(x: 0.5, y: 0.125)], fill: blue)!,
            .line(.polyLine, points)!, .shape(.square, at: line, fill: blue)!, .shape(.circle, at: line, width: 3)!,
        ] { file.add(one, page: 2) }
        return file
    }

    @Test(arguments: [0, 90, 180, 270]) func whatIsWrittenIsReadAgain(rotation: Int) async throws {
        let entries = "/MediaBox [0 0 600 400] /CropBox [10 20 410 220] /UserUnit 2 /Rotate \(rotation)"
        let document = TestPDF(pages: [.init(), .init(entries: entries, content: "q Q")]).document
        try await withPages { engine async throws in
            let (data, lost) = try await engine.xfdf(of: Self.all, for: document, name: "a<b>.pdf")
            let (again, losses) = try await engine.annotations(fromXFDF: data, for: document)
            #expect(lost.all.isEmpty && losses.all.isEmpty)
            #expect(again[2].count == Self.all[2].count)
            for (one, made) in zip(again[2], Self.all[2]) {
                var one = one
                func isNear(_ a: PagePart, _ b: PagePart) -> Bool {
                    max(abs(a.x - b.x), abs(a.y - b.y), abs(a.width - b.width), abs(a.height - b.height)) < 1e-5
                }
                #expect(isNear(one.part, made.part), "\(one.kind)")
                #expect(zip(one.marks, made.marks).allSatisfy(isNear) && one.marks.count == made.marks.count)
                let (a, b) = (one.strokes.flatMap(\.self), made.strokes.flatMap(\.self))
                #expect(zip(a, b).allSatisfy { abs($0.x - $1.x) + abs($0.y - $1.y) < 1e-5 } && a.count == b.count)
                // Everything else is equal; XML cannot contain U+0001.
                (one.part, one.marks, one.strokes) = (made.part, made.marks, made.strokes)
                one.text = one.text.replacing("\u{FFFD}", with: "\u{1}")
                #expect(one == made)
            }
            let text = String(decoding: data, as: UTF8.self)
            #expect(text.contains("<f href=\"a&lt;b&gt;.pdf\"/>"))
            // Half the size, because the page's unit is 2 points.
            #expect(text.contains("/Cour 12 Tf"))
        }
    }

    /// Positions in the document's coordinates, worked out by hand, for the upper left quarter of the page as it is
    /// shown.
    @Test(arguments: [
        (0, "10,70,110,120"), (90, "10,20,110,70"), (180, "110,20,210,70"), (270, "110,70,210,120"),
    ])
    func aTurnedPageHasOtherCoordinates(rotation: Int, rect: String) async throws {
        let entries = "/MediaBox [0 0 300 200] /CropBox [10 20 210 120] /Rotate \(rotation)"
        let document = TestPDF(pages: [.init(entries: entries, content: "q Q")]).document
        var file = AnnotationFile()
        file.add(.shape(.square, at: PagePart(x: 0, y: 0, width: 0.5, height: 0.5))!, page: 1)
        try await withPages { [file] engine async throws in
            let text = String(decoding: try await engine.xfdf(of: file, for: document).data, as: UTF8.self)
            #expect(text.contains("rect=\"\(rect)\""), "\(text)")
        }
    }

    @Test func whatXFDFLacksIsNamed() async throws {
        var file = AnnotationFile()
        let points = [PageAnnotation.Point(x: 0, y: 0), .init(x: 1, y: 1)]
        let pen = PageAnnotation.Pen(widths: [[1, 2]], opacity: 51, isHighlighter: true)
        file.add(.ink([points], width: 2, pen: pen)!, page: 1)
        file.add(PageAnnotation(kind: .other, part: .whole), page: 1)
        try await withPages { [file] engine async throws in
            let (data, losses) = try await engine.xfdf(of: file, for: Self.document)
            #expect(losses.all.map(\.count) == [1, 1, 1])
            #expect(String(decoding: data, as: UTF8.self).contains("opacity=\"0.2\""))
        }
    }

    private static func file(_ annotations: String) -> String { "<xfdf>\n<annots>\n\(annotations)\n</annots></xfdf>" }

    @Test(arguments: [
        ("", XFDFProblem.malformed(line: 1)), ("<xfdf>", .malformed(line: 1)), ("<html/>", .notXFDF),
        ("<xfdf>\n<annots>\n<ink></annots></xfdf>", .malformed(line: 3)),
        ("<!DOCTYPE xfdf [<!ENTITY a \"b\">]>\n<xfdf/>", .hasDocumentType(line: 1)),
        ("<!DOCTYPE xfdf SYSTEM \"file:///etc/passwd\">\n<xfdf/>", .hasDocumentType(line: 1)),
        (String(repeating: "<xfdf>", count: 200), .tooDeep(line: 1, limit: 64)),
        (file("<square rect=\"0,0,1,1\"/>"), .attribute("page", of: "square", line: 3)),
        (file("<square page=\"-1\" rect=\"0,0,1,1\"/>"), .attribute("page", of: "square", line: 3)),
        (file("<square page=\"9999999999\" rect=\"0,0,1,1\"/>"), .attribute("page", of: "square", line: 3)),
        (file("<square page=\"0\"/>"), .attribute("rect", of: "square", line: 3)),
        (file("<square page=\"0\" rect=\"0,0,nan,1\"/>"), .attribute("rect", of: "square", line: 3)),
        (file("<square page=\"0\" rect=\"0,0,1\"/>"), .attribute("rect", of: "square", line: 3)),
        (file("<square page=\"0\" rect=\"0,0,1,1\" color=\"red\"/>"), .attribute("color", of: "square", line: 3)),
        (file("<square page=\"0\" rect=\"0,0,1,1\" opacity=\"2\"/>"), .attribute("opacity", of: "square", line: 3)),
        (file("<square page=\"0\" rect=\"0,0,1,1\" width=\"-1\"/>"), .attribute("width", of: "square", line: 3)),
        (file("<highlight page=\"0\" coords=\"1,2,3\"/>"), .attribute("coords", of: "highlight", line: 3)),
        (file("<ink page=\"0\"/>"), .attribute("inklist", of: "ink", line: 3)),
        (
            file("<ink page=\"0\"><inklist><gesture>1,2;x</gesture></inklist></ink>"),
            .attribute("gesture", of: "ink", line: 3)
        ),
        (file("<line page=\"0\" start=\"1\" end=\"1,2\"/>"), .attribute("start", of: "line", line: 3)),
        (
            file("<polygon page=\"0\"><vertices>1,2</vertices></polygon>"),
            .attribute("vertices", of: "polygon", line: 3)
        ),
    ])
    func aWrongFileIsAnErrorWithItsPlace(text: String, problem: XFDFProblem) async throws {
        try await withPages { engine async throws in
            do throws(XFDFError) {
                _ = try await engine.annotations(fromXFDF: Data(text.utf8), for: Self.document)
                Issue.record("\(text.prefix(100)) was read")
            } catch {
                guard case .file(let found) = error else { throw error }
                #expect(found == problem)
            }
        }
    }

    @Test func aPageThatDoesNotExistIsAnError() async throws {
        try await withPages { engine async throws in
            let text = Self.file("<square page=\"7\" rect=\"0,0,1,1\"/>")
            await #expect(throws: XFDFError.self) {
                try await engine.annotations(fromXFDF: Data(text.utf8), for: Self.document)
            }
            let large = Data(count: XFDFParser.mostBytes + 1)
            await #expect(throws: XFDFError.self) {
                try await engine.annotations(fromXFDF: large, for: Self.document)
            }
        }
    }
}

extension PageAnnotation.Color {
    fileprivate static let blue = Self(red: 0, green: 0, blue: 255)
}
