import Foundation

/// A font whose glyphs are drawings in the document (Type 3), if the glyphs in use are plain outlines.
///
/// Such a font has at most 256 codes, so an engine makes several of them from a typeface with more glyphs.
struct PDFDrawnFont {
    let object: PDFDocument.Object
    let descriptor: PDFDocument.Object
    let unitsPerEm: Int
    /// The outline for a missing glyph. It distinguishes a typeface from a bold form that the engine synthesized.
    let missing: Data?
    /// The glyphs' names, by used code.
    private(set) var names: [Int: String] = [:]
    /// The glyphs' widths in font units, by used code.
    private(set) var widths: [Int: Double] = [:]
    /// The outlines, by name.
    private(set) var outlines: [String: GlyphOutline] = [:]

    /// Nil for another type of font, and for glyphs that are not plain outlines.
    ///
    /// - Parameter codes: the used codes.
    init?(_ object: PDFDocument.Object, codes: Set<UInt8>, in document: PDFDocument) {
        let matrix = document.numbers(of: document[object, "FontMatrix"])
        guard !codes.isEmpty, document.isName(document[object, "Subtype"], "Type3"), matrix.count == 6, matrix[0] > 0,
            abs(matrix[3]) == matrix[0], [1, 2, 4, 5].allSatisfy({ matrix[$0] == 0 })
        else { return nil }
        let unitsPerEm = (1 / matrix[0]).rounded()
        // The limits of OpenType. The tolerance allows for the engine's rounding.
        guard (16...16_384).contains(unitsPerEm), abs(1 / matrix[0] - unitsPerEm) < 0.01 else { return nil }
        (self.object, self.unitsPerEm) = (object, Int(unitsPerEm))
        descriptor = document[object, "FontDescriptor"]

        // Parsed as text, because fetching hundreds of items one by one would take longer than everything else.
        let names = Self.names(in: document.notation(of: document[document[object, "Encoding"], "Differences"]))
        let widths = Self.numbers(in: document.notation(of: document[object, "Widths"]))
        let first = document.integer(document[object, "FirstChar"])
        let procedures = document[object, "CharProcs"]
        missing = document.content(of: document[procedures, "g0"])
        for code in codes.map(Int.init) {
            guard let name = names[code], Self.isPlain(name), widths.indices.contains(code - first) else { return nil }
            self.names[code] = name
            self.widths[code] = widths[code - first]
            if outlines[name] != nil { continue }
            let procedure = document[procedures, name]
            guard let content = document.content(of: procedure),
                let outline = PDFGlyphProcedure.outline(of: content, isUpsideDown: matrix[3] < 0)
            else { return nil }
            outlines[name] = outline
        }
    }

    /// The names by code. In the array, a number is the code of the name after it.
    static func names(in differences: Data) -> [Int: String] {
        var names: [Int: String] = [:]
        var code = 0
        for token in IteratorSequence(PDFTokens(differences)) {
            switch token {
            case .name(let name):
                names[code] = name
                code += 1
            case .number(let number): code = Int(exactly: number) ?? 0
            case .string, .operator: return [:]
            }
        }
        return names
    }

    private static func numbers(in array: Data) -> [Double] {
        IteratorSequence(PDFTokens(array)).map { if case .number(let number) = $0 { number } else { 0 } }
    }

    /// True if the name is written the same in a PDF file and in a font, and is not `.notdef`.
    private static func isPlain(_ name: String) -> Bool {
        let bytes = name.utf8
        return (1...63).contains(bytes.count) && bytes.first != UInt8(ascii: ".") && bytes.allSatisfy(isPlain)
    }

    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
