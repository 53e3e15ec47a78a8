import Offstage
import PageSamples
import Testing

@testable import OffstagePages

/// Lines and marks of annotations without an appearance.
struct BorderTests {
    private func picture(
        _ annotation: String, entries: String = "/MediaBox [0 0 200 100]", fit: FitBox = FitBox(width: 200, height: 100)
    ) async throws -> Pixmap {
        let document = TestPDF("", entries: "\(entries) /Annots [<< /Type /Annot \(annotation) >>]").document
        return try await withPages { try await $0.pixels(DocumentPage(document, fit: fit)) }
    }

    /// The style's width takes precedence over the border's. A level line's rectangle has no height.
    @Test func linesHaveTheWidthOfTheirStyle() async throws {
        let line = try await picture(
            "/Subtype /Line /Rect [10 50 90 50] /L [10 50 90 50] /C [1 0 0] /Border [0 0 1] /BS << /W 8 >>")
        #expect(line.color(50, 47) == 0xFF0000 && line.color(50, 53) == 0xFF0000 && line.color(50, 56) == 0xFFFFFF)
        let polygon = try await picture(
            "/Subtype /Polygon /Rect [20 20 80 80] /Vertices [20 20 80 20 80 80 20 80] /C [1 0 0] /IC [0 1 0] /BS << /W 10 >>"
        )
        #expect(
            polygon.color(50, 50) == 0x00FF00 && polygon.color(23, 50) == 0xFF0000 && polygon.color(17, 50) == 0xFF0000)
        let open = try await picture(
            "/Subtype /PolyLine /Rect [20 20 80 80] /Vertices [20 20 80 20 80 80] /C [0 0 1] /IC [0 1 0] /BS << /W 6 >>"
        )
        #expect(open.color(50, 79) == 0x0000FF && open.color(60, 60) == 0xFFFFFF)
    }

    @Test func linesHaveTheirOpacityAndDashes() async throws {
        let half = try await picture(
            "/Subtype /Line /Rect [10 40 90 60] /L [10 50 90 50] /C [1 0 0] /CA 0.5 /BS << /W 8 >>")
        #expect(abs(Int(half.color(50, 50) & 0xFF) - 128) < 3 && half.color(50, 50) >> 16 == 0xFF)
        let dashed = try await picture(
            "/Subtype /Line /Rect [0 40 200 60] /L [0 50 200 50] /C [1 0 0] /BS << /W 8 /S /D /D [20 10] >>")
        #expect(
            dashed.color(10, 50) == 0xFF0000 && dashed.color(25, 50) == 0xFFFFFF && dashed.color(40, 50) == 0xFF0000)
    }

    private func link(_ entries: String) async throws -> Pixmap {
        try await picture(
            "/Subtype /Link /Rect [20 20 120 60] /C [1 0 0] \(entries) /A << /S /URI /URI (https://example.org/) >>")
    }

    @Test func bordersOfLinksHaveTheirStyle() async throws {
        let plain = try await link("/BS << /W 4 >>")
        #expect(plain.color(70, 42) == 0xFF0000 && plain.color(70, 78) == 0xFF0000 && plain.color(70, 60) == 0xFFFFFF)
        let below = try await link("/BS << /W 4 /S /U >>")
        #expect(below.color(70, 42) == 0xFFFFFF && below.color(70, 78) == 0xFF0000)
        let dashed = try await link("/Border [0 0 4 [20 20]]")
        #expect(dashed.color(30, 78) == 0xFF0000 && dashed.color(52, 78) == 0xFFFFFF)
        for none in ["", "/BS << /W 0 >>", "/Border [0 0 0]", "/Border [0 0 4 [0 0]]"] {
            #expect(try await link(none).ink == 0)
        }
    }

    @Test(arguments: ["/Border [0 0 60]", "/BS << /W 30 >>"]) func aBorderDoesNotCoverItsLink(entries: String)
        async throws
    {
        let wide = try await link(entries)
        #expect(wide.color(70, 60) == 0xFFFFFF && wide.color(70, 45) == 0xFFFFFF && wide.ink > 0)
    }

    // MARK: Marks in text

    /// The standard's order of corners, and the orders that programs use: all mean the same rectangle.
    @Test(arguments: [
        "20 40 80 40 80 60 20 60", "20 60 80 60 20 40 80 40", "20 60 80 60 80 40 20 40", "20 40 80 40 20 60 80 60",
        "80 60 20 60 20 40 80 40", "20 40 20 60 80 60 80 40",
    ]) func cornersOfMarksAreInAnyOrder(corners: String) async throws {
        let highlight = try await picture("/Subtype /Highlight /Rect [20 40 80 60] /C [1 1 0] /QuadPoints [\(corners)]")
        #expect(
            highlight.color(50, 50) == 0xFFFF00 && highlight.color(22, 42) == 0xFFFF00
                && highlight.color(50, 65) == 0xFFFFFF)
        let underline = try await picture("/Subtype /Underline /Rect [20 40 80 60] /C [1 0 0] /QuadPoints [\(corners)]")
        #expect(
            underline.color(50, 59) != 0xFFFFFF && underline.color(75, 59) != 0xFFFFFF
                && underline.color(50, 50) == 0xFFFFFF)
        let through = try await picture("/Subtype /StrikeOut /Rect [20 40 80 60] /C [1 0 0] /QuadPoints [\(corners)]")
        #expect((49...50).contains { through.color(50, $0) != 0xFFFFFF } && through.color(50, 58) == 0xFFFFFF)
        let waves = try await picture("/Subtype /Squiggly /Rect [20 40 80 60] /C [1 0 0] /QuadPoints [\(corners)]")
        #expect((57...59).contains { waves.color(50, $0) != 0xFFFFFF } && waves.color(50, 50) == 0xFFFFFF)
    }

    /// Text that runs upwards in the page's coordinates, and to the right as the page is shown.
    @Test func marksOnTurnedPagesAreBelowTheirWords() async throws {
        let entries = "/MediaBox [0 0 100 200] /Rotate 90"
        for corners in ["40 20 40 80 60 20 60 80", "60 20 60 80 40 80 40 20"] {
            let mark = "/Rect [40 20 60 80] /C [1 0 0] /QuadPoints [\(corners)]"
            let underline = try await picture("/Subtype /Underline \(mark)", entries: entries)
            // The text's lower edge is at x = 60 on the page: 60 from the top of the picture.
            #expect(underline.color(50, 59) != 0xFFFFFF && underline.color(50, 41) == 0xFFFFFF)
            #expect(underline.color(22, 59) != 0xFFFFFF && underline.color(78, 59) != 0xFFFFFF)
        }
    }

    @Test func marksOfSlantedWordsAreSlanted() async throws {
        // From (20, 20) to (80, 80), 10 points high.
        let corners = "20 20 80 80 73 87 13 27"
        for order in [corners, "13 27 73 87 20 20 80 80"] {
            let mark = "/Rect [13 20 80 87] /C [1 1 0] /QuadPoints [\(order)]"
            let highlight = try await picture("/Subtype /Highlight \(mark)")
            #expect(
                highlight.color(46, 46) == 0xFFFF00 && highlight.color(70, 70) == 0xFFFFFF
                    && highlight.color(20, 20) == 0xFFFFFF)
            let underline = try await picture("/Subtype /Underline \(mark)")
            #expect(underline.color(50, 50) != 0xFFFFFF || underline.color(49, 50) != 0xFFFFFF)
            #expect(underline.color(42, 42) == 0xFFFFFF && underline.ink < 0.02)
        }
    }

    /// The generated appearances are not part of the document, so a drawing without annotations must not show them.
    @Test func thePlainPictureHasNoMarks() async throws {
        let mark =
            "<< /Type /Annot /Subtype /Highlight /Rect [13 20 80 87] /C [1 1 0] /QuadPoints [20 20 80 80 73 87 13 27] >>"
        let document = TestPDF("", entries: "/MediaBox [0 0 200 100] /Annots [\(mark)]").document
        try await withPages { engine async throws in
            let first = try await engine.pixels(DocumentPage(document))
            #expect(try await engine.pixels(DocumentPage(document, variant: .plain)).ink == 0)
            #expect(try await engine.pixels(DocumentPage(document)).bytes == first.bytes)
        }
    }
}
