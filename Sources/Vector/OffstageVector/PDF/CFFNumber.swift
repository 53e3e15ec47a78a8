import Foundation

/// The encodings of numbers in CFF.
enum CFFNumber {
    /// The number in units of 1/65,536.
    static func fixed(_ number: Double) -> Int { Int((number * 65536).rounded()) }

    /// An operand of a charstring.
    ///
    /// - Parameter fixed: in units of 1/65,536.
    static func operand(_ fixed: Int) -> [UInt8] {
        guard fixed & 0xFFFF == 0 else { return [255] + bigEndian(fixed, 4) }
        return small(fixed >> 16) ?? [28] + bigEndian(fixed >> 16, 2)
    }

    /// An integer in a dictionary.
    static func integer(_ number: Int) -> [UInt8] { small(number) ?? place(number) }

    /// An integer in a dictionary, always five bytes long, so that its value does not move the bytes that follow.
    static func place(_ number: Int) -> [UInt8] { [29] + bigEndian(number, 4) }

    /// A real number in a dictionary, as digits of four bits each.
    static func real(_ number: Double) -> [UInt8] {
        let text = String(format: "%.10g", number).replacing("e-", with: "n")
        var digits = text.compactMap { character -> UInt8? in
            switch character {
            case ".": 0xA
            case "e": 0xB
            case "n": 0xC
            case "-": 0xE
            default: character.wholeNumberValue.map(UInt8.init)
            }
        }
        digits += digits.count.isMultiple(of: 2) ? [0xF, 0xF] : [0xF]
        return [30] + stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    static func bigEndian(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func small(_ number: Int) -> [UInt8]? {
        switch number {
        case -107...107: [UInt8(number + 139)]
        case 108...1131: bigEndian(number - 108 + 247 << 8, 2)
        case -1131...(-108): bigEndian(-number - 108 + 251 << 8, 2)
        default: nil
        }
    }
}
