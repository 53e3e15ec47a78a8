import Foundation
import Offstage
import Testing

@testable import OffstageInk

/// Permissions and attributes of an ink file and of Offstage's files beside it.
struct FileLookTests {
    @Test(
        "A save keeps mode, attributes and access list; journal and lock grant no more rights than the file",
        arguments: [
            mode_t(0o600), 0o640, 0o664, 0o644,
        ])
    func kept(mode: mode_t) async throws {
        let folder = try InkFolder()
        try await folder.rewrite { _ in }
        #expect(chmod(folder.path(), mode) == 0)
        set(folder.path(), "user.comment", Data("mine".utf8))
        if mode == 0o640 { set(folder.path(), "system.posix_acl_access", Self.list) }
        let list = get(folder.path(), "system.posix_acl_access")
        let before = folder.info("notes.xopp")
        var opened = try await folder.open()
        for round in 0..<2 {
            opened.draw((2 * round)..<(2 * round + 2))
            #expect(await opened.file.synchronize())
            for name in folder.contents.keys where name != "notes.xopp" {
                #expect(folder.info(name).st_mode & 0o777 & ~before.st_mode == 0, "\(name)")
            }
            #expect(folder.contents.count == 3)
            await opened.save()
            #expect(folder.info("notes.xopp").st_mode == before.st_mode)
            #expect(get(folder.path(), "user.comment") == Data("mine".utf8))
            #expect(get(folder.path(), "system.posix_acl_access") == list)
        }
        await opened.file.close()
        await folder.engine.shutDown()
    }

    /// user::rw-, user:1:rw-, group::---, mask::rw-, other::---
    private static let list: Data = {
        var data = Data([2, 0, 0, 0])
        for (tag, rights, number) in [
            (1, 6, UInt32.max), (2, 6, 1), (4, 0, UInt32.max), (16, 6, UInt32.max), (32, 0, UInt32.max),
        ] {
            data += [UInt8(tag), 0, UInt8(rights), 0]
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        return data
    }()

    // Swift does not import these functions.
    private func set(_ path: String, _ name: String, _ value: Data) {
        typealias Set =
            @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer?, Int, Int32) -> Int32
        let function = unsafeBitCast(dlsym(nil, "setxattr"), to: Set.self)
        let code = value.withUnsafeBytes { function(path, name, $0.baseAddress, $0.count, 0) }
        #expect(code == 0, "\(name)")
    }

    private func get(_ path: String, _ name: String) -> Data? {
        typealias Get =
            @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
        let function = unsafeBitCast(dlsym(nil, "getxattr"), to: Get.self)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = function(path, name, &bytes, bytes.count)
        return count < 0 ? nil : Data(bytes.prefix(count))
    }
}
