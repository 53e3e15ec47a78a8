import Foundation
import Offstage
import PageSamples
import Testing

@testable import OffstagePages

/// Layers: content and annotations that can be hidden.
struct LayerTests {
    private let first = TestPDF.firstExtra()

    /// Layers A (on), B (off) and C (off). Layer B contains the right half of the page. A square on the left has
    /// `belongs` as its /OC.
    private func document(
        _ belongs: String, configuration: String? = nil, subtype: String = "Square", extra: [String] = []
    ) -> PageDocument {
        let (a, b, c) = ("\(first + 1) 0 R", "\(first + 2) 0 R", "\(first + 3) 0 R")
        let annotation =
            "<< /Type /Annot /Subtype /\(subtype) /Rect [20 20 60 60] /C [0 0 1] /IC [0 0 1] /OC \(belongs) /Border [0 0 4] "
            + "/A << /S /URI /URI (https://example.org/) >> >>"
        return TestPDF(
            "/OC /B BDC 1 0 0 rg 100 0 100 100 re f EMC",
            entries: "/MediaBox [0 0 200 100] /Annots [\(first) 0 R] /Resources << /Properties << /B \(b) >> >>",
            catalog: "/OCProperties << /OCGs [\(a) \(b) \(c)] /D << \(configuration ?? "/OFF [\(b) \(c)]") >> >>",
            extra: [
                annotation, "<< /Type /OCG /Name (Fingerings) >>", "<< /Type /OCG /Name (Bowings) >>",
                "<< /Type /OCG /Name <FEFF00DC> >>",
            ] + extra
        ).document
    }

    private func isShown(_ document: PageDocument, at place: (Int, Int) = (21, 60)) async throws -> Bool {
        let page = DocumentPage(document, fit: FitBox(width: 200, height: 100))
        return try await withPages { try await $0.pixels(page).color(place.0, place.1) != 0xFFFFFF }
    }

    @Test(arguments: ["Square", "Link"]) func annotationsOnHiddenLayersAreHidden(subtype: String) async throws {
        #expect(try await isShown(document("\(first + 1) 0 R", subtype: subtype)))
        #expect(try await !isShown(document("\(first + 2) 0 R", subtype: subtype)))
    }

    /// A is on, B and C are off.
    @Test(arguments: [
        ("/P /AnyOn", "A B", true), ("/P /AnyOn", "B C", false), ("/P /AllOn", "A B", false), ("/P /AllOn", "A", true),
        ("/P /AnyOff", "A B", true), ("/P /AnyOff", "A", false), ("/P /AllOff", "B C", true),
        ("/P /AllOff", "A B", false),
        ("", "A C", true), ("", "", true), ("/VE [/And A B]", "A", false), ("/VE [/Or A B]", "B", true),
        ("/VE [/Not B]", "B", true), ("/VE [/And A [/Not [/Or B C]]]", "B", true),
    ]) func membershipsDecideOverSeveralLayers(entries: String, layers: String, isVisible: Bool) async throws {
        // Replaces the names of layers, which may be in brackets, with references.
        func resolved(_ text: String) -> String {
            text.split(separator: " ").map { word in
                guard let name = word.firstIndex(where: { "ABC".contains($0) }), !word.contains("/") else {
                    return String(word)
                }
                let number = first + 1 + Int(word[name].asciiValue! - 65)
                return word[..<name] + "\(number) 0 R" + word[word.index(after: name)...]
            }.joined(separator: " ")
        }
        let membership = "<< /Type /OCMD /OCGs [\(resolved(layers))] \(resolved(entries)) >>"
        #expect(try await isShown(document(membership)) == isVisible)
    }

    @Test func theBaseStateAndTheUsageCount() async throws {
        let layer = "\(first + 1) 0 R"
        #expect(try await !isShown(document(layer, configuration: "/BaseState /OFF")))
        #expect(try await isShown(document(layer, configuration: "/BaseState /OFF /ON [\(layer)]")))
        let own = "<< /Type /OCG /Name (Own) /Usage << /View << /ViewState /OFF >> /Print << /PrintState /ON >> >> >>"
        #expect(try await !isShown(document("\(first + 4) 0 R", extra: [own])))
    }

    /// A form field is not drawn like other annotations.
    @Test func fieldsOnHiddenLayersAreHidden() async throws {
        for (state, isVisible) in [("", true), ("/OFF [\(first + 2) 0 R]", false)] {
            let field =
                "<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [20 20 60 60] /OC \(first + 2) 0 R "
                + "/AP << /N \(first + 1) 0 R >> >>"
            let look = TestPDF.stream(
                "0 1 0 rg 0 0 40 40 re f", entries: "/Type /XObject /Subtype /Form /BBox [0 0 40 40]")
            let document = TestPDF(
                entries: "/MediaBox [0 0 200 100] /Annots [\(first) 0 R]",
                catalog: "/AcroForm << /Fields [\(first) 0 R] >> "
                    + "/OCProperties << /OCGs [\(first + 2) 0 R] /D << \(state) >> >>",
                extra: [field, look, "<< /Type /OCG /Name (Fields) >>"]
            ).document
            #expect(try await isShown(document, at: (40, 60)) == isVisible)
        }
    }

    // MARK: Choosing layers

    @Test func aDocumentListsItsLayers() async throws {
        let info = try await withPages { try await $0.info(of: document("null")) }
        #expect(
            info.layers == [
                PageLayer("Fingerings"), PageLayer("Bowings", isVisible: false), PageLayer("Ü", isVisible: false),
            ])
        #expect(try await withPages { try await $0.info(of: TestPDF().document) }.layers.isEmpty)
    }

    @Test func aRequestShowsAndHidesLayers() async throws {
        let document = document("\(first + 1) 0 R")
        var page = DocumentPage(document, fit: FitBox(width: 200, height: 100))
        try await withPages { engine async throws in
            let own = try await engine.pixels(page)
            #expect(own.color(21, 60) != 0xFFFFFF && own.color(150, 50) == 0xFFFFFF)
            page.layers = [PageLayer("Bowings"), PageLayer("Fingerings", isVisible: false)]
            let changed = try await engine.pixels(page)
            #expect(changed.color(21, 60) == 0xFFFFFF && changed.color(150, 50) == 0xFF0000)
            // The document itself is unchanged.
            page.layers = []
            #expect(try await engine.pixels(page).bytes == own.bytes)
            page.layers = [PageLayer("Ü"), PageLayer("Dynamics")]
            let error = await engine.failure(page)
            #expect(error?.problemCode == "layer-missing")
            #expect("\(error!)" == "the document has no layer named 'Dynamics'; offstage info FILE lists its layers")
        }
    }

    @Test func anEncryptedDocumentHasLayers() async throws {
        let data = try encrypted(document("\(first + 1) 0 R").data, password: "secret")
        var page = DocumentPage(PageDocument(data), fit: FitBox(width: 200, height: 100))
        page.password = "secret"
        page.layers = [PageLayer("Bowings")]
        let picture = try await withPages { try await $0.pixels(page) }
        #expect(picture.color(150, 50) == 0xFF0000)
    }

    @Test func theFingerprintDependsOnTheLayers() {
        let engine = PageEngine(workers: 1)
        var page = DocumentPage(TestPDF().document)
        let own = engine.fingerprint(of: page)
        page.layers = [PageLayer("A"), PageLayer("B", isVisible: false)]
        let chosen = engine.fingerprint(of: page)
        #expect(own != chosen)
        page.layers = [PageLayer("B", isVisible: false), PageLayer("A")]
        #expect(engine.fingerprint(of: page) == chosen)
        page.layers[0].isVisible = true
        #expect(engine.fingerprint(of: page) != chosen)
    }
}
