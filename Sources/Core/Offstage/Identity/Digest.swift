import CBlake2
import Foundation

/// Identifies bytes by 32 bytes: BLAKE2b-256. In practice, different contents never have the same digest.
public struct Digest: Sendable, Hashable {
    /// In memory order. Stored in the value itself, so that a digest needs no allocation.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Bytes in a digest.
    public static let length = 32

    public init(of data: Data) {
        var digester = Digester()
        digester.add(data)
        self = digester.finish()
    }

    /// The digest of a text's UTF-8 bytes.
    public init(of text: String) {
        var digester = Digester()
        digester.add(text)
        self = digester.finish()
    }

    /// The digest of a regular file's content, which is read in pieces.
    ///
    /// - Throws: `FileError` if the file does not exist (ENOENT), cannot be read, or is a pipe or a device.
    public init(ofFile path: String) throws(FileError) {
        let (file, size) = try PlainFile.descriptor(path)
        defer { close(file) }
        var digester = Digester()
        // A larger buffer would come from the system each time, which clears it. One byte more than the file: a read
        // that returns fewer bytes has reached the end.
        let step = min(max(size + 1, 4 << 10), 64 << 10)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: step, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = read(file, buffer.baseAddress, step)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw FileError("read", path: path, code: errno) }
            digester.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            if count < step { break }
        }
        self = digester.finish()
    }

    /// From 32 bytes, as in `bytes` or a database; nil for any other count.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.length else { return nil }
        withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: bytes) }
    }

    init(_ fill: (UnsafeMutableRawBufferPointer) -> Void) {
        withUnsafeMutableBytes(of: &words) { fill($0) }
    }

    /// Passes the 32 bytes to `body`.
    public func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        withUnsafeBytes(of: words) { body($0) }
    }

    public static func == (one: Digest, other: Digest) -> Bool { one.words == other.words }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
    }
}

extension Digest: Codable, CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    public var description: String { withBytes { hexadecimal($0) } }

    /// From 64 hexadecimal digits; nil for any other text.
    public init?(_ hexadecimal: some StringProtocol) {
        let digits = Array(hexadecimal.utf8)
        guard digits.count == 2 * Self.length else { return nil }
        var bytes = [UInt8](repeating: 0, count: Self.length)
        for i in bytes.indices {
            guard let high = hexadecimalValue(of: digits[2 * i]), let low = hexadecimalValue(of: digits[2 * i + 1])
            else { return nil }
            bytes[i] = high << 4 | low
        }
        guard let digest = bytes.withUnsafeBytes({ Digest($0) }) else { return nil }
        self = digest
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let digest = Digest(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not 64 hexadecimal digits")
        }
        self = digest
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

private let digits = Array("0123456789abcdef".utf8)

func hexadecimal(_ bytes: UnsafeRawBufferPointer) -> String {
    String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
        for (i, byte) in bytes.enumerated() {
            text[2 * i] = digits[Int(byte >> 4)]
            text[2 * i + 1] = digits[Int(byte & 15)]
        }
        return 2 * bytes.count
    }
}

/// The value of a hexadecimal digit.
func hexadecimalValue(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
}
