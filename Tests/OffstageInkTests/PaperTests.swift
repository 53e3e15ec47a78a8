import Foundation
import Offstage
import PageSamples
import Testing

@testable import OffstageInk

/// Xournal++'s paper and images, and other formats of its pages.
struct PaperTests {
    private static func file(_ background: String, _ items: String = "", width: Int = 100, height: Int = 200) -> Data {
        Data(
            """
            <xournal><page width="\(width)" height="\(height)"><background type="solid" \(background)/><layer>\(items)</layer></page></xournal>
            """.utf8)
    }

    private func load(_ data: Data) async throws -> Ink {
        let engine = InkEngine(workers: 1, jail: .never)
        let ink = try await engine.load(InkDocument(data)).ink
        await engine.shutDown()
        return ink
    }

    private func draw(
        _ document: InkDocument, scale: Double = 0.75
    ) async throws -> (pixels: [[UInt8]], warnings: [DrawingWarning]) {
        let engine = InkEngine(workers: 1, jail: .never)
        var request = InkDrawing(document)
        request.scale = scale
        let drawing = try await engine.draw(request)
        await engine.shutDown()
        let pixmap = try #require(drawing.pixmaps.first)
        return ((0..<pixmap.size.height).map { y in pixmap.withRow(y) { Array($0) } }, drawing.warnings)
    }

    @Test("Xournal's named paper colours are pale")
    func paleNames() async throws {
        let page = try await load(Self.file("color=\"blue\" style=\"lined\"")).pages[0]
        #expect(page.background == .paper(InkColor(red: 0xA0, green: 0xE8, blue: 0xFF), .lined))
    }

    @Test("Custom line colours and distances are drawn and saved")
    func ownLines() async throws {
        let config = "color=\"#ffffffff\" style=\"ruled\" config=\"f1=FF0000,af1=00FF00,r1=30\""
        let ink = try await load(Self.file(config))
        let saved = try await load(XournalWriter.file(ink).data)
        #expect(saved.pages == ink.pages)
        for data in [Self.file(config), XournalWriter.file(ink).data] {
            let pixels = try await draw(InkDocument(data), scale: 3).pixels
            let column = pixels.indices.filter { pixels[$0][200] < 250 }
            // At 80 and 110 points, which are 320 and 440 device px.
            #expect(column.allSatisfy { abs($0 - 320) < 3 || abs($0 - 440) < 3 } && column.count >= 4, "\(column)")
            #expect(pixels[320][202] == 255)
        }
    }

    @Test("Staves are white on dark paper")
    func darkStaves() async throws {
        let pixels = try await draw(
            InkDocument(Self.file("color=\"#101010ff\" style=\"staves\"", width: 200)), scale: 3
        ).pixels
        #expect(pixels[320][4 * 400] > 150)
    }

    @Test("Vector formats have the same lines as the picture", arguments: InkRuling.allCases)
    func linesInVectors(_ ruling: InkRuling) {
        var page = InkPage(width: 300, height: 400, background: .paper(.white, ruling))
        page.rulingSpacing = 20
        let lines = PaperLine.lines(of: page)
        #expect(lines.isEmpty == (ruling == .plain))
        let svg = InkSVGWriter.file(page)
        #expect(svg.losses.isEmpty)
        #expect(String(decoding: svg.data, as: UTF8.self).count { $0 == "M" } == lines.count)
        if ruling == .staves {
            #expect(lines.first?.y1 == 80 && lines.contains { $0.x1 == 50 && $0.x2 == 50 && $0.y1 == 142.5 })
        }
    }

    @Test("An image with swapped edges is mirrored")
    func mirrored() async throws {
        let pixmap = try #require(twoColors())
        let png = try PNGEncoder().encode(pixmap, scale: 1).base64EncodedString()
        let image = "<image left=\"80\" top=\"20\" right=\"20\" bottom=\"80\">\(png)</image>"
        let pixels = try await draw(InkDocument(Self.file("color=\"#ffffffff\" style=\"plain\"", image))).pixels
        // Red is on the left of the image, and blue on the right.
        #expect(Array(pixels[50][(4 * 30)..<(4 * 30 + 3)]) == [255, 0, 0])
        #expect(Array(pixels[50][(4 * 70)..<(4 * 70 + 3)]) == [0, 0, 255])
    }

    /// Red beside blue.
    private func twoColors() -> Offstage.Pixmap? {
        nonisolated(unsafe) let bytes = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 4)
        bytes.copyMemory(from: [0, 0, 255, 255, 255, 0, 0, 255] as [UInt8], byteCount: 8)
        return Offstage.Pixmap(base: bytes, size: PixelSize(width: 2, height: 1), bytesPerRow: 8, isOpaque: true) {
            bytes.deallocate()
        }
    }

    @Test("A formula is a PDF document that is drawn without paper")
    func formula() async throws {
        let pdf = TestPDF(pages: [TestPDF.Page(content: TestPDF.redLeft)]).data
        let formula =
            "<teximage text=\"x\" left=\"20\" top=\"20\" right=\"80\" bottom=\"60\">\(pdf.base64EncodedString())</teximage>"
        let data = Self.file("color=\"#ffff00ff\" style=\"plain\"", formula)
        let (pixels, warnings) = try await draw(InkDocument(data))
        #expect(warnings.isEmpty)
        #expect(Array(pixels[40][(4 * 30)..<(4 * 30 + 3)]) == [0, 0, 255])
        // The yellow paper shows through.
        #expect(Array(pixels[40][(4 * 70)..<(4 * 70 + 3)]) == [0, 255, 255])
        let saved = XournalWriter.file(try await load(data), isPacked: false)
        #expect(String(decoding: saved.data, as: UTF8.self).contains("<teximage text=\"x\""))
    }

    @Test("A formula's LaTeX source survives a save and the journal, even without a picture")
    func formulaSource() async throws {
        let source = "\\frac{a &lt; b}{\"c\"} ü"
        for content in ["", Data("%PDF-1.4".utf8).base64EncodedString(), Self.onePixel] {
            let formula =
                "<teximage text=\"\(source.replacingOccurrences(of: "\"", with: "&quot;"))\" left=\"1\" top=\"2\" right=\"8\" bottom=\"6\">"
                + "\(content)</teximage>"
            let ink = try await load(Self.file("color=\"#ffffffff\" style=\"plain\"", formula))
            guard case .image(let image)? = ink.pages[0].layers[0].items.first else {
                Issue.record("no image")
                return
            }
            #expect(image.source == "\\frac{a < b}{\"c\"} ü")
            #expect(image.data == Data(base64Encoded: content))
            #expect(try await load(XournalWriter.file(ink).data) == ink)
            #expect(InkRecords.ink(InkRecords.data(of: ink)) == ink)
        }
    }

    /// A PNG file.
    private static let onePixel =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

    @Test("PDF files contain texts and images, and losses name anything that is missing")
    func textsInPDF() async throws {
        let items = "<text font=\"Sans\" size=\"20\" x=\"5\" y=\"5\" color=\"#000000ff\">Text</text>"
        let document = InkDocument(Self.file("color=\"#ffffffff\" style=\"plain\"", items))
        let engine = InkEngine(workers: 1, jail: .never)
        let ink = try await engine.load(document).ink
        #expect(InkPDFWriter.file(ink).losses == [.texts])
        let parts = try await engine.parts(of: ink, in: document)
        await engine.shutDown()
        let file = InkPDFWriter.file(ink, parts: parts)
        #expect(file.losses.isEmpty)
        #expect((parts[0]?.letters[0]?.outlines.count ?? 0) >= 4)
    }

    @Test("A background outside the notes' folder is blocked and not reported as missing")
    func backgroundAbove() async throws {
        let notes = Data(
            """
            <xournal><page width="50" height="50"><background type="pdf" domain="absolute" filename="../score.pdf" pageno="1"/>
            <layer/></page></xournal>
            """.utf8)
        let warnings = try await draw(InkDocument(notes, folder: NSTemporaryDirectory())).warnings
        #expect(warnings.map(\.code) == [.resourceBlocked])
    }

    @Test("Xournal++'s format reports the loss of a highlighter's opacity and stores straight lines as two points")
    func losses() {
        var stroke = Stroke((0..<60).map { InkPoint(x: Float($0) * 2 + 10, y: 40) }, tool: .highlighter, width: 10)
        stroke.smoothing = 0.75
        stroke.color.opacity = 200
        let file = XournalWriter.file(Ink(pages: [InkPage(layers: [InkLayer(strokes: [stroke])])]), isPacked: false)
        #expect(file.losses.contains(.highlighterOpacity))
        #expect(String(decoding: file.data, as: UTF8.self).contains(">10 40 128 40</stroke>"))
    }

    @Test("A filled highlighter is a single area in SVG and PDF")
    func filledHighlighter() {
        var stroke = Stroke(
            [InkPoint(x: 10, y: 10), InkPoint(x: 90, y: 10), InkPoint(x: 50, y: 90)], tool: .highlighter, width: 5)
        (stroke.color.opacity, stroke.fill) = (128, 128)
        let page = InkPage(layers: [InkLayer(strokes: [stroke])])
        let svg = String(decoding: InkSVGWriter.file(page).data, as: UTF8.self)
        #expect(svg.contains("M10 10L90 10L50 90Z") && svg.contains("<g opacity=\"0.502\""))
        let pdf = InkPDFWriter.file(Ink(pages: [page])).data
        #expect(pdf.range(of: Data("/Subtype/Form".utf8)) != nil)
    }
}
