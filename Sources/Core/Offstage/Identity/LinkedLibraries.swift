import Foundation

/// Finds the files of the libraries that programs are linked with, without loading any.
///
/// A library's file ends in a number that differs between releases of a distribution, such as `libicuuc.so.72` and
/// `libicuuc.so.76`, and files with several numbers can be installed. So callers give the name without the number; the number is
/// read from the file that needs the library, as the linker does it.
package enum LinkedLibraries {
    /// - Parameters:
    ///   - names: such as `libicuuc`; anything from `.so` on is ignored.
    ///   - roots: the files of programs and libraries. Their libraries are searched, and recursively the libraries of
    ///     those.
    ///   - find: returns the path of a library's file, such as `libicuuc.so.72`; nil if it is not installed.
    /// - Returns: paths, by name without number. A library that is missing, or that none of these files needs, is left
    ///   out.
    package static func paths(
        of names: [String], neededBy roots: [String], find: (_ file: String) -> String?
    ) -> [String: String] {
        let wanted = Set(names.map(name(of:)))
        var paths: [String: String] = [:]
        var files = roots
        var place = 0
        while place < files.count {
            for file in Self.files(neededBy: files[place]) {
                let name = name(of: file)
                guard wanted.contains(name), paths[name] == nil, let path = find(file) else { continue }
                paths[name] = path
                files.append(path)
            }
            place += 1
        }
        return paths
    }

    /// The part of a file name before `.so`.
    package static func name(of file: String) -> String {
        file.range(of: ".so").map { String(file[..<$0.lowerBound]) } ?? file
    }

    /// The names of the files that a program or a library loads at its start, in the linker's order; none for a file that is missing
    /// or is not a 64-bit ELF file.
    package static func files(neededBy path: String) -> [String] {
        guard let (file, _) = try? PlainFile.descriptor(path) else { return [] }
        defer { close(file) }
        return ELFLinks(file: file).needed
    }
}

/// The table that the linker reads, from an open 64-bit ELF file. Whatever sizes the file states, only a little of it
/// is read.
private struct ELFLinks {
    let file: Int32

    private static let (mostSegments, mostTable, mostName) = (64, 32 << 10, 256)

    var needed: [String] {
        let segments = segments
        guard let dynamic = segments.first(where: { $0.type == 2 }) else { return [] }
        let table = read(dynamic.offset, min(dynamic.size, Self.mostTable))
        var (names, strings) = ([Int](), 0)
        for entry in stride(from: 0, to: table.count - 15, by: 16) {
            guard let tag = table.number(entry, UInt64.self), let value = table.number(entry + 8, UInt64.self) else {
                continue
            }
            if tag == 0 { break }
            if tag == 1 { names.append(value) }
            if tag == 5 { strings = value }
        }
        // The table contains addresses in memory.
        guard
            let loaded = segments.first(where: {
                $0.type == 1 && $0.address <= strings && strings - $0.address < $0.size
            })
        else { return [] }
        let start = loaded.offset.addingReportingOverflow(strings - loaded.address)
        return names.compactMap { name in
            let place = start.partialValue.addingReportingOverflow(name)
            guard !start.overflow, !place.overflow else { return nil }
            let bytes = read(place.partialValue, Self.mostName)
            return bytes.firstIndex(of: 0).map { String(decoding: bytes[..<$0], as: UTF8.self) }
        }
    }

    private struct Segment { var (type, offset, address, size): (Int, Int, Int, Int) }

    private var segments: [Segment] {
        let head = read(0, 64)
        // A 64-bit little-endian file.
        guard head.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]), let place = head.number(32, UInt64.self),
            let step = head.number(54, UInt16.self), step >= 56, let count = head.number(56, UInt16.self)
        else { return [] }
        let table = read(place, step * min(count, Self.mostSegments))
        return (0..<min(count, Self.mostSegments)).compactMap { index in
            guard let type = table.number(index * step, UInt32.self),
                let offset = table.number(index * step + 8, UInt64.self),
                let address = table.number(index * step + 16, UInt64.self),
                let size = table.number(index * step + 32, UInt64.self)
            else { return nil }
            return Segment(type: type, offset: offset, address: address, size: size)
        }
    }

    /// Returns fewer bytes, or none, at the end of the file.
    private func read(_ place: Int, _ count: Int) -> Data {
        var bytes = Data(count: count)
        let size = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, count, off_t(place)) }
        return bytes.prefix(max(0, size))
    }
}

extension Data {
    /// A little-endian number of an ELF file; nil beyond the file's end, and for a number that `Int` cannot represent.
    func number<Number: FixedWidthInteger>(_ place: Int, _: Number.Type) -> Int? {
        guard place >= 0, place <= count - MemoryLayout<Number>.size else { return nil }
        return withUnsafeBytes { Int(exactly: $0.loadUnaligned(fromByteOffset: place, as: Number.self).littleEndian) }
    }
}
