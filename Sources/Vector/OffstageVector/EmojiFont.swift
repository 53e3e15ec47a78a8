internal import COffstageVector
import Foundation

/// Finds the glyphs of texts that a font draws as a single glyph, such as flags and families.
public enum EmojiFont {
    /// Returns the texts by glyph, without those that need several glyphs.
    ///
    /// - Parameters:
    ///   - texts: short texts, each in one script.
    ///   - path: the font's file.
    ///   - index: the font's number in the file.
    public static func glyphs(of texts: [String], in path: String, index: Int) -> [Int: String] {
        guard let font = offstage_font_open(path, UInt32(max(0, index))) else { return [:] }
        defer { offstage_font_close(font) }
        var glyphs: [Int: String] = [:]
        for text in texts {
            let glyph = Int(offstage_font_glyph(font, text))
            if glyph > 0, glyphs[glyph] == nil { glyphs[glyph] = text }
        }
        return glyphs
    }
}
