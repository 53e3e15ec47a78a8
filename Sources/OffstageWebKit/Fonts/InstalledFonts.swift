import CFontconfig

/// What the fonts that web processes use have, all together: the machine's, or those of `PrivateFonts`. Asked for once a
/// process, when a document first needs to know (a few milliseconds).
@MainActor
enum InstalledFonts {
    static func has(_ character: Unicode.Scalar) -> Bool { has(code: character.value) }

    static func has(code: UInt32) -> Bool { FcCharSetHasChar(coverage, code) != 0 }

    /// Every letter, digit and sign of ASCII.
    static let hasASCII = (0x21...0x7E).allSatisfy { has(code: $0) }

    /// - Parameter family: as CSS names it; upper and lower case are the same.
    static func has(family: String) -> Bool { families.contains(family.lowercased()) }

    /// Every name of every family, also those in other languages, in lower case.
    private static let families: Set<String> = {
        var names: Set<String> = []
        for font in fonts() {
            var index: Int32 = 0
            var name: UnsafeMutablePointer<FcChar8>?
            while FcPatternGetString(font, FC_FAMILY, index, &name) == FcResultMatch, let found = name {
                names.insert(String(cString: found).lowercased())
                index += 1
            }
        }
        return names
    }()

    /// The union of their `FcCharSet`s. Only of fonts that can have any size: WebKit draws text with no others.
    private static let coverage: OpaquePointer? = {
        let union = FcCharSetCreate()
        for font in fonts() {
            var isScalable: FcBool = 0
            FcPatternGetBool(font, FC_SCALABLE, 0, &isScalable)
            var characters: OpaquePointer?
            if isScalable != 0, FcPatternGetCharSet(font, FC_CHARSET, 0, &characters) == FcResultMatch {
                FcCharSetMerge(union, characters, nil)
            }
        }
        return union
    }()

    private static func fonts() -> [OpaquePointer] {
        guard let set = FcConfigGetFonts(nil, FcSetSystem) else { return [] }
        return (0..<Int(set.pointee.nfont)).compactMap { set.pointee.fonts[$0] }
    }
}
