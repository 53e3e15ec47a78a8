import CWebKitGTK
import Foundation
import Offstage

/// What stood on the command line, with readers that say what is wrong with a value and what would be right.
struct ParsedOptions {
    /// By option name; an empty string for a switch.
    let values: [String: String]
    let operands: [String]

    func has(_ name: String) -> Bool { values[name] != nil }

    func string(_ name: String) -> String? { values[name] }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                "--\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
        }
        return number
    }

    /// - Parameter limit: the most that is allowed; more than 0 always is.
    func positive(_ name: String, upTo limit: Double) throws(UsageError) -> Double? {
        guard let text = values[name] else { return nil }
        guard let number = Double(text), number > 0, number <= limit else {
            throw UsageError("--\(name) takes a number of more than 0 up to \(Int(limit)), not '\(text)'")
        }
        return number
    }

    func choice(_ name: String, _ choices: [String]) throws(UsageError) -> String? {
        guard let text = values[name] else { return nil }
        guard choices.contains(text) else {
            throw UsageError("--\(name) takes \(choices.joined(separator: ", ")), not '\(text)'")
        }
        return text
    }

    /// A CSS colour: a name, `transparent`, `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb(…)`, `rgba(…)`.
    func color(_ name: String) throws(UsageError) -> Color? {
        guard let text = values[name] else { return nil }
        if text.lowercased() == "transparent" { return .transparent }
        if let color = Self.hexadecimalWithAlpha(text) { return color }
        var color = GdkRGBA()
        guard gdk_rgba_parse(&color, text) != 0 else {
            throw UsageError(
                "--\(name) takes a colour such as white, transparent, #1e90ff or rgba(0,0,0,0.5), not '\(text)'")
        }
        return Color(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
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
}
