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

    /// A run of this byte decodes to a run of it that is 64 times as long: 34 GB.
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

    private static let documents: [String: Data] = [
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

    @Test(arguments: documents.keys.sorted()) func aHostileDocumentCostsOneResult(name: String) async throws {
        let document = PageDocument(try #require(Self.documents[name]))
        try await withPages { engine async throws in
            var page = DocumentPage(document, fit: PageFit(width: 200, height: 200))
            page.budget.processorSeconds = 1
            page.budget.memory = 512 << 20
            switch await engine.failure(page) {
            case nil, .unusable, .overLimit, .engineCrashed, .tooLarge, .tooManyPixels: break
            case let error?: Issue.record("\(name): \(error)")
            }
            let next = DocumentPage(TestPDF(TestPDF.redLeft).document)
            #expect(try await engine.pixels(next).color(10, 10) == 0xFF0000)
        }
    }

    @Test func endlessWorkEndsAtTheProcessorLimit() async throws {
        // Each fills two million pixels.
        let document = TestPDF(String(repeating: "0 0 200 100 re f ", count: 100_000)).document
        try await withPages { engine async throws in
            var page = DocumentPage(document, fit: PageFit(width: 2000, height: 1000))
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
            page.fit = PageFit(width: 40_000, height: 40_000)
            page.budget.pixels = 1_000_000
            #expect(
                await engine.failure(page) == .tooManyPixels(measured: size(40_000, 40_000), limit: 1_000_000))
            page.fit = PageFit(width: 100, height: 100)
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
            // An attempt would be a forbidden call, and an error.
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
            for index in stride(from: 10, to: data.count, by: 31) {
                var changed = data
                changed[index] ^= 0x5a
                let error = await engine.failure(
                    DocumentPage(PageDocument(changed), fit: PageFit(width: 99, height: 99)))
                if let error { #expect(error.problemCode != nil, "byte \(index): \(error)") }
            }
            #expect(await engine.restarts == 0)
        }
    }
}
