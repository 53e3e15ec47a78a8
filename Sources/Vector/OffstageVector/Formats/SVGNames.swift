import Foundation
import Offstage

/// Renames the identifiers in an SVG file. cairo numbers surfaces and images across the whole process, so the same
/// picture would get different names each time.
enum SVGNames {
    private static let words = ["surface", "image"].map { Array($0.utf8) }

    /// Returns the file with these names renumbered in order of appearance.
    static func renumbered(_ file: Data) -> Data {
        var numbers: [Data: Int] = [:]
        var result = Data(capacity: file.count)
        let bytes = Array(file)
        var place = 0
        while place < bytes.count {
            // A name follows a quote, or the # of a reference.
            guard place > 0, bytes[place - 1] == UInt8(ascii: "\"") || bytes[place - 1] == UInt8(ascii: "#"),
                let (word, end) = name(in: bytes, at: place)
            else {
                result.append(bytes[place])
                place += 1
                continue
            }
            let name = Data(bytes[place..<end])
            let number = numbers[name] ?? numbers.count
            numbers[name] = number
            result += word
            result += Data(String(number).utf8)
            place = end
        }
        return result
    }

    /// One of cairo's words and a number, up to a quote or a bracket.
    private static func name(in bytes: [UInt8], at start: Int) -> (word: [UInt8], end: Int)? {
        for word in words where bytes[start...].starts(with: word) {
            var end = start + word.count
            while end < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[end]) { end += 1 }
            guard end > start + word.count, end < bytes.count,
                bytes[end] == UInt8(ascii: "\"") || bytes[end] == UInt8(ascii: ")")
            else { return nil }
            return (word, end)
        }
        return nil
    }
}
