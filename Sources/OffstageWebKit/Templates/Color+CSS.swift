import CWebKitGTK
import Offstage

extension Color {
    /// Parses a CSS colour: a name, `transparent`, `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb(…)`, `rgba(…)`. Nil for
    /// anything else.
    public init?(css text: String) {
        if text.lowercased() == "transparent" {
            self = .transparent
        } else if let color = Self.hexadecimal(text) {
            self = color
        } else {
            var color = GdkRGBA()
            guard (try? SharedLibrary.gdk.load()) != nil, gdk_rgba_parse(&color, text) != 0 else { return nil }
            self.init(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
        }
    }

    /// GDK does not parse hexadecimal colours with alpha. For those without alpha, it need not be loaded.
    private static func hexadecimal(_ text: String) -> Color? {
        // A number may have a sign, but a colour may not.
        guard text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit) else { return nil }
        let digits = text.dropFirst().map { UInt32($0.hexDigitValue!) }
        func color(_ parts: [UInt32], top: Double) -> Color {
            func part(_ index: Int) -> Double { Double(parts[index]) / top }
            return Color(red: part(0), green: part(1), blue: part(2), alpha: parts.count == 4 ? part(3) : 1)
        }
        switch digits.count {
        case 3, 4: return color(digits, top: 15)
        case 6, 8:
            return color(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }, top: 255)
        default: return nil
        }
    }

    /// The colour as a CSS value: `rgba(255, 0, 0, 1.0)`.
    public var css: String {
        func byte(_ value: Double) -> Int { Int((min(max(value, 0), 1) * 255).rounded()) }
        return "rgba(\(byte(red)), \(byte(green)), \(byte(blue)), \(min(max(alpha, 0), 1)))"
    }
}
