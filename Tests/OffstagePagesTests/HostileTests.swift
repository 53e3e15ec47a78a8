import Foundation
import Offstage
import OffstageWorkers
import PageSamples
import Testing

@testable import OffstagePages

/// Documents that attack the engine: each has one result, and the next page is drawn.
struct HostileTests {
    private static let form = "/Type /XObject /Subtype /Form /BBox [0 0 200 100]"

    /// Each of 22 forms draws the next one twice.
    private static var nestedForms: Data {
        let first = TestPDF.firstExtra()
        let forms = (0..<22).map { index in
            TestPDF.stream(
                "/X Do /X Do", entries: "\(form) /Resources << /XObject << /X \(first + index + 1) 0 R >> >>")
        }
        let last = TestPDF.stream("0 0 1 1 re f", entries: form)
        return TestPDF(
            "/X Do", entries: "/MediaBox [0 0 200 100] /Resources << /XObject << /X \(first) 0 R >> >>",
            extra: forms + [last]
        ).data
    }

    private static var recursiveForm: Data {
        let first = TestPDF.firstExtra()
        let loop = TestPDF.stream("/X Do", entries: "\(form) /Resources << /XObject << /X \(first) 0 R >> >>")
        return TestPDF(
            "/X Do", entries: "/MediaBox [0 0 200 100] /Resources << /XObject << /X \(first) 0 R >> >>", extra: [loop]
        ).data
    }

    /// A run of this byte decodes to a run that is 64 times as long, up to 34 GB.
    private static var bomb: Data {
        var data = Data("%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n".utf8)
        data += Data("2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n".utf8)
        data += Data(
            "3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R >>\nendobj\n".utf8)
        let filters = Array(repeating: "/RunLengthDecode", count: 4).joined(separator: " ")
        data += Data("4 0 obj\n<< /Length 2048 /Filter [\(filters)] >>\nstream\n".utf8)
        data += Data(repeating: 129, count: 2048)
        data += Data("\nendstream\nendobj\ntrailer\n<< /Size 5 /Root 1 0 R >>\n%%EOF\n".utf8)
        return data
    }

    /// A page with one extra object, whose number is `firstExtra`.
    private static func page(_ content: String, resources: String, _ extra: String...) -> Data {
        TestPDF(content, entries: "/MediaBox [0 0 200 100] /Resources << \(resources) >>", extra: extra).data
    }

    private static func annotated(_ annotation: String, _ extra: String...) -> Data {
        TestPDF("", entries: "/MediaBox [0 0 200 100] /Annots [\(annotation)]", extra: extra).data
    }

    private static let one = TestPDF.firstExtra()

    /// A document whose cross-reference table refers to itself as the previous one.
    private static var xrefLoop: Data {
        let text = String(decoding: TestPDF(TestPDF.redLeft).data, as: UTF8.self)
        let start = text.range(of: "xref\n0")!.lowerBound.utf16Offset(in: text)
        return Data(text.replacingOccurrences(of: "/Root 1 0 R", with: "/Root 1 0 R /Prev \(start)").utf8)
    }

    private static let more: [String: Data] = [
        "tiny tiling": page(
            "/Pattern cs /P scn 0 0 200 100 re f", resources: "/Pattern << /P \(one) 0 R >>",
            TestPDF.stream(
                "0 0 1 1 re f",
                entries: "/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.0001 /YStep 0.0001")),
        "tiling in itself": page(
            "/Pattern cs /P scn 0 0 200 100 re f", resources: "/Pattern << /P \(one) 0 R >>",
            TestPDF.stream(
                "/Pattern cs /P scn 0 0 9 9 re f",
                entries: "/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 "
                    + "/Resources << /Pattern << /P \(one) 0 R >> >>")),
        "two million lines": TestPDF(String(repeating: "0 0 m 200 100 l S ", count: 2_000_000)).data,
        "table loop": xrefLoop,
        "short giant image": page(
            "200 0 0 100 0 0 cm /X Do", resources: "/XObject << /X \(one) 0 R >>",
            TestPDF.stream(
                "x",
                entries: "/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /BitsPerComponent 8 "
                    + "/ColorSpace /DeviceRGB")),
        "negative image": page(
            "200 0 0 100 0 0 cm /X Do", resources: "/XObject << /X \(one) 0 R >>",
            TestPDF.stream(
                "x",
                entries: "/Type /XObject /Subtype /Image /Width -1 /Height 2147483647 /BitsPerComponent 77 "
                    + "/ColorSpace /DeviceN")),
        "mask of itself": page(
            "200 0 0 100 0 0 cm /X Do", resources: "/XObject << /X \(one) 0 R >>",
            TestPDF.stream(
                "xxxx",
                entries: "/Type /XObject /Subtype /Image /Width 2 /Height 2 /BitsPerComponent 8 "
                    + "/ColorSpace /DeviceGray /SMask \(one) 0 R")),
        "font that lies": page(
            "BT /F 20 Tf 10 10 Td (Text) Tj ET",
            resources: "/Font << /F << /Type /Font /Subtype /TrueType /BaseFont /X /FirstChar -5 /LastChar 99999999 "
                + "/Widths [1e30] /FontDescriptor << /FontFile2 \(one) 0 R /Flags 4 >> >> >>",
            TestPDF.stream(
                "\u{0}\u{1}\u{0}\u{0}" + String(repeating: "\u{7F}", count: 500), entries: "/Length1 9999999")),
        "glyphs in themselves": page(
            "BT /F 20 Tf 10 10 Td (aaaa) Tj ET", resources: "/Font << /F \(one) 0 R >>",
            "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 "
                + "/Widths [1] /Encoding << /Differences [97 /a] >> /CharProcs << /a \(one + 1) 0 R >> "
                + "/Resources << /Font << /F \(one) 0 R >> >> >>",
            TestPDF.stream("BT /F 20 Tf (aaaa) Tj ET")),
        "function of itself": page(
            "/S sh", resources: "/Shading << /S << /ShadingType 1 /ColorSpace /DeviceRGB /Function \(one) 0 R >> >>",
            "<< /FunctionType 3 /Domain [0 1] /Functions [\(one) 0 R] /Bounds [] /Encode [0 1] >>"),
        "colour space of itself": page(
            "/C cs 0 sc 0 0 99 99 re f", resources: "/ColorSpace << /C \(one) 0 R >>", "[/Indexed \(one) 0 R 1 (ab)]"),
        "appearance in itself": annotated(
            "<< /Type /Annot /Subtype /Stamp /Rect [0 0 99 99] /AP << /N \(one) 0 R >> >>",
            TestPDF.stream("/X Do", entries: "\(form) /Resources << /XObject << /X \(one) 0 R >> >>")),
        "line to infinity": annotated(
            "<< /Type /Annot /Subtype /Line /Rect [0 0 99 99] /L [-1e38 1e38 1e300 5] /Border [0 0 1e30] >> "
                + "<< /Type /Annot /Subtype /Line /Rect [0 0 99 99] /L [1] >> "
                + "<< /Type /Annot /Subtype /Link /Rect [1e38 -1e38 5 5] /Border [0 0 2] >>"),
        "polygon of a million corners": annotated(
            "<< /Type /Annot /Subtype /Polygon /Rect [0 0 99 99] /Vertices ["
                + String(repeating: "1 99 99 1 ", count: 500_000) + "] >>"),
        "a hundred thousand annotations": annotated(
            String(repeating: "<< /Type /Annot /Subtype /Line /Rect [0 0 99 99] /L [1 1 90 90] >> ", count: 100_000)),
        "annotations of itself": TestPDF(
            "", entries: "/MediaBox [0 0 200 100] /Annots \(TestPDF.object(ofPage: 1)) 0 R"
        ).data,
        "outline in itself": TestPDF(
            "", catalog: "/Outlines \(one) 0 R",
            extra: ["<< /First \(one) 0 R /Next \(one) 0 R /Title (x) /Parent \(one) 0 R >>"]
        ).data,
        "labels in themselves": TestPDF(
            "", catalog: "/PageLabels \(one) 0 R", extra: ["<< /Kids [\(one) 0 R \(one) 0 R] /Nums \(one) 0 R >>"]
        ).data,
        "field in itself": TestPDF(
            "", entries: "/MediaBox [0 0 200 100] /Annots [\(one) 0 R]",
            catalog: "/AcroForm << /Fields [\(one) 0 R] >>",
            extra: [
                "<< /FT /Tx /T (x) /Kids [\(one) 0 R] /Parent \(one) 0 R /Type /Annot /Subtype /Widget /Rect [0 0 9 9] >>"
            ]
        ).data,
        "stream of the wrong length": Data(
            String(decoding: TestPDF(TestPDF.redLeft).data, as: UTF8.self)
                .replacingOccurrences(of: "/Length", with: "/Length 4294967295 /Was").utf8),
        "filters without end": page(
            "/X Do", resources: "/XObject << /X \(one) 0 R >>",
            TestPDF.stream(
                "x",
                entries: form + " /Filter [" + String(repeating: "/FlateDecode ", count: 50_000) + "]")),
        "unbalanced": TestPDF(String(repeating: "q ", count: 500_000) + String(repeating: "Q ", count: 900_000)).data,
        "dashes without length": TestPDF("[1e-30 1e-30] 0 d 0 0 m 200 100 l S").data,
        "clips": TestPDF(String(repeating: "0 0 200 100 re W n ", count: 50_000)).data,
        "empty": Data(), "one byte": Data("%".utf8), "only a head": Data("%PDF-1.7\n".utf8),
        "zeros": Data(repeating: 0, count: 100_000),
    ]

    private static var flateBomb: Data {
        var data = Data("%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n".utf8)
        data += Data("2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n".utf8)
        data += Data(
            "3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R >>\nendobj\n".utf8)
        let length = FlateBomb.data.count
        data += Data("4 0 obj\n<< /Length \(length) /Filter [/FlateDecode /FlateDecode] >>\nstream\n".utf8)
        data += FlateBomb.data
        data += Data("\nendstream\nendobj\ntrailer\n<< /Size 5 /Root 1 0 R >>\n%%EOF\n".utf8)
        return data
    }

    private static let documents: [String: Data] = [
        "flate bomb": flateBomb,
        "nested forms": nestedForms,
        "recursive form": recursiveForm,
        "bomb": bomb,
        "endless page tree": TestPDF.file([
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9 >>",
        ]),
        "more pages than there are": TestPDF.file([
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 2147483647 >>",
        ]),
        "infinite numbers": TestPDF(
            "1e308 0 0 1e308 1e308 1e308 cm 0 0 1e38 1e38 re f 0 0 m 1e30 1e30 l S",
            entries: "/MediaBox [-1e38 -1e38 1e38 1e38]"
        ).data,
        "deep arrays": TestPDF(String(repeating: "[", count: 200_000)).data,
    ]

    /// PDFium recurses for each level of these, without a limit, until its worker crashes.
    private static let exhaustTheStack: Set = ["labels in themselves", "nested forms"]

    @Test(arguments: (Array(documents.keys) + more.keys).sorted())
    func aHostileDocumentCostsOneResult(name: String) async throws {
        let document = PageDocument(try #require(Self.documents[name] ?? Self.more[name]))
        try await withPages { engine async throws in
            var page = DocumentPage(document, fit: FitBox(width: 200, height: 200))
            page.budget.processorSeconds = 1
            page.budget.memory = 512 << 20
            switch await engine.failure(page) {
            case nil, .unusable, .overLimit, .tooLarge, .tooManyPixels, .empty: break
            case .engineCrashed where Self.exhaustTheStack.contains(name): break
            case let error?: Issue.record("\(name): \(error)")
            }
            // Read its text and its outline, too.
            _ = try? await engine.text(of: document, page: 1, budget: page.budget)
            _ = try? await engine.info(of: document, budget: page.budget)
            let next = DocumentPage(TestPDF(TestPDF.redLeft).document)
            #expect(try await engine.pixels(next).color(10, 10) == 0xFF0000)
        }
    }

    /// Reported as a limit and not as a crash, because the user can raise it.
    @Test func needingTooMuchMemoryIsALimit() async throws {
        try await withPages { engine async throws in
            var page = DocumentPage(PageDocument(Self.flateBomb), fit: FitBox(width: 200, height: 200))
            page.budget.memory = 256 << 20
            page.budget.processorSeconds = 60
            page.budget.seconds = 120
            guard case .overLimit(let excess) = await engine.failure(page) else {
                Issue.record("no limit")
                return
            }
            #expect(excess.limit == .memory)
        }
    }

    @Test func endlessWorkEndsAtTheProcessorLimit() async throws {
        // Each rectangle fills two million pixels.
        let document = TestPDF(String(repeating: "0 0 200 100 re f ", count: 100_000)).document
        try await withPages { engine async throws in
            var page = DocumentPage(document, fit: FitBox(width: 2000, height: 1000))
            page.budget.processorSeconds = 1
            let error = await engine.failure(page)
            #expect(error == .overLimit(LimitExcess(.processorSeconds, allowed: 1, measured: 1)))
        }
    }

    @Test func aGiantPageIsRefusedBeforeItIsPainted() async throws {
        let document = TestPDF(TestPDF.redLeft, entries: "/MediaBox [0 0 1000000000 1000000000]").document
        try await withPages { engine async throws in
            var page = DocumentPage(document)
            let limit = size(50_000, 50_000)
            #expect(
                await engine.failure(page) == .tooLarge(measured: size(1_333_333_333, 1_333_333_333), limit: limit))
            page.fit = FitBox(width: 40_000, height: 40_000)
            page.budget.pixels = 1_000_000
            #expect(
                await engine.failure(page) == .tooManyPixels(measured: size(40_000, 40_000), limit: 1_000_000))
            page.fit = FitBox(width: 100, height: 100)
            #expect(try await engine.pixels(page).size == size(100, 100))
            #expect(await engine.restarts == 0)
        }
    }

    /// Actions that a viewer would run, and files that it would open.
    @Test func nothingIsRunOrOpened() async throws {
        let first = TestPDF.firstExtra()
        let actions =
            "/OpenAction << /S /Launch /F (/bin/true) >> /AA << /O << /S /JavaScript /JS (app.alert(1)) >> >> "
            + "/Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (app.launchURL('http://127.0.0.1:9/')) >>] >> >>"
        let image = TestPDF.stream(
            "",
            entries: "/Type /XObject /Subtype /Image /Width 8 /Height 8 /BitsPerComponent 8 /ColorSpace /DeviceGray "
                + "/F (/etc/passwd)")
        let document = TestPDF(
            TestPDF.redLeft + " q 50 0 0 50 0 0 cm /X Do Q",
            entries: "/MediaBox [0 0 200 100] /Resources << /XObject << /X \(first) 0 R >> >>", catalog: actions,
            extra: [image]
        ).document
        try await withPages { engine async throws in
            // An attempt would be a forbidden system call, which causes an error.
            #expect(try await engine.pixels(DocumentPage(document)).color(10, 10) != 0xFFFFFF)
            #expect(await engine.restarts == 0)
        }
    }

    @Test func cutAndChangedDocumentsHaveOneResultEach() async throws {
        let data = TestPDF(
            TestPDF.redLeft + " BT /F1 30 Tf 40 40 Td (Text) Tj ET",
            entries: "/MediaBox [0 0 200 100] /Annots [<< /Type /Annot /Subtype /Square /Rect [0 0 20 20] >>]"
        ).data
        try await withPages { engine async throws in
            for index in 1..<10 {
                let error = await engine.failure(DocumentPage(PageDocument(data.prefix(data.count * index / 10))))
                if let error { #expect(error.problemCode != nil, "\(error)") }
            }
            for index in stride(from: 10, to: data.count, by: 13) {
                var changed = data
                changed[index] ^= 0x5a
                let error = await engine.failure(
                    DocumentPage(PageDocument(changed), fit: FitBox(width: 99, height: 99)))
                if let error { #expect(error.problemCode != nil, "byte \(index): \(error)") }
            }
            #expect(await engine.restarts == 0)
        }
    }
}
