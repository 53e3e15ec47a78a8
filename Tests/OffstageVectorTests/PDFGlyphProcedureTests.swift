import Foundation
import Testing

@testable import Offstage
@testable import OffstageVector

/// Which glyph drawings are outlines, and what contours they have.
@Suite struct PDFGlyphProcedureTests {
    private func outline(_ content: String, isUpsideDown: Bool = false) -> GlyphOutline? {
        PDFGlyphProcedure.outline(of: Data(content.utf8), isUpsideDown: isUpsideDown)
    }

    /// The outline as text: the start of each contour, and then the points of each segment.
    private func text(_ outline: GlyphOutline?) -> String? {
        func text(_ points: [GlyphOutline.Point]) -> String { points.map { "\($0.x),\($0.y)" }.joined(separator: " ") }
        return outline.map { outline in
            "\(outline.width): "
                + outline.contours.map { contour in
                    ([text([contour.start])] + contour.segments.map { text($0.points) }).joined(separator: " | ")
                }.joined(separator: " || ")
        }
    }

    @Test(arguments: [
        ("500 0 0 0 9 9 d1 1 2 m 3 4 l 5 6 l h f", "500.0: 1.0,2.0 | 3.0,4.0 | 5.0,6.0"),
        ("500 0 d0 1 2 m 3 4 5 6 7 8 c F", "500.0: 1.0,2.0 | 3.0,4.0 5.0,6.0 7.0,8.0"),
        ("5 0 d0 1 2 m 5 6 7 8 v 1 1 3 3 y f", "5.0: 1.0,2.0 | 1.0,2.0 5.0,6.0 7.0,8.0 | 1.0,1.0 3.0,3.0 3.0,3.0"),
        ("5 0 d0 1 2 10 20 re f", "5.0: 1.0,2.0 | 11.0,2.0 | 11.0,22.0 | 1.0,22.0"),
        ("5 0 d0 1 2 m 3 2 l h 9 9 l f", "5.0: 1.0,2.0 | 3.0,2.0 || 1.0,2.0 | 9.0,9.0"),
        ("5 0 d0 0 0 m 1 0 l h 5 5 m 6 5 l h f", "5.0: 0.0,0.0 | 1.0,0.0 || 5.0,5.0 | 6.0,5.0"),
        ("5 0 d0 q 2 0 0 3 10 20 cm 1 1 m 2 1 l Q 1 1 l f", "5.0: 12.0,23.0 | 14.0,23.0 | 1.0,1.0"),
        ("5 0 d0 0 0 m 9 9 l n 1 1 m 2 2 l f", "5.0: 1.0,1.0 | 2.0,2.0"),
        ("250 0 0 0 0 0 d1", "250.0: "), ("250 0 d0 f", "250.0: "), ("250 0 d0 1 1 m 2 2 l", "250.0: "),
    ])
    func anOutline(content: String, expected: String) {
        #expect(text(outline(content)) == expected)
    }

    @Test func upIsUp() {
        #expect(text(outline("5 0 d0 1 2 m 3 4 l f", isUpsideDown: true)) == "5.0: 1.0,-2.0 | 3.0,-4.0")
    }

    /// A glyph's program in a font cannot hold more.
    @Test func asManySegmentsAsFit() {
        func content(_ count: Int) -> String { "5 0 d0 0 0 m " + String(repeating: "1 1 l 0 0 l ", count: count) + "f" }
        #expect(outline(content(1000))?.contours[0].segments.count == 2000)
        #expect(outline(content(1001)) == nil)
    }

    /// Even-odd areas, overlapping areas, lines, colours, images, clips, text, and incomplete drawings.
    @Test(arguments: [
        "5 0 d0 0 0 m 1 1 l f*", "5 0 d0 0 0 m 1 1 l f 2 2 m 3 3 l f", "5 0 d0 0 0 m 1 1 l S", "5 0 d0 0 0 m 1 1 l B",
        "5 0 d0 1 0 0 rg 0 0 m 1 1 l f", "5 0 d0 /Xg1 Do", "5 0 d0 /G1 gs 0 0 m 1 1 l f", "5 0 d0 0 0 m 1 1 l W n",
        "5 0 d0 BI /W 1 ID x EI", "5 0 d0 BT (a) Tj ET", "0 0 m 1 1 l f", "", "5 1 d0", "5 0 d0 5 0 d0", "5 0 d0 Q",
        "5 0 d0 1 1 l f", "5 0 d0 0 0 m 1 l f", "5 0 d0 0 0 m 99999 1 l f", "5 0 d0 0 0 m 9 1 1 1 1 l f",
    ])
    func noOutline(content: String) {
        #expect(outline(content) == nil)
    }
}
