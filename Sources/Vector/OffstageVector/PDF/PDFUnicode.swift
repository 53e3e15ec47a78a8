import Foundation
import Offstage

/// Corrects the characters of a document's glyphs, for searching and copying its text.
///
/// If several characters share a glyph, an engine names one of them, such as a radical for 日 or a final form for an
/// Arabic letter. This replaces it with the character that people type.
struct PDFUnicode {
    let document: PDFDocument

    func normalize() {
        for object in document.objects where document.isDictionary(object) {
            let map = document[object, "ToUnicode"]
            guard document.isName(document[object, "Type"], "Font"), document.isStream(map),
                let content = document.content(of: map)
            else { continue }
            let text = String(decoding: content, as: UTF8.self)
            let normal = Self.normalized(text)
            if normal != text { document.replace(contentOf: map, by: Data(normal.utf8)) }
        }
    }

    /// Returns a CMap (PDF 32000-1, 9.10.3) with the characters that people type.
    static func normalized(_ map: String) -> String {
        map.split(separator: "\n", omittingEmptySubsequences: false).map(line).joined(separator: "\n")
    }

    /// `<code> <characters>`, or `<first> <last> <characters>`, where each code maps to the character after the
    /// previous one.
    private static func line(_ line: Substring) -> String {
        let parts = line.split(separator: " ")
        guard (2...3).contains(parts.count), parts.allSatisfy({ $0.hasPrefix("<") && $0.hasSuffix(">") }) else {
            return String(line)
        }
        let numbers = parts.map { UInt32($0.dropFirst().dropLast(), radix: 16) }
        guard let last = numbers.last ?? nil, last <= 0xFFFF else { return String(line) }
        if parts.count == 2 {
            return normal(last).map { "\(parts[0]) \($0)" } ?? String(line)
        }
        guard let from = numbers[0], let to = numbers[1], from <= to, to - from < 256,
            (0...to - from).contains(where: { normal(last + $0) != nil })
        else { return String(line) }
        let all = (0...to - from).map { normal(last + $0) ?? String(format: "<%04X>", last + $0) }
        return "\(parts[0]) \(parts[1]) [\(all.joined(separator: " "))]"
    }

    /// Radicals, ligatures, and Arabic presentation forms.
    private static let replaced: [ClosedRange<UInt32>] = [0x2E80...0x2FDF, 0xFB00...0xFDFF, 0xFE70...0xFEFE]

    /// The replacement in UTF-16; nil if the character needs none.
    private static func normal(_ character: UInt32) -> String? {
        guard replaced.contains(where: { $0.contains(character) }), let scalar = Unicode.Scalar(character) else {
            return nil
        }
        let normal = String(scalar).precomposedStringWithCompatibilityMapping
        guard normal.unicodeScalars.first != scalar else { return nil }
        return "<" + normal.utf16.map { String(format: "%04X", Int($0)) }.joined() + ">"
    }
}
