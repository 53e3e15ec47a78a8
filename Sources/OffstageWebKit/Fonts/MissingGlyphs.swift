import CWebKitGTK
import Offstage

/// Characters that no font has, as warnings: one a script.
@MainActor
enum MissingGlyphs {
    /// The characters that draw something and that no installed font has; in the order of their code points.
    static func notInstalled(_ characters: String) -> [Unicode.Scalar] {
        characters.unicodeScalars.filter { $0.needsGlyph && !InstalledFonts.has($0) }.sorted()
    }

    static func warnings(_ characters: [Unicode.Scalar]) -> [DrawingWarning] {
        var groups: [(writing: Writing, characters: [Unicode.Scalar])] = []
        for character in characters {
            let writing = Writing(of: character)
            if let index = groups.firstIndex(where: { $0.writing == writing }) {
                groups[index].characters.append(character)
            } else {
                groups.append((writing, [character]))
            }
        }
        return groups.map { DrawingWarning(.glyphMissing, subject($1, of: $0), reason: remedy($0)) }
    }

    /// `U+13000 𓀀, U+13001 𓀁 and 3 more (Egyptian Hieroglyphs)`
    private static func subject(_ characters: [Unicode.Scalar], of writing: Writing) -> String {
        let most = 8
        let names = characters.prefix(most).map(\.shown).joined(separator: ", ")
        let rest = characters.count > most ? " and \(characters.count - most) more" : ""
        return "\(names)\(rest) (\(writing.name))"
    }

    private static func remedy(_ writing: Writing) -> String {
        if !writing.isText { return "take it out, it is no text" }
        if let package = writing.packages.first(where: { !InstalledFonts.has(family: $0.family) }) {
            return "install the Debian package \(package.name)"
        }
        return "bring a font that has it with @font-face"
    }
}

extension Unicode.Scalar {
    /// False for what draws nothing by its nature: spaces, joiners, variation selectors. Without a font that has them,
    /// controls, noncharacters and private use are boxes like any other.
    fileprivate var needsGlyph: Bool {
        if properties.isDefaultIgnorableCodePoint { return false }
        switch properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: return false
        default: return true
        }
    }

    /// `U+1F9FF 🧿`; the number alone where a terminal could show no more than a box.
    fileprivate var shown: String {
        let digits = String(value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        switch properties.generalCategory {
        case .privateUse, .unassigned, .control, .format: return code
        // On its own circle, not on the space before it.
        case .nonspacingMark, .spacingMark, .enclosingMark: return "\(code) \u{25CC}\(self)"
        default: return "\(code) \(self)"
        }
    }
}
