import CFontconfig
import OffstageWebKit
import Testing

/// The scripts that a machine's fonts support.
@Suite struct FontScriptTests {
    /// Scripts/setup installs fonts for all scripts.
    @Test(arguments: FontScript.all) func thisMachineHas(script: FontScript) {
        #expect(!script.families().isEmpty, "no font has \(script.name); install \(script.package)")
    }

    /// The only font is DejaVu Sans, which lacks Indian and Chinese characters, colour emoji and some of mathematics.
    @Test func aMachineWithOneFont() throws {
        let configuration = try #require(FcConfigCreate())
        defer { FcConfigDestroy(configuration) }
        #expect(FcConfigAppFontAddFile(configuration, try file(of: "DejaVu Sans")) == 1)
        let (there, missing) = FontScript.all.reduce(into: ([String: [String]](), [String: String]())) {
            let families = $1.families(in: configuration)
            if families.isEmpty { $0.1[$1.name] = $1.package } else { $0.0[$1.name] = families }
        }
        #expect(Set(there.values) == [["DejaVu Sans"]])
        #expect(Set(there.keys) == ["latin", "cyrillic", "greek", "arabic", "hebrew"])
        #expect(
            missing == [
                "devanagari": "fonts-noto-core", "math": "fonts-noto-core", "emoji": "fonts-noto-color-emoji",
                "han-simplified": "fonts-noto-cjk", "han-traditional": "fonts-noto-cjk", "japanese": "fonts-noto-cjk",
                "korean": "fonts-noto-cjk",
            ])
    }

    @Test func aMachineWithoutFonts() throws {
        let configuration = try #require(FcConfigCreate())
        defer { FcConfigDestroy(configuration) }
        #expect(FontScript.all.allSatisfy { $0.families(in: configuration).isEmpty })
    }

    /// The path of a family's regular font.
    private func file(of family: String) throws -> [UInt8] {
        let pattern = FcNameParse(family + ":style=Book")
        defer { FcPatternDestroy(pattern) }
        FcConfigSubstitute(nil, pattern, FcMatchPattern)
        FcDefaultSubstitute(pattern)
        var result = FcResultMatch
        let font = try #require(FcFontMatch(nil, pattern, &result))
        defer { FcPatternDestroy(font) }
        var path: UnsafeMutablePointer<FcChar8>?
        try #require(FcPatternGetString(font, FC_FILE, 0, &path) == FcResultMatch)
        return Array(String(cString: path!).utf8) + [0]
    }
}
