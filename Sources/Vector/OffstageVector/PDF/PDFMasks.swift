import Foundation
import Offstage

/// Rewrites masks that some readers ignore.
///
/// Skia, which writes WebKit's pages, paints a masked group twice: outside the mask's shape as it is, and inside it masked. The first
/// mask is the shape's alpha and a function that inverts it. Readers that ignore the function, such as MuPDF and poppler's cairo
/// backend, show the group without a mask. White with the shape in black on it is the same mask, by luminosity and without a function.
struct PDFMasks {
    let document: PDFDocument

    func rewrite() {
        for object in document.objects where document.isDictionary(object) {
            let mask = document[object, "SMask"]
            guard document.isDictionary(mask), document.isName(document[mask, "S"], "Alpha"),
                isInversion(document[mask, "TR"]), let inverted = inverted(document[mask, "G"])
            else { continue }
            let new = document.object("<< /Type /Mask /S /Luminosity /BC [1] >>")
            document[new, "G"] = inverted
            document[object, "SMask"] = new
        }
    }

    private func isInversion(_ function: PDFDocument.Object) -> Bool {
        guard let content = document.content(of: function) else { return false }
        return String(decoding: content, as: UTF8.self).split(whereSeparator: \.isWhitespace) == ["{1", "exch", "sub}"]
    }

    /// Returns a group in shades of grey. Nil for a shape whose colours are not certainly black, and for one with a matrix.
    private func inverted(_ shape: PDFDocument.Object) -> PDFDocument.Object? {
        let box = document[shape, "BBox"]
        guard document.isNull(document[shape, "Matrix"]), document.numbers(of: box).count == 4,
            let content = document.content(of: shape), Self.isBlack(content)
        else { return nil }
        let sides = document.numbers(of: box)
        let grown = [sides[0] - Self.ring, sides[1] - Self.ring, sides[2] + Self.ring, sides[3] + Self.ring]
        let area = [grown[0], grown[1], grown[2] - grown[0], grown[3] - grown[1]]
        let shapes = [
            (0, 0), (-Self.ring, -Self.ring), (-Self.ring, Self.ring), (Self.ring, -Self.ring), (Self.ring, Self.ring),
        ]
        .map { "q 1 0 0 1 \(number($0.0)) \(number($0.1)) cm /Shape Do Q\n" }
        let group = document.stream(Data("q 1 g \(numbers(area)) re f Q\n\(shapes.joined())".utf8))
        document[group, "Type"] = document.object("/XObject")
        document[group, "Subtype"] = document.object("/Form")
        document[group, "BBox"] = document.object("[\(numbers(grown))]")
        document[group, "Group"] = document.object("<< /S /Transparency /CS /DeviceGray /I true >>")
        let resources = document.object("<< /XObject << >> >>")
        document[document[resources, "XObject"], "Shape"] = shape
        document[group, "Resources"] = resources
        return group
    }

    /// Units by which the shape grows on each side. In a px that the shape covers only partly, the group's colour would
    /// otherwise show through.
    private static let ring = 0.75

    private func number(_ number: Double) -> String { String(format: "%.5f", number) }

    private func numbers(_ numbers: [Double]) -> String { numbers.map(number).joined(separator: " ") }

    /// True if the content only fills paths, in black.
    private static func isBlack(_ content: Data) -> Bool {
        var numbers: [Double] = []
        for token in IteratorSequence(PDFTokens(content)) {
            switch token {
            case .number(let number): numbers.append(number)
            case .name: break
            case .string: return false
            case .operator(let name):
                if ["rg", "RG"].contains(name), numbers.contains(where: { $0 != 0 }) { return false }
                guard harmless.contains(name) else { return false }
                numbers = []
            }
        }
        return true
    }

    /// Operators of paths, clips and states, and the two that `isBlack` checks.
    private static let harmless: Set = [
        "rg", "RG", "gs", "cm", "q", "Q", "m", "l", "c", "v", "y", "h", "re", "f", "F", "f*", "n", "W", "W*",
    ]
}
