import CISAL
import Foundation

/// Identifies the files of an installation by their contents, not by their paths and times, so that machines with equal
/// files have equal fingerprints. It reads only the beginning of a file if that is enough: reading all fonts and
/// libraries would take longer than returning a cached picture. A 64-bit CRC and the size identify the data; BLAKE2b
/// would take ten times as long.
package enum FileIdentity {
    /// The number of bytes to read at the beginning of a file. In a font, they contain the tables' checksums, even for
    /// a collection of ten fonts. Debian's libraries have their notes in the first kilobyte.
    private static let head = 4 << 10

    /// The identity of a program or a shared library: the build id, which the linker computes from everything that it
    /// writes; the whole file if it has none.
    ///
    /// - Returns: nil for a file that is missing or cannot be read.
    package static func digest(ofProgram path: String) -> Digest? {
        var id: Data?
        let whole = digest(of: path) { head in
            id = ELFNotes(Data(head)).buildID
            return id != nil
        }
        return id.map { Digest(of: $0) } ?? whole
    }

    /// The identity of a font: its size and its beginning, with a checksum of each table; the whole file if its format
    /// has no checksums.
    ///
    /// - Returns: nil for a file that is missing or cannot be read.
    package static func digest(ofFont path: String) -> Digest? {
        digest(of: path) { head in formatsWithChecksums.contains { head.starts(with: $0) } }
    }

    /// TrueType, OpenType, collections of them, and WOFF.
    private static let formatsWithChecksums: [[UInt8]] = [
        [0, 1, 0, 0], Array("OTTO".utf8), Array("true".utf8), Array("ttcf".utf8), Array("wOFF".utf8),
    ]

    /// The digest of the size and the bytes read. Reads in steps into the same few kilobytes of memory: with new memory
    /// for each of hundreds of files, the system's page handling would take longer than everything else.
    ///
    /// - Parameter isEnough: returns true if the first bytes, at most `head`, identify the file; if not, the rest is
    ///   read.
    /// - Returns: nil for a file that is missing or cannot be read.
    private static func digest(of path: String, isEnough: (UnsafeRawBufferPointer) -> Bool) -> Digest? {
        guard let (file, size) = try? PlainFile.descriptor(path) else { return nil }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
            var (sum, place) = (UInt64(0), 0)
            repeat {
                let count = min(place == 0 ? head : buffer.count, size - place)
                guard pread(file, buffer.baseAddress, count, off_t(place)) == count else { return nil }
                sum = crc64_ecma_refl(sum, buffer.baseAddress, UInt64(count))
                if place == 0, isEnough(UnsafeRawBufferPointer(rebasing: buffer.prefix(count))) { break }
                place += count
            } while place < size
            return Digest(of: "\(size) \(sum)")
        }
    }
}

/// The notes of a 64-bit ELF file, if they are in its first bytes.
private struct ELFNotes {
    private let bytes: Data

    init(_ head: Data) { bytes = head }

    /// The content of the note that GNU's linkers write.
    var buildID: Data? {
        // A 64-bit little-endian file.
        guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]), let table = bytes.number(32, UInt64.self),
            let size = bytes.number(54, UInt16.self), let count = bytes.number(56, UInt16.self)
        else { return nil }
        for index in 0..<count {
            let segment = table.addingReportingOverflow(index * size)
            let noteType = 4
            guard !segment.overflow, bytes.number(segment.partialValue, UInt32.self) == noteType,
                let start = bytes.number(segment.partialValue + 8, UInt64.self),
                let length = bytes.number(segment.partialValue + 32, UInt64.self),
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
            guard let nameSize = bytes.number(place, UInt32.self), let size = bytes.number(place + 4, UInt32.self),
                let type = bytes.number(place + 8, UInt32.self)
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
