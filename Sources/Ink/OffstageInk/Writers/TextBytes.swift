import Foundation

/// Builds a UTF-8 text. Numbers are independent of the locale, and as short as their decimals allow.
struct TextBytes {
    // An array, because a byte of `Data` costs several calls, and a document has millions of bytes.
    private var bytes: [UInt8] = []

    var data: Data { Data(bytes) }

    mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }
    mutating func add(_ byte: UInt8) { bytes.append(byte) }

    /// Adds a number, rounded to some decimals.
    mutating func add(_ number: Float, decimals: Int = 3) {
        var factor = 1
        for _ in 0..<decimals { factor *= 10 }
        let scaled = (Double(number) * Double(factor)).rounded()
        guard scaled.isFinite, abs(scaled) < 1e15 else { return add(UInt8(ascii: "0")) }
        var value = Int(scaled)
        if value < 0 {
            add(UInt8(ascii: "-"))
            value = -value
        }
        add(integer: value / factor)
        var rest = value % factor
        guard rest > 0 else { return }
        add(UInt8(ascii: "."))
        while rest > 0 {
            factor /= 10
            add(UInt8(ascii: "0") + UInt8(rest / factor))
            rest %= factor
        }
    }

    mutating func add(integer: Int) {
        let (start, number) = (bytes.count, max(0, integer))
        var rest = number
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        if number > 9 { bytes[start...].reverse() }
    }

    /// Adds XML text. Leaves out characters that XML does not allow.
    mutating func add(escaped text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": add("&amp;")
            case "<": add("&lt;")
            case ">": add("&gt;")
            case "\"": add("&quot;")
            case "\t", "\n", "\r": add("&#\(scalar.value);")
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
            default: add(String(scalar))
            }
        }
    }

    /// Writes `#rrggbbaa`, or `#rrggbb`.
    mutating func add(_ color: InkColor, hasOpacity: Bool) {
        add(UInt8(ascii: "#"))
        add(digitsOf: color, hasOpacity: hasOpacity)
    }

    /// Writes `rrggbbaa`, or `rrggbb`.
    mutating func add(digitsOf color: InkColor, hasOpacity: Bool = false) {
        let digits = Array("0123456789abcdef".utf8)
        for byte in [color.red, color.green, color.blue] + (hasOpacity ? [color.opacity] : []) {
            add(digits[Int(byte >> 4)])
            add(digits[Int(byte & 15)])
        }
    }
}
