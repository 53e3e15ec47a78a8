import CISAL
import Foundation

/// Identifies the files of an installation by their contents and not by their paths and times, so that machines with equal files
/// have equal fingerprints. It reads only the beginning of a file where that is enough: to read all fonts and libraries would take
/// longer than a cached picture. A CRC of 64 bits and the size identify what is read; BLAKE2b would take ten times as long.
package enum FileIdentity {
    /// The beginning of a font that is read: the tables' checksums, also of a collection of ten fonts.
    private static let fontHead = 4 << 10

    /// Of a program or a shared library: the build id, which the linker computes from everything that it writes; the whole file if
    /// it has none.
    ///
    /// - Returns: nil for a file that is missing or cannot be read.
    package static func digest(ofProgram path: String) -> Digest? {
        // Debian's libraries have their notes in the first kilobyte.
        if let (head, _) = head(of: path, count: 4 << 10), let id = ELFNotes(head).buildID { return Digest(of: id) }
        return head(of: path, count: .max).map(digest)
    }

    /// Of a font: its size and its beginning, with a checksum of each table; the whole file if its format has no checksums.
    ///
    /// - Returns: nil for a file that is missing or cannot be read.
    package static func digest(ofFont path: String) -> Digest? {
        guard let head = head(of: path, count: fontHead) else { return nil }
        if head.size == head.bytes.count || formatsWithChecksums.contains(head.bytes.prefix(4)) { return digest(head) }
        return Self.head(of: path, count: .max).map(digest)
    }

    private static func digest(_ file: (bytes: Data, size: Int)) -> Digest {
        let sum = file.bytes.withUnsafeBytes { crc64_ecma_refl(0, $0.baseAddress, UInt64($0.count)) }
        return Digest(of: "\(file.size) \(sum)")
    }

    /// TrueType, OpenType, collections of them, and WOFF.
    private static let formatsWithChecksums: Set = [
        Data([0, 1, 0, 0]), Data("OTTO".utf8), Data("true".utf8), Data("ttcf".utf8), Data("wOFF".utf8),
    ]

    private static func head(of path: String, count: Int) -> (bytes: Data, size: Int)? {
        guard let (file, size) = try? PlainFile.descriptor(path) else { return nil }
        defer { close(file) }
        var bytes = Data(count: min(size, count))
        let read = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
        return read == bytes.count ? (bytes, size) : nil
    }
}

/// The notes of an ELF file of 64 bits, if they are in its first bytes.
private struct ELFNotes {
    private let bytes: Data

    init(_ head: Data) { bytes = head }

    private func number<Number: FixedWidthInteger>(_ place: Int, _: Number.Type) -> Int? {
        guard place >= 0, place <= bytes.count - MemoryLayout<Number>.size else { return nil }
        return bytes.withUnsafeBytes {
            Int(exactly: $0.loadUnaligned(fromByteOffset: place, as: Number.self).littleEndian)
        }
    }

    /// The content of the note that GNU's linkers write.
    var buildID: Data? {
        // A little-endian file of 64 bits.
        guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]), let table = number(32, UInt64.self),
            let size = number(54, UInt16.self), let count = number(56, UInt16.self)
        else { return nil }
        for index in 0..<count {
            let segment = table.addingReportingOverflow(index * size)
            let noteType = 4
            guard !segment.overflow, number(segment.partialValue, UInt32.self) == noteType,
                let start = number(segment.partialValue + 8, UInt64.self),
                let length = number(segment.partialValue + 32, UInt64.self),
                start <= bytes.count, length <= bytes.count - start
            else { continue }
            if let id = buildID(from: start, to: start + length) { return id }
        }
        return nil
    }

    private func buildID(from start: Int, to end: Int) -> Data? {
        func aligned(_ size: Int) -> Int { (size + 3) & ~3 }
        var place = start
        while place + 12 <= end {
            guard let nameSize = number(place, UInt32.self), let size = number(place + 4, UInt32.self),
                let type = number(place + 8, UInt32.self)
            else { return nil }
            let name = place + 12
            let content = name + aligned(nameSize)
            guard content + size <= end else { return nil }
            let buildIDType = 3
            if type == buildIDType, bytes[name..<name + nameSize].elementsEqual(Array("GNU\0".utf8)) {
                return bytes[content..<content + size]
            }
            place = content + aligned(size)
        }
        return nil
    }
}
