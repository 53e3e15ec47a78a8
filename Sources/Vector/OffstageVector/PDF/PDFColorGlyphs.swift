import Foundation
import Offstage

/// Paints glyphs that have their own colours, such as emoji, separately from their text.
///
/// Skia, which writes WebKit's pages, makes such a glyph a picture in a Type 3 font. Readers with cairo before 1.17.4, such as Evince in
/// Debian 12, take each glyph for a mask and paint it black. Here the pictures follow the text, and the font's glyphs are empty, so that
/// the text can still be found and copied.
struct PDFColorGlyphs {
    let document: PDFDocument

    func rewrite() {
        let objects = document.objects
        let fonts = objects.compactMap { object in
            document.isName(document[object, "Subtype"], "Type3") ? Font(object, in: document) : nil
        }
        if fonts.isEmpty { return }
        var contents: [(stream: PDFDocument.Object, content: PDFColorContent)] = []
        for object in objects {
            let named = named(fonts, in: object)
            if named.isEmpty { continue }
            // If any font is used in another way, all fonts keep their glyphs.
            guard let content = document.content(of: object), let new = PDFColorContent(content, named) else { return }
            contents.append((object, new))
        }
        for (stream, content) in contents { replace(stream, by: content) }
        for font in fonts { empty(font) }
    }

    /// The fonts of an object's resources, by the names that they have there.
    private func named(_ fonts: [Font], in object: PDFDocument.Object) -> [String: Font] {
        let resources = document[document[object, "Resources"], "Font"]
        var named: [String: Font] = [:]
        for key in document.keys(of: resources) {
            let number = document.number(of: document[resources, key])
            named[key] = fonts.first { document.number(of: $0.object) == number }
        }
        return named
    }

    private func replace(_ stream: PDFDocument.Object, by content: PDFColorContent) {
        if content.pictures.isEmpty { return }
        let resources = document[stream, "Resources"]
        if !document.isDictionary(document[resources, "XObject"]) {
            document[resources, "XObject"] = document.object("<< >>")
        }
        for (name, glyph) in content.pictures {
            document[document[resources, "XObject"], name] = picture(of: glyph)
        }
        document.replace(contentOf: stream, by: content.bytes)
    }

    /// A glyph's picture, as a form in the font's units.
    private func picture(of glyph: Glyph) -> PDFDocument.Object {
        let form = document.stream(glyph.drawing)
        document[form, "Type"] = document.object("/XObject")
        document[form, "Subtype"] = document.object("/Form")
        // The fonts' own boxes are a little too small. Eight em on each side are enough for any glyph.
        let side = 8 * glyph.unitsPerEm
        document[form, "BBox"] = document.object("[\(-side) \(-side) \(side) \(side)]")
        document[form, "Resources"] = glyph.resources
        return form
    }

    private func empty(_ font: Font) {
        for glyph in font.glyphs.values {
            document.replace(contentOf: document[document[font.object, "CharProcs"], glyph.name], by: glyph.start)
        }
    }

    /// A glyph whose procedure sets colours (PDF 32000-1, 9.6.5).
    struct Glyph {
        let name: String
        /// The procedure up to the operator `d0`, which has the glyph's width and allows colours.
        let start: Data
        /// The rest of the procedure.
        let drawing: Data
        /// The resources of the font, whose pictures the drawing names.
        let resources: PDFDocument.Object
        let unitsPerEm: Int
    }

    /// A Type 3 font with such glyphs.
    struct Font {
        let object: PDFDocument.Object
        let matrix: PDFMatrix
        /// The widths in text space for a size of 1, by code.
        let widths: [Double]
        let first: Int
        private let names: [Int: String]
        private(set) var glyphs: [String: Glyph] = [:]

        /// Nil for a font without such glyphs.
        init?(_ object: PDFDocument.Object, in document: PDFDocument) {
            let numbers = document.numbers(of: document[object, "FontMatrix"])
            guard numbers.count == 6, numbers[0] >= 1e-6 else { return nil }
            var matrix = PDFMatrix()
            matrix.concatenate(numbers)
            (self.object, self.matrix) = (object, matrix)
            widths = document.numbers(of: document[object, "Widths"]).map { $0 * matrix.a }
            first = document.integer(document[object, "FirstChar"])
            names = PDFDrawnFont.names(in: document.notation(of: document[document[object, "Encoding"], "Differences"]))
            let procedures = document[object, "CharProcs"]
            for name in document.keys(of: procedures) {
                guard let content = document.content(of: document[procedures, name]) else { continue }
                var tokens = PDFTokens(content)
                while let token = tokens.next() {
                    guard case .operator(let word) = token else { continue }
                    let drawing = content.dropFirst(tokens.place)
                    if word == "d0", drawing.contains(where: { $0 > 32 }) {
                        let start = content.prefix(tokens.place) + Data("\n".utf8)
                        glyphs[name] = Glyph(
                            name: name, start: start, drawing: Data(drawing), resources: document[object, "Resources"],
                            unitsPerEm: Int((1 / matrix.a).rounded()))
                    }
                    break
                }
            }
            if glyphs.isEmpty { return nil }
        }

        func glyph(_ code: UInt8) -> Glyph? { names[Int(code)].flatMap { glyphs[$0] } }

        func width(_ code: UInt8) -> Double {
            let place = Int(code) - first
            return widths.indices.contains(place) ? widths[place] : 0
        }
    }
}
