import CWebKitGTK
import Offstage

/// Warnings about characters that no font has, one for each script.
@MainActor
enum MissingGlyphs {
    /// The characters that no installed font has, in code point order.
    ///
    /// - Returns: `boxes`, which are drawn as boxes, and `doubtful`, which may be invisible anyway.
    static func notInstalled(_ characters: String) -> (boxes: [Unicode.Scalar], doubtful: [Unicode.Scalar]) {
        let missing = characters.unicodeScalars.filter { !InstalledFonts.has($0) }.sorted()
        return (
            missing.filter { !$0.mayBeNothing },
            // A variation selector has no glyph. It only selects a form of the preceding character.
            missing.filter { $0.mayBeNothing && !$0.properties.isVariationSelector }
        )
    }

    static func warnings(_ characters: [Unicode.Scalar]) -> [DrawingWarning] {
        struct Group: Hashable { var name, remedy: String }
        var order: [Group] = []
        var members: [Group: [Unicode.Scalar]] = [:]
        for character in characters {
            let writing = Writing(of: character)
            let group = Group(name: writing.name, remedy: remedy(writing))
            if members[group] == nil { order.append(group) }
            members[group, default: []].append(character)
        }
        return order.map { DrawingWarning(.glyphMissing, subject(members[$0]!, $0.name), reason: $0.remedy) }
    }

    /// For example `U+13000 𓀀, U+13001 𓀁 and 3 more (Egyptian Hieroglyphs)`.
    private static func subject(_ characters: [Unicode.Scalar], _ writing: String) -> String {
        let most = 8
        let names = characters.prefix(most).map(\.shown).joined(separator: ", ")
        let rest = characters.count > most ? " and \(characters.count - most) more" : ""
        return "\(names)\(rest) (\(writing))"
    }

    private static func remedy(_ writing: Writing) -> String {
        if !writing.isText { return "remove it; it is not a text character" }
        if let folder = PrivateFonts.folder { return "put a font that supports it into \(folder)" }
        if let package = writing.packages.first(where: { !InstalledFonts.has(family: $0.family) }) {
            return "install the Debian package \(package.name)"
        }
        return "embed a font that has it, with @font-face"
    }
}

extension Unicode.Scalar {
    /// True if the character may be invisible: spaces, joiners, direction marks. Controls, noncharacters and
    /// private-use characters are drawn as boxes.
    fileprivate var mayBeNothing: Bool {
        if properties.isDefaultIgnorableCodePoint { return true }
        switch properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .format: return true
        default: return false
        }
    }

    /// For example `U+1F9FF 🧿`. Contains only the code if a terminal could show only a box.
    fileprivate var shown: String {
        let digits = String(value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        switch properties.generalCategory {
        case .privateUse, .unassigned, .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator:
            return code
        // Combines the mark with a dotted circle, so that it does not attach to the space before it.
        case .nonspacingMark, .spacingMark, .enclosingMark: return "\(code) \u{25CC}\(self)"
        default: return "\(code) \(self)"
        }
    }
}
