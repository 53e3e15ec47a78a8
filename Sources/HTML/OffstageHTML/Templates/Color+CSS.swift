import Offstage

extension Color {
    /// Parses a CSS colour: a name, `transparent`, `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb(…)`, `rgba(…)`. Nil for
    /// anything else.
    public init?(css text: String) {
        let name = text.lowercased()
        if name == "transparent" {
            self = .transparent
        } else if let value = CSSColorNames.values[name] {
            self = Self.color([16, 8, 0].map { value >> $0 & 255 }, top: 255)
        } else if let color = Self.hexadecimal(text) ?? Self.function(name) {
            self = color
        } else {
            return nil
        }
    }

    private static func hexadecimal(_ text: String) -> Color? {
        // A number may have a sign, but a colour may not.
        guard text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit) else { return nil }
        let digits = text.dropFirst().map { UInt32($0.hexDigitValue!) }
        switch digits.count {
        case 3, 4: return color(digits, top: 15)
        case 6, 8:
            return color(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }, top: 255)
        default: return nil
        }
    }

    private static func color(_ parts: [UInt32], top: Double) -> Color {
        func part(_ index: Int) -> Double { Double(parts[index]) / top }
        return Color(red: part(0), green: part(1), blue: part(2), alpha: parts.count == 4 ? part(3) : 1)
    }

    /// `rgb(255, 0, 0)`, `rgba(100%, 0%, 0%, 0.5)`. Values outside the range count as its ends. No regular expression,
    /// because each drawing reads the colour of its canvas.
    private static func function(_ text: String) -> Color? {
        let hasAlpha = text.hasPrefix("rgba(")
        guard hasAlpha || text.hasPrefix("rgb("), text.hasSuffix(")") else { return nil }
        let parts = text.dropFirst(hasAlpha ? 5 : 4).dropLast().split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == (hasAlpha ? 4 : 3) else { return nil }
        let values = parts.map(\.trimmed)
        let colors = values.prefix(3).map { value in
            value.hasSuffix("%") ? number(value.dropLast()).map { $0 / 100 } : number(value).map { $0 / 255 }
        }
        guard let red = colors[0], let green = colors[1], let blue = colors[2],
            let alpha = hasAlpha ? number(values[3]) : 1
        else { return nil }
        func held(_ value: Double) -> Double { min(max(value, 0), 1) }
        return Color(red: held(red), green: held(green), blue: held(blue), alpha: held(alpha))
    }

    private static let decimals = "0123456789+-.e".utf8

    /// Decimal, unlike Swift's own reading, which also knows `0x1p4`, `inf` and `nan`.
    private static func number(_ text: Substring) -> Double? {
        text.utf8.allSatisfy { decimals.contains($0) } ? Double(text) : nil
    }

    /// The colour as a CSS value: `rgba(255, 0, 0, 1.0)`.
    public var css: String {
        func byte(_ value: Double) -> Int { Int((min(max(value, 0), 1) * 255).rounded()) }
        return "rgba(\(byte(red)), \(byte(green)), \(byte(blue)), \(min(max(alpha, 0), 1)))"
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }
}
