import Foundation

/// Searches in the bytes of a document. Each search takes time in proportion to the number of bytes.
extension UnsafeRawBufferPointer {
    /// The index at which a text starts.
    func firstIndex(of text: StaticString, from start: Int) -> Int? {
        let length = text.utf8CodeUnitCount
        guard let base = baseAddress else { return nil }
        var offset = start
        while offset + length <= count,
            let found = memchr(base + offset, Int32(text.utf8Start[0]), count - offset - length + 1)
        {
            offset = UnsafeRawPointer(found) - base
            if memcmp(found, text.utf8Start, length) == 0 { return offset }
            offset += 1
        }
        return nil
    }

    /// True if a word, given in lower case, starts at an index, in any case.
    func has(_ word: StaticString, at index: Int) -> Bool {
        let length = word.utf8CodeUnitCount
        guard index >= 0, index + length <= count else { return false }
        for offset in 0..<length where Self.lower(self[index + offset]) != word.utf8Start[offset] { return false }
        return true
    }

    private static func lower(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 0x20 : byte }
}

extension [DataURI.Edit] {
    /// Returns the text with these changes, which must be in the order of the text. Without changes, returns the same
    /// text.
    func applied(to text: Data) -> Data {
        if isEmpty { return text }
        return text.withUnsafeBytes { bytes in
            var result = Data(capacity: bytes.count + reduce(0) { $0 + $1.bytes.count })
            var copied = 0
            for edit in self {
                result.append(contentsOf: bytes[copied..<edit.range.lowerBound])
                result.append(contentsOf: edit.bytes)
                copied = edit.range.upperBound
            }
            result.append(contentsOf: bytes[copied...])
            return result
        }
    }
}
