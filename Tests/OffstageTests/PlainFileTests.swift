import Foundation
import Offstage
import Testing

/// Only regular files are read. Pipes, devices and folders are rejected at once, without waiting.
@Suite(.timeLimit(.minutes(15)))
struct PlainFileTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func refusal(_ path: String) -> String? {
        #expect(throws: FileError.self) { try PlainFile.open(path) }?.description
    }

    @Test func aFileIsRead() throws {
        try Data("text".utf8).write(to: URL(fileURLWithPath: folder.file("a")))
        #expect(try PlainFile.open(folder.file("a")).readToEnd() == Data("text".utf8))
    }

    @Test func aLinkToAFileIsRead() throws {
        try Data("text".utf8).write(to: URL(fileURLWithPath: folder.file("a")))
        try FileManager.default.createSymbolicLink(atPath: folder.file("b"), withDestinationPath: "a")
        #expect(try PlainFile.open(folder.file("b")).readToEnd() == Data("text".utf8))
    }

    /// The pipe has no writer, so a blocking open would never return.
    @Test func aPipeIsRefused() {
        let path = folder.file("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        #expect(refusal(path) == "cannot read \(path): it is not a regular file")
    }

    @Test func aDeviceIsRefused() {
        #expect(refusal("/dev/zero") == "cannot read /dev/zero: it is not a regular file")
    }

    @Test func aFolderIsRefused() {
        #expect(refusal(folder.path) == "cannot read \(folder.path): Is a directory; name a file")
    }

    @Test func aMissingFileIsAnError() {
        let path = folder.file("missing")
        #expect(refusal(path) == "cannot read \(path): No such file or directory")
    }
}
