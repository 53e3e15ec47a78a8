import Foundation

@testable import Offstage
@testable import OffstageVector

/// A PDF document with one page of 80 × 40 points, whose fonts consist of drawings, as WebKit prints OpenType fonts.
struct DrawnFontSample {
    struct Font {
        var matrix = "[.00100000005 0 0 -.00100000005 0 0]"
        /// The glyphs by name, with codes from 1.
        var glyphs: [(name: String, procedure: String)]
        /// The index of a descriptor in the document; nil for none.
        var descriptor: Int? = 0
    }

    static let ring = """
        600 0 0 -700 600 0 d1 100 -100 m 500 -100 l 500 -600 l 100 -600 l h
        200 -200 m 200 -500 l 400 -500 l 400 -200 l h f
        """
    static let drop = "700 0 0 -700 600 0 d1 350 0 m 600 0 650.5 -300 350 -700 c 50.25 -300 100 0 350 0 c h f"
    static let missing = "1000 0 0 0 0 0 d1 0 0 m 100 0 l 100 -100 l h f"

    var fonts: [Font]
    /// `/F0` is the first font.
    var content: String
    var names = ["AAAAAA+Sample-Regular"]

    var document: Data {
        var objects = [
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", "", stream(content),
        ]
        for name in names {
            objects.append(
                "<< /Type /FontDescriptor /FontName /\(name) /Flags 4 /ItalicAngle 0 /CapHeight 650 /StemV 90 >>")
        }
        var resources = ""
        for (number, font) in fonts.enumerated() {
            var procedures = ""
            for (name, procedure) in [("g0", Self.missing)] + font.glyphs {
                objects.append(stream(procedure))
                procedures += "/\(name) \(objects.count) 0 R "
            }
            let names = (["g0"] + font.glyphs.map(\.name)).map { "/" + $0 }.joined(separator: " ")
            let widths = font.glyphs.map { $0.procedure.prefix { $0 != " " } }.joined(separator: " ")
            let descriptor = font.descriptor.map { "/FontDescriptor \(5 + $0) 0 R" } ?? ""
            objects.append(
                """
                << /Type /Font /Subtype /Type3 /FontMatrix \(font.matrix) /FontBBox [0 -700 1000 0] /FirstChar 0
                /LastChar \(font.glyphs.count) /Widths [1000 \(widths)] /CIDToGIDMap /Identity \(descriptor)
                /Encoding << /Type /Encoding /Differences [0 \(names)] >> /CharProcs << \(procedures) >> >>
                """)
            resources += "/F\(number) \(objects.count) 0 R "
        }
        objects[2] = """
            << /Type /Page /Parent 2 0 R /MediaBox [0 0 80 40] /Resources << /Font << \(resources) >> >>
            /Contents 4 0 R >>
            """
        let body = objects.enumerated().map { "\($0 + 1) 0 obj \($1) endobj\n" }.joined()
        return Data("%PDF-1.4\n\(body)trailer << /Root 1 0 R /Size \(objects.count + 1) >>\n%%EOF\n".utf8)
    }

    var image: VectorImage {
        let window = VectorImage.Window(x: 0, y: 0, width: 80, height: 40)
        return VectorImage(document: document, pages: [VectorImage.Page(pointsPerPixel: 1, window: window)])
    }

    private func stream(_ content: String) -> String {
        "<< /Length \(content.utf8.count) >> stream\n\(content)\nendstream"
    }
}
