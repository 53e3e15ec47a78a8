import Foundation
import Testing

@testable import Offstage

/// Libraries are found by their names without version numbers.
@Suite struct LinkedLibrariesTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("linked-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    /// An ELF file that is linked to libraries and does nothing.
    private func library(needing names: [String]) -> Data {
        func bytes<Number: FixedWidthInteger>(_ number: Number) -> Data {
            withUnsafeBytes(of: number.littleEndian) { Data($0) }
        }
        let (headSize, segmentSize, address) = (64, 56, 0x1000)
        var strings = Data([0])
        var table = Data()
        for name in names {
            table += bytes(UInt64(1)) + bytes(UInt64(strings.count))
            strings += Data(name.utf8) + [0]
        }
        let start = headSize + 2 * segmentSize
        table += bytes(UInt64(5)) + bytes(UInt64(address + start)) + Data(count: 16)
        func segment(_ type: UInt32, _ offset: Int, _ address: Int, _ size: Int) -> Data {
            bytes(type) + bytes(UInt32(4)) + bytes(UInt64(offset)) + bytes(UInt64(address)) + bytes(UInt64(address))
                + bytes(UInt64(size)) + bytes(UInt64(size)) + bytes(UInt64(8))
        }
        let head =
            Data([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0]) + Data(count: 24) + bytes(UInt64(headSize))
            + Data(count: 14) + bytes(UInt16(segmentSize)) + bytes(UInt16(2)) + Data(count: 6)
        let size = start + strings.count
        return head + segment(1, 0, address, size) + segment(2, size, address + size, table.count) + strings + table
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func write(_ name: String, needing names: [String] = []) throws {
        try library(needing: names).write(to: folder.appendingPathComponent(name))
    }

    private func paths(of names: [String], neededBy roots: [String]) -> [String: String] {
        LinkedLibraries.paths(of: names, neededBy: roots.map(path)) { file in
            access(path(file), F_OK) == 0 ? path(file) : nil
        }
    }

    @Test func theNumberIsTheOneThatTheProgramIsLinkedWith() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write("program", needing: ["libc.so.6", "libshape-2.0.so.76", "libshape.so.9", "libgone.so.1"])
        for name in ["libshape-2.0.so.72", "libshape-2.0.so.76", "libshape.so.8", "libshape.so.9"] { try write(name) }
        let found = paths(of: ["libshape", "libshape-2.0", "libgone", "libother"], neededBy: ["program"])
        #expect(found == ["libshape-2.0": path("libshape-2.0.so.76"), "libshape": path("libshape.so.9")])
        // A version number in the name is ignored.
        #expect(paths(of: ["libshape.so.8"], neededBy: ["program"]) == ["libshape": path("libshape.so.9")])
    }

    @Test func librariesOfLibrariesAreFound() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write("program", needing: ["libone.so.1", "libunlisted.so.1"])
        try write("libone.so.1", needing: ["libtwo.so.1.2.3", "libone.so.1"])
        try write("libtwo.so.1.2.3", needing: ["libone.so.1"])
        try write("libunlisted.so.1", needing: ["libthree.so.1"])
        try write("libthree.so.1")
        let found = paths(of: ["libone", "libtwo", "libthree"], neededBy: ["missing", "program"])
        #expect(found == ["libone": path("libone.so.1"), "libtwo": path("libtwo.so.1.2.3")])
    }

    /// A file that this machine's linker wrote.
    @Test func aRealLibraryNamesItsOwn() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(LinkedLibraries.files(neededBy: "/proc/self/exe").contains { $0.hasPrefix("libc.so.") })
    }

    /// Truncated files, and files whose headers are wrong.
    @Test func cutAndChangedFilesAreRead() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let whole = library(needing: ["libone.so.1", "libtwo.so.2"])
        let file = folder.appendingPathComponent("changed")
        for count in 0..<whole.count {
            try whole.prefix(count).write(to: file)
            #expect(LinkedLibraries.files(neededBy: file.path).count <= 2)
        }
        for place in 0..<whole.count {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var changed = whole
                changed[place] = value
                try changed.write(to: file)
                #expect(LinkedLibraries.files(neededBy: file.path).count <= 4)
            }
        }
        #expect(LinkedLibraries.files(neededBy: folder.path) == [])
    }
}
