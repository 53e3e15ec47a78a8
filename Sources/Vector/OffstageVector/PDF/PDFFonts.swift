internal import COffstageVector
import Foundation
import Offstage

/// Reduces a document's fonts to the glyphs in use, because an engine embeds whole fonts.
struct PDFFonts {
    let document: PDFDocument

    func subset() {
        // The font files by object number. Several fonts may share one.
        var files: [Int: (file: PDFDocument.Object, glyphs: Set<UInt16>)] = [:]
        guard let (shown, isFilled) = shownCodes() else { return }
        for (font, codes) in shown {
            let object = document.numbered(font)
            // Requires that the codes are glyph numbers.
            guard document.isName(document[object, "Encoding"], "Identity-H"),
                let descendant = document.items(of: document[object, "DescendantFonts"]).first,
                document.isName(document[descendant, "Subtype"], "CIDFontType2")
            else { continue }
            let file = document[document[descendant, "FontDescriptor"], "FontFile2"]
            guard document.isStream(file) else { continue }
            let glyphs = stride(from: 0, to: codes.count - 1, by: 2).map {
                UInt16(codes[$0]) << 8 | UInt16(codes[$0 + 1])
            }
            files[document.number(of: file), default: (file, [])].glyphs.formUnion(glyphs)
        }
        for (_, (file, glyphs)) in files.sorted(by: { $0.key < $1.key }) {
            guard let whole = document.content(of: file), let part = Self.subset(of: whole, glyphs) else { continue }
            document.replace(contentOf: file, by: part)
            document[file, "Length1"] = document.object("\(part.count)")
        }
        if isFilled { PDFOutlineFonts(document: document).replace(shown) }
    }

    /// The used codes by font number, and true if all text is filled. Nil if there may be more codes.
    private func shownCodes() -> (shown: [Int: Data], isFilled: Bool)? {
        var shown: [Int: Data] = [:]
        var isFilled = true
        for object in document.objects where document.isStream(object) {
            // The pages are forms now. Patterns have resources as well.
            let fonts = document[document[object, "Resources"], "Font"]
            guard document.isDictionary(fonts), let content = document.content(of: object) else { continue }
            let scanner = PDFTextScanner(content)
            if !scanner.isWhole { return nil }
            if !scanner.isFilled { isFilled = false }
            for (name, codes) in scanner.shown {
                let font = document.number(of: document[fonts, name])
                if font > 0 { shown[font, default: Data()] += codes }
            }
        }
        return (shown, isFilled)
    }

    /// Nil if HarfBuzz cannot read the file.
    private static func subset(of file: Data, _ glyphs: Set<UInt16>) -> Data? {
        let glyphs = glyphs.sorted()
        var count = 0
        let bytes = file.withUnsafeBytes {
            offstage_font_subset($0.baseAddress, $0.count, glyphs, glyphs.count, &count)
        }
        return bytes.map { Data(bytesNoCopy: $0, count: count, deallocator: .free) }
    }
}
