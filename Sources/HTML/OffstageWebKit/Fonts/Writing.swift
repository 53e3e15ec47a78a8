import CWebKitGTK

/// The category of a character, for the advice in a warning: its script or kind of symbol, and the packages with fonts for it.
struct Writing: Hashable {
    /// The English name: `Egyptian Hieroglyphs`, `emoji`.
    var name: String
    /// Debian packages with a suitable font, the best first. Empty if no package can have one.
    var packages: [Package]
    /// False for codes that no font should have.
    var isText = true

    struct Package: Hashable {
        var name: String
        /// A family whose presence shows that the package is installed.
        var family: String
    }

    init(of character: Unicode.Scalar) {
        // Includes digits and symbols: any font with the letters has these too.
        if (0x21...0x7E).contains(character.value) {
            self.init(name: "Latin", packages: [.dejaVu, .noto])
            return
        }
        let script = g_unichar_get_script(character.value)
        switch character.properties.generalCategory {
        case .control: self.init(name: "control", packages: [], isText: false)
        case .unassigned where character.properties.isNoncharacterCodePoint:
            self.init(name: "noncharacter", packages: [], isText: false)
        case .privateUse: self.init(name: "private use", packages: [])
        case .unassigned: self.init(name: "not assigned in this machine's Unicode data", packages: [])
        default:
            if g_unichar_isdefined(character.value) == 0 {
                // Scripts that are newer than this release of Debian.
                self.init(name: character.properties.isEmoji ? "emoji" : "a recently added character", packages: [])
            } else if character.properties.isEmoji {
                self.init(name: "emoji", packages: [.emoji, .noto, .unifont])
            } else if [G_UNICODE_SCRIPT_COMMON, G_UNICODE_SCRIPT_INHERITED, G_UNICODE_SCRIPT_UNKNOWN].contains(script) {
                // Ideographic punctuation, squared words, halfwidth and fullwidth forms.
                let isAsian = [0x2E80...0x33FF, 0xFE30...0xFE4F, 0xFF00...0xFFEF].contains { $0 ~= character.value }
                self.init(name: Self.kind(character), packages: [isAsian ? .cjk : .noto, .unifont])
            } else {
                self.init(name: Self.name(of: script), packages: Self.packages(for: script))
            }
        }
    }

    private init(name: String, packages: [Package], isText: Bool = true) {
        self.name = name
        self.packages = packages
        self.isText = isText
    }

    /// The kind of a character that many scripts share.
    private static func kind(_ character: Unicode.Scalar) -> String {
        switch character.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: "combining mark"
        case .mathSymbol: "mathematics"
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: "space"
        case .format: "format character"
        case .decimalNumber, .letterNumber, .otherNumber: "number"
        case .otherSymbol, .currencySymbol, .modifierSymbol: "symbol"
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: "letter-like symbol"
        default: "punctuation"
        }
    }

    /// The English name for GLib's short name of a script, such as `egyptian-hieroglyphs`.
    private static func name(of script: GUnicodeScript) -> String {
        guard let scripts = g_type_class_ref(g_unicode_script_get_type()) else { return "script" }
        defer { g_type_class_unref(scripts) }
        guard let value = g_enum_get_value(scripts.assumingMemoryBound(to: GEnumClass.self), script.rawValue) else {
            return "script"
        }
        let words = String(cString: value.pointee.value_nick).split(separator: "-")
        return words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }

    /// The packages of Debian 12 with fonts for a script. fonts-noto-core covers all but the newest scripts, with a few
    /// characters missing. Unifont covers nearly all of Unicode, in a simple design.
    private static func packages(for script: GUnicodeScript) -> [Package] {
        switch script {
        case G_UNICODE_SCRIPT_HAN: [.cjk, .hanazono]
        case G_UNICODE_SCRIPT_HANGUL, G_UNICODE_SCRIPT_HIRAGANA, G_UNICODE_SCRIPT_KATAKANA, G_UNICODE_SCRIPT_BOPOMOFO:
            [.cjk, .unifont]
        case G_UNICODE_SCRIPT_EGYPTIAN_HIEROGLYPHS: [.noto, .ancient]
        case G_UNICODE_SCRIPT_CUNEIFORM, G_UNICODE_SCRIPT_ANATOLIAN_HIEROGLYPHS, G_UNICODE_SCRIPT_TANGUT: [.noto]
        case G_UNICODE_SCRIPT_KHITAN_SMALL_SCRIPT, G_UNICODE_SCRIPT_CHORASMIAN, G_UNICODE_SCRIPT_DIVES_AKURU,
            G_UNICODE_SCRIPT_MAKASAR, G_UNICODE_SCRIPT_NANDINAGARI, G_UNICODE_SCRIPT_CYPRO_MINOAN,
            G_UNICODE_SCRIPT_OLD_UYGHUR, G_UNICODE_SCRIPT_TANGSA, G_UNICODE_SCRIPT_TOTO, G_UNICODE_SCRIPT_VITHKUQI,
            G_UNICODE_SCRIPT_KAWI, G_UNICODE_SCRIPT_NAG_MUNDARI:
            [.unifont]
        default: [.noto, .unifont]
        }
    }
}

extension Writing.Package {
    fileprivate static let dejaVu = Self(name: "fonts-dejavu-core", family: "DejaVu Sans")
    fileprivate static let noto = Self(name: "fonts-noto-core", family: "Noto Sans")
    fileprivate static let cjk = Self(name: "fonts-noto-cjk", family: "Noto Sans CJK JP")
    fileprivate static let emoji = Self(name: "fonts-noto-color-emoji", family: "Noto Color Emoji")
    fileprivate static let unifont = Self(name: "fonts-unifont", family: "Unifont")
    fileprivate static let hanazono = Self(name: "fonts-hanazono", family: "HanaMinA")
    fileprivate static let ancient = Self(name: "fonts-ancient-scripts", family: "Aegyptus")
}
