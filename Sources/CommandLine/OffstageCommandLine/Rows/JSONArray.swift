import Foundation
import OffstageRequests

/// Finds the elements of a JSON array without decoding them: each is decoded when its row is needed.
enum JSONArray {
    /// - Parameter name: the file's name, for messages.
    static func elements(of bytes: Data, from start: Int, in name: String) throws(UsageError) -> [RowFile.Line] {
        var scanner = Scanner(bytes: bytes, position: start)
        do {
            return try scanner.elements()
        } catch {
            throw UsageError("\(name):\(scanner.line): not a JSON array of objects: \(error.problem)")
        }
    }

    private struct Malformed: Error {
        let problem: String
    }

    private struct Scanner {
        let bytes: Data
        var position: Int
        var line = 1

        mutating func elements() throws(Malformed) -> [RowFile.Line] {
            var found: [RowFile.Line] = []
            skipSpace()
            // The caller has checked the opening bracket.
            position += 1
            skipSpace()
            if next == UInt8(ascii: "]") {
                position += 1
            } else {
                while true {
                    let (start, number) = (position, line)
                    try skipElement()
                    found.append(RowFile.Line(number: number, bytes: start..<position))
                    skipSpace()
                    guard let end = next else { throw Malformed(problem: "it does not end; there is no ]") }
                    position += 1
                    if end == UInt8(ascii: "]") { break }
                    skipSpace()
                }
            }
            skipSpace()
            if next != nil { throw Malformed(problem: "text follows the closing ]") }
            return found
        }

        private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

        private mutating func skipSpace() {
            while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                if byte == 0x0A { line += 1 }
                position += 1
            }
        }

        /// Skips to the comma or bracket after an element. The decoder checks the element later.
        private mutating func skipElement() throws(Malformed) {
            let start = position
            var (depth, isInText, isEscaped) = (0, false, false)
            while let byte = next {
                if isInText {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if byte == UInt8(ascii: "\"") {
                        isInText = false
                    }
                } else {
                    switch byte {
                    case UInt8(ascii: "\""): isInText = true
                    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                    case UInt8(ascii: "]") where depth == 0, UInt8(ascii: ",") where depth == 0:
                        if position == start {
                            throw Malformed(problem: "an element is missing between two commas or at the end")
                        }
                        return
                    case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                    default: break
                    }
                }
                if byte == 0x0A { line += 1 }
                position += 1
            }
            throw Malformed(problem: "it does not end; there is no ]")
        }
    }
}
