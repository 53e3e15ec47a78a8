import CWebKitGTK
import Offstage

extension Color {
    /// A CSS colour: a name, `transparent`, `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb(…)`, `rgba(…)`; nil for anything
    /// else.
    public init?(css text: String) {
        if text.lowercased() == "transparent" {
            self = .transparent
        } else if let color = Self.hexadecimalWithAlpha(text) {
            self = color
        } else {
            var color = GdkRGBA()
            guard gdk_rgba_parse(&color, text) != 0 else { return nil }
            self.init(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
        }
    }

    /// `#rgba` and `#rrggbbaa`, which GDK does not know.
    private static func hexadecimalWithAlpha(_ text: String) -> Color? {
        // A number may have a sign, a colour not.
        guard text.hasPrefix("#"), text.count == 5 || text.count == 9, text.dropFirst().allSatisfy(\.isHexDigit),
            let value = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        let (bits, top): (UInt32, UInt32) = text.count == 5 ? (4, 15) : (8, 255)
        func part(_ index: UInt32) -> Double { Double(value >> (bits * index) & top) / Double(top) }
        return Color(red: part(3), green: part(2), blue: part(1), alpha: part(0))
    }

    /// As a CSS value: `rgba(255, 0, 0, 1.0)`.
    public var css: String {
        func byte(_ value: Double) -> Int { Int((min(max(value, 0), 1) * 255).rounded()) }
        return "rgba(\(byte(red)), \(byte(green)), \(byte(blue)), \(min(max(alpha, 0), 1)))"
    }
}
