import Foundation

/// Replaces fonts that an engine writes as drawings of glyphs (Type 3) with real, named fonts. Engines do this to
/// OpenType fonts with CFF outlines and to variable fonts. The pages and their codes don't change. A font with glyphs
/// that are not plain outlines is left as it is.
struct PDFOutlineFonts {
    let document: PDFDocument

    /// - Parameter shown: the used codes, by font number. Other glyphs are dropped.
    func replace(_ shown: [Int: Data]) {
        var typefaces: [Typeface] = []
        for (number, codes) in shown.sorted(by: { $0.key < $1.key }) {
            guard let font = PDFDrawnFont(document.numbered(number), codes: Set(codes), in: document),
                document.number(of: font.descriptor) > 0
            else { continue }
            let hasTaken = typefaces.indices.contains { typefaces[$0].take(font, in: document) }
            if !hasTaken { typefaces.append(Typeface(fonts: [font], outlines: font.outlines)) }
        }
        for typeface in typefaces { replace(typeface) }
    }

    /// Fonts that can share a font program, because each name means the same glyph in all of them.
    private struct Typeface {
        var fonts: [PDFDrawnFont]
        var outlines: [String: GlyphOutline]

        /// Adds a font. Returns false if it belongs to another typeface.
        mutating func take(_ font: PDFDrawnFont, in document: PDFDocument) -> Bool {
            guard document.number(of: font.descriptor) == document.number(of: fonts[0].descriptor),
                font.unitsPerEm == fonts[0].unitsPerEm, font.missing == fonts[0].missing,
                font.outlines.allSatisfy({ (outlines[$0.key] ?? $0.value) == $0.value })
            else { return false }
            fonts.append(font)
            outlines.merge(font.outlines) { first, _ in first }
            return true
        }
    }

    private func replace(_ typeface: Typeface) {
        let old = typeface.fonts[0].descriptor
        let name = Self.plain(document.name(document[old, "FontName"]) ?? "")
        guard !name.isEmpty, typeface.outlines.count <= CFFFont.glyphLimit else { return }
        let glyphs = typeface.outlines.sorted { $0.key < $1.key }.map { (name: $0.key, outline: $0.value) }
        let program = CFFFont(name: name, unitsPerEm: typeface.fonts[0].unitsPerEm, glyphs: glyphs)
        let tagged = program.taggedName
        let file = document.stream(program.data(name: tagged))
        document[file, "Subtype"] = document.object("/Type1C")
        let description = document.indirect(describe(program, as: tagged, like: old))
        document[description, "FontFile3"] = file
        for font in typeface.fonts { replace(font, tagged, description) }
    }

    /// The keys of the old descriptor that do not apply to the new font program.
    private static let own = ["FontName", "FontBBox", "Ascent", "Descent", "FontFile", "FontFile2", "FontFile3"]

    private func describe(
        _ program: CFFFont, as name: String, like old: PDFDocument.Object
    ) -> PDFDocument.Object {
        let thousandths = program.box.map { Double($0) * 1000 / Double(program.unitsPerEm) }
        let box = thousandths[..<2].map { $0.rounded(.down) } + thousandths[2...].map { $0.rounded(.up) }
        let capHeight = document.number(document[old, "CapHeight"])
        let description = document.object(
            """
            << /Type /FontDescriptor /FontName /\(name) /FontBBox [\(list(box))] /Ascent \(number(max(capHeight, box[3])))
            /Descent \(number(min(0, box[1]))) /Flags 4 /ItalicAngle 0 /CapHeight 0 /StemV 0 >>
            """)
        for key in document.keys(of: old) where !Self.own.contains(key) {
            document[description, key] = document[old, key]
        }
        return description
    }

    private func replace(_ font: PDFDrawnFont, _ name: String, _ description: PDFDocument.Object) {
        let codes = font.names.keys.sorted()
        guard let first = codes.first, let last = codes.last else { return }
        let widths = (first...last).map { (font.widths[$0] ?? 0) * 1000 / Double(font.unitsPerEm) }
        var differences = ""
        for code in codes {
            if font.names[code - 1] == nil { differences += " \(code)" }
            differences += " /\(font.names[code] ?? "")"
        }
        let object = font.object
        let kept = ["Type", "ToUnicode"]
        for key in document.keys(of: object) where !kept.contains(key) { document.remove(key, from: object) }
        document[object, "Subtype"] = document.object("/Type1")
        document[object, "BaseFont"] = document.object("/\(name)")
        document[object, "FirstChar"] = document.object("\(first)")
        document[object, "LastChar"] = document.object("\(last)")
        document[object, "Widths"] = document.object("[\(list(widths))]")
        document[object, "Encoding"] = document.object("<< /Type /Encoding /Differences [\(differences)] >>")
        document[object, "FontDescriptor"] = description
    }

    /// The name without the engine's subset tag and without characters that PostScript names cannot contain.
    private static func plain(_ name: String) -> String {
        let tag = name.utf8.prefix(7)
        let isTagged = tag.last == UInt8(ascii: "+") && tag.dropLast().allSatisfy { (65...90).contains($0) }
        let letters = name.utf8.dropFirst(isTagged ? 7 : 0).filter {
            PDFDrawnFont.isPlain($0) || $0 == UInt8(ascii: "-")
        }
        return String(decoding: letters.prefix(100), as: UTF8.self)
    }

    private func list(_ numbers: [Double]) -> String { numbers.map(number).joined(separator: " ") }

    /// PDF does not allow exponents.
    private func number(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? String(format: "%.4f", value)
    }
}
