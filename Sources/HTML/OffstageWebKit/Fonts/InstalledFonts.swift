import CFontconfig

/// The characters and families of all fonts that web processes use: the machine's, or those of `PrivateFonts`. Read once per
/// process, when a document first needs them, in a few milliseconds.
@MainActor
enum InstalledFonts {
    static func has(_ character: Unicode.Scalar) -> Bool { has(code: character.value) }

    static func has(code: UInt32) -> Bool { FcCharSetHasChar(coverage, code) != 0 }

    /// True if the fonts have every letter, digit and symbol of ASCII.
    static let hasASCII = (0x21...0x7E).allSatisfy { has(code: $0) }

    /// - Parameter family: The name as in CSS; case does not matter.
    static func has(family: String) -> Bool { families.contains(family.lowercased()) }

    /// Every name of every family in lower case, including names in other languages.
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

    /// A font's file.
    struct File {
        let path: String
        /// The font's number in the file.
        let index: Int
    }

    /// The files of the fonts with colours, by PostScript name.
    static let colorFonts: [String: File] = {
        var files: [String: File] = [:]
        for font in fonts() {
            var (isColor, index): (FcBool, Int32) = (0, 0)
            var (path, name): (UnsafeMutablePointer<FcChar8>?, UnsafeMutablePointer<FcChar8>?)
            guard FcPatternGetBool(font, FC_COLOR, 0, &isColor) == FcResultMatch, isColor != 0,
                FcPatternGetString(font, FC_FILE, 0, &path) == FcResultMatch, let path,
                FcPatternGetString(font, FC_POSTSCRIPT_NAME, 0, &name) == FcResultMatch, let name
            else { continue }
            FcPatternGetInteger(font, FC_INDEX, 0, &index)
            files[String(cString: name)] = File(path: String(cString: path), index: Int(index))
        }
        return files
    }()

    /// The union of the `FcCharSet`s of scalable fonts. WebKit draws text only with those.
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
