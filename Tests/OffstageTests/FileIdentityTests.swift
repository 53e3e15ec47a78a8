import Foundation
import Testing

@testable import Offstage

/// Identical machines have identical fingerprints.
@Suite struct FileIdentityTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("identity-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func write(_ data: Data, _ name: String = UUID().uuidString) throws -> String {
        let file = folder.appendingPathComponent(name)
        try data.write(to: file)
        return file.path
    }

    /// A library with a build id, which identifies it.
    private var library: Data {
        get throws {
            // The kernel's files have no size, so they cannot be read like other files.
            let bytes = try #require(try FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd())
            let maps = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            let path = try #require(maps.first { $0.hasSuffix("/libc.so.6") }?.split(separator: " ").last)
            return try Data(contentsOf: URL(fileURLWithPath: String(path)))
        }
    }

    @Test func aLibraryIsItsBuildID() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let library = try library
        let digest = try #require(FileIdentity.digest(ofProgram: write(library)))
        #expect(try FileIdentity.digest(ofProgram: write(library)) == digest)
        // Nothing after the notes is read.
        var longer = library
        longer.append(0)
        #expect(try FileIdentity.digest(ofProgram: write(longer)) == digest)
        // The build id follows the note's name.
        let note = try #require(library.range(of: Data("GNU\0".utf8), in: 0..<4096))
        let isFirst = library[note.lowerBound - 4] == 3
        let name =
            isFirst ? note : try #require(library.range(of: Data([3, 0, 0, 0]) + Data("GNU\0".utf8), in: 0..<4096))
        var other = library
        other[name.upperBound] ^= 1
        #expect(try FileIdentity.digest(ofProgram: write(other)) != digest)
    }

    @Test func aProgramWithoutBuildIDIsItsBytes() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = Data(("#!/bin/sh\n" + String(repeating: "true\n", count: 9000)).utf8)
        let digest = try FileIdentity.digest(ofProgram: write(script))
        #expect(try FileIdentity.digest(ofProgram: write(script)) == digest)
        var other = script
        other[other.count - 2] ^= 1
        #expect(try FileIdentity.digest(ofProgram: write(other)) != digest)
        #expect(FileIdentity.digest(ofProgram: folder.path + "/missing") == nil)
        #expect(FileIdentity.digest(ofProgram: folder.path) == nil)
    }

    /// Truncated files, and files whose headers are wrong.
    @Test func cutAndChangedLibrariesAreRead() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let head = try library.prefix(4096)
        for count in stride(from: 0, to: 400, by: 7) {
            #expect(try FileIdentity.digest(ofProgram: write(head.prefix(count), "cut")) != nil)
        }
        for place in 4..<1000 {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var changed = head
                changed[place] = value
                #expect(try FileIdentity.digest(ofProgram: write(changed, "changed")) != nil)
            }
        }
    }

    @Test func aFontIsItsTables() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let font = Data([0, 1, 0, 0, 0, 10]) + Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let digest = try #require(FileIdentity.digest(ofFont: write(font)))
        var other = font
        other[40] ^= 1
        #expect(try FileIdentity.digest(ofFont: write(other)) != digest)
        #expect(try FileIdentity.digest(ofFont: write(font + Data([0]))) != digest)
        // A file in a format without checksums is read to its end.
        let plain = Data("%!PS".utf8) + font
        var late = plain
        late[late.count - 1] ^= 1
        #expect(try FileIdentity.digest(ofFont: write(plain)) != FileIdentity.digest(ofFont: write(late)))
    }
}
