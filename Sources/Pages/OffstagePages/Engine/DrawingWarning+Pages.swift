import Offstage

extension DrawingWarning.Code {
    /// The document's table of objects was damaged and was rebuilt; parts may be missing. The subject is `the document`.
    public static let documentDamaged = Self("document-damaged", "damaged, drawn as far as it can be read: ")
    /// A font is not embedded in the document and was replaced, so the letters differ. The subject is the font's name.
    /// The standard's 14 fonts, which need not be embedded, are not reported.
    public static let pageFontReplaced = Self("page-font-replaced", "not in the document, so another font was used: ")
        .with {
            $0.isDefect = false
        }

    /// No installed font has a character of a free text that is not in the document. The subject is `some characters of annotations`.
    public static let pageTextMissing = Self("page-text-missing", "not drawn because no font has them: ")

    /// A free text that is not in the document is longer than its box. The subject is `the end of an annotation's text`.
    public static let pageTextCut = Self("page-text-cut", "not drawn because the box is too small: ")

    /// All codes that a drawing of a PDF page may have.
    public static let pages: [Self] = [.documentDamaged, .pageFontReplaced, .pageTextMissing, .pageTextCut]
}

/// The fonts that every viewer has.
enum StandardFonts {
    private static let families: Set = [
        "Helvetica", "Times", "Courier", "Symbol", "ZapfDingbats", "Arial", "ArialMT", "TimesNewRoman",
        "TimesNewRomanPS",
        "TimesNewRomanPSMT", "CourierNew", "CourierNewPS", "CourierNewPSMT",
    ]
    private static let styles: Set = [
        "", "roman", "regular", "normal", "bold", "italic", "oblique", "bolditalic", "boldoblique", "mt", "boldmt",
        "italicmt",
        "bolditalicmt",
    ]

    /// True for the standard's 14 fonts, under these names or the names that old programs gave them. `Arial-Black` and
    /// `Helvetica-Light` are other fonts.
    static func contain(_ name: String) -> Bool {
        let family = name.prefix { $0 != "-" && $0 != "," }
        let style = name.dropFirst(family.count).filter { $0 != "-" && $0 != "," && $0 != " " }.lowercased()
        return families.contains(String(family)) && styles.contains(style)
    }
}
