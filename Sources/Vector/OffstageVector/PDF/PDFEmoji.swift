import Foundation
import Offstage

/// Sets the texts of emoji that consist of several characters, such as flags and families. An engine assigns private
/// characters to their glyphs, or no characters at all.
struct PDFEmoji {
    let document: PDFDocument
    /// The texts by glyph, for each font by its PostScript name.
    let texts: [String: [Int: String]]

    func name() {
        if texts.isEmpty { return }
        for object in document.objects where document.isName(document[object, "Subtype"], "Type3") {
            let fontName = document.name(document[document[object, "FontDescriptor"], "FontName"]) ?? ""
            guard let texts = texts[Self.withoutTag(fontName)] else { continue }
            let map = document[object, "ToUnicode"]
            var characters =
                document.content(of: map).map { Self.characters(in: String(decoding: $0, as: UTF8.self)) } ?? [:]
            var isChanged = false
            for (code, glyph) in glyphs(of: object) {
                guard let text = texts[glyph] else { continue }
                characters[code] = text.utf16.map { String(format: "%04X", Int($0)) }.joined()
                isChanged = true
            }
            if isChanged { document[object, "ToUnicode"] = document.stream(Data(Self.map(characters).utf8)) }
        }
    }

    private static func withoutTag(_ name: String) -> String {
        let parts = name.split(separator: "+", maxSplits: 1)
        return parts.count == 2 && parts[0].count == 6 ? String(parts[1]) : name
    }

    /// The glyph numbers by code. A glyph's name is `g` and its number.
    private func glyphs(of font: PDFDocument.Object) -> [Int: Int] {
        var glyphs: [Int: Int] = [:]
        var code = 0
        for item in document.items(of: document[document[font, "Encoding"], "Differences"]) {
            if let name = document.name(item) {
                // Glyph 0 is a filler.
                if name.hasPrefix("g"), let glyph = Int(name.dropFirst(), radix: 16), glyph > 0 { glyphs[code] = glyph }
                code += 1
            } else {
                code = document.integer(item)
            }
        }
        return glyphs
    }

    /// The characters by code in a CMap of one-byte codes (PDF 32000-1, 9.10.3): UTF-16 in hexadecimal.
    static func characters(in map: String) -> [Int: String] {
        var characters: [Int: String] = [:]
        var isCharacters = false
        for line in map.split(whereSeparator: \.isNewline) {
            if line.hasSuffix("beginbfchar") || line.hasSuffix("beginbfrange") { isCharacters = true }
            if line.hasPrefix("end") { isCharacters = false }
            let parts = line.split(separator: " ").map { $0.trimmingCharacters(in: ["<", ">"]) }
            guard isCharacters, line.hasPrefix("<"), let first = Int(parts[0], radix: 16) else { continue }
            if parts.count == 2 { characters[first] = parts[1] }
            guard parts.count == 3, let last = Int(parts[1], radix: 16), first <= last, last < 256,
                let unit = Int(parts[2].suffix(4), radix: 16)
            else { continue }
            for code in first...last {
                characters[code] = parts[2].dropLast(4) + String(format: "%04X", unit + code - first)
            }
        }
        return characters
    }

    private static func map(_ characters: [Int: String]) -> String {
        let codes = characters.keys.sorted()
        // A block has at most 100 entries.
        let blocks = stride(from: 0, to: codes.count, by: 100).map { start in
            let part = codes[start..<min(start + 100, codes.count)]
            let lines = part.map { "<\(String(format: "%02X", $0))> <\(characters[$0] ?? "")>" }
            return "\(part.count) beginbfchar\n\(lines.joined(separator: "\n"))\nendbfchar"
        }
        return """
            /CIDInit /ProcSet findresource begin
            12 dict begin
            begincmap
            /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
            /CMapName /Adobe-Identity-UCS def
            /CMapType 2 def
            1 begincodespacerange
            <00> <FF>
            endcodespacerange
            \(blocks.joined(separator: "\n"))
            endcmap
            CMapName currentdict /CMap defineresource pop
            end
            end
            """
    }
}
