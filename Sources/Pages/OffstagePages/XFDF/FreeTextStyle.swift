import Foundation

/// The font, size and colour in a free text's default appearance, which consists of PDF operators: `/Helv 12 Tf 1 0 0
/// rg`.
struct FreeTextAppearance {
    var font: String?
    var size: Double?
    var color: PageAnnotation.Color?

    init(_ text: String) {
        var operands: [Substring] = []
        for word in text.split(whereSeparator: \.isWhitespace).prefix(100) {
            switch word {
            case "Tf":
                if operands.count > 1, let size = Double(operands[operands.count - 1]), (0...1_000).contains(size) {
                    font = operands[operands.count - 2].trimmingPrefix("/").description
                    self.size = size
                }
            case "rg", "RG", "g", "G", "k", "K": color = Self.color(operands.compactMap { Double($0) }) ?? color
            default:
                operands.append(word)
                continue
            }
            operands = []
        }
    }

    private static func color(_ parts: [Double]) -> PageAnnotation.Color? {
        func byte(_ part: Double) -> UInt8 { UInt8((min(max(part.isNaN ? 0 : part, 0), 1) * 255).rounded()) }
        switch parts.count {
        case 1: return .init(red: byte(parts[0]), green: byte(parts[0]), blue: byte(parts[0]))
        case 3: return .init(red: byte(parts[0]), green: byte(parts[1]), blue: byte(parts[2]))
        case 4:
            let light = parts[..<3].map { (1 - $0) * (1 - parts[3]) }
            return .init(red: byte(light[0]), green: byte(light[1]), blue: byte(light[2]))
        default: return nil
        }
    }
}

/// The font, size, colour and alignment in a free text's default style, which is CSS: `font: 12pt Helvetica; color:
/// #FF0000; text-align: center`.
struct FreeTextStyle {
    var family: String?
    /// Points.
    var size: Double?
    var color: PageAnnotation.Color?
    var alignment: String?

    init(_ text: String) {
        for declaration in text.split(separator: ";").prefix(100) {
            let parts = declaration.split(separator: ":", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespacesAndNewlines)
            }
            guard parts.count == 2 else { continue }
            switch parts[0].lowercased() {
            case "font": readFont(parts[1])
            case "font-size": size = Self.points(parts[1]) ?? size
            case "font-family": family = Self.family(parts[1]) ?? family
            case "color": color = Self.color(parts[1].lowercased()) ?? color
            case "text-align": alignment = parts[1].lowercased()
            default: break
            }
        }
    }

    /// The size can precede or follow the family.
    private mutating func readFont(_ text: String) {
        var names: [Substring] = []
        for word in text.split(separator: " ") {
            if let points = Self.points(String(word)) { size = points } else { names.append(word) }
        }
        let words: Set<String> = ["bold", "italic", "normal", "oblique"]
        family = Self.family(names.filter { !words.contains($0.lowercased()) }.joined(separator: " ")) ?? family
    }

    /// Reads `12pt`, `16px` or `12`, optionally followed by a line height, `12pt/1.2`.
    private static func points(_ text: String) -> Double? {
        let size = text.lowercased().prefix { $0 != "/" }
        let number = size.hasSuffix("pt") || size.hasSuffix("px") ? size.dropLast(2) : size
        guard let value = Double(number).map({ size.hasSuffix("px") ? $0 * 0.75 : $0 }), value > 0, value <= 1_000
        else {
            return nil
        }
        return value
    }

    private static let names = [
        "black": "#000000", "white": "#FFFFFF", "red": "#FF0000", "green": "#008000", "blue": "#0000FF",
        "yellow": "#FFFF00", "gray": "#808080", "grey": "#808080", "orange": "#FFA500", "purple": "#800080",
        "navy": "#000080", "maroon": "#800000",
    ]

    /// Reads `#RRGGBB`, `#RGB`, `rgb(0, 128, 255)`, or a common name.
    private static func color(_ text: String) -> PageAnnotation.Color? {
        if text.hasPrefix("rgb("), text.hasSuffix(")") {
            let parts = text.dropFirst(4).dropLast().split { $0 == "," || $0 == " " }.compactMap { UInt8($0) }
            return parts.count == 3 ? PageAnnotation.Color(red: parts[0], green: parts[1], blue: parts[2]) : nil
        }
        let long = text.count == 4 && text.hasPrefix("#") ? "#" + text.dropFirst().map { "\($0)\($0)" }.joined() : text
        return PageAnnotation.Color(hexadecimal: names[text] ?? long)
    }

    /// The first name of a list.
    private static func family(_ text: String) -> String? {
        let first = text.split(separator: ",").first.map {
            $0.trimmingCharacters(in: CharacterSet(charactersIn: " '\""))
        }
        return first?.isEmpty == false ? first : nil
    }
}
