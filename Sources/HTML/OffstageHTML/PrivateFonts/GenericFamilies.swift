import CFontconfig

/// The properties of a font in a file that determine its use as a generic family.
struct FontFace {
    var file: String
    var family: String
    var isMonospaced: Bool
    var hasColors: Bool
    var hasLatin: Bool

    /// - Parameter configuration: An `FcConfig`.
    static func all(in configuration: OpaquePointer) -> [FontFace] {
        guard let set = FcConfigGetFonts(configuration, FcSetSystem) else { return [] }
        return (0..<Int(set.pointee.nfont)).compactMap { index in set.pointee.fonts[index].flatMap(FontFace.init) }
    }

    private init?(pattern: OpaquePointer) {
        func text(_ property: String) -> String? {
            var value: UnsafeMutablePointer<FcChar8>?
            return FcPatternGetString(pattern, property, 0, &value) == FcResultMatch ? String(cString: value!) : nil
        }
        guard let file = text(FC_FILE), let family = text(FC_FAMILY) else { return nil }
        var (spacing, color): (Int32, FcBool) = (0, 0)
        FcPatternGetInteger(pattern, FC_SPACING, 0, &spacing)
        FcPatternGetBool(pattern, FC_COLOR, 0, &color)
        var characters: OpaquePointer?
        FcPatternGetCharSet(pattern, FC_CHARSET, 0, &characters)
        self.file = file
        self.family = family
        isMonospaced = spacing >= FC_DUAL
        hasColors = color != 0
        hasLatin = characters.map { FcCharSetHasChar($0, 0x61) != 0 } ?? false
    }
}

/// The folder's family for each generic family of CSS. `PrivateFonts.use` documents the rule.
struct GenericFamilies {
    var sansSerif: String
    var serif: String
    var monospace: String
    /// Nil if no font has colours.
    var emoji: String?

    /// - Parameter faces: Must not be empty.
    init(_ faces: [FontFace]) {
        let sorted = faces.sorted { ($0.family.lowercased(), $0.file) < ($1.family.lowercased(), $1.file) }
        // A font without Latin letters becomes a generic family only if no font has them.
        let text = sorted.filter { $0.hasLatin && !$0.hasColors }
        let all = text.isEmpty ? sorted : text
        func isNamed(_ word: String, _ face: FontFace) -> Bool {
            face.family.lowercased().split { !$0.isLetter }.contains { $0 == word }
        }
        let isMono = { (face: FontFace) in face.isMonospaced || isNamed("mono", face) }
        let plain = all.filter { !isMono($0) }
        let first = plain.first ?? all[0]
        sansSerif = (plain.first { isNamed("sans", $0) } ?? first).family
        serif = (plain.first { isNamed("serif", $0) && !isNamed("sans", $0) } ?? first).family
        monospace = (all.first(where: isMono) ?? first).family
        emoji = sorted.first(where: \.hasColors)?.family
    }
}
