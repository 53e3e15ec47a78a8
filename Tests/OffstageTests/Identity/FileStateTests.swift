import Foundation
import Testing

@testable import Offstage

@Suite struct FileStateTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, _ name: String = "a") throws -> String {
        let path = folder.file(name)
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        try #require(pwrite(file, text, text.utf8.count, 0) == text.utf8.count)
        return path
    }

    /// Gives a file an old date, as `touch -d` does.
    private func age(_ path: String) throws {
        var times = [timespec(tv_sec: 1_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000, tv_nsec: 0)]
        try #require(utimensat(AT_FDCWD, path, &times, 0) == 0)
    }

    private func changed(_ path: String) throws -> [Int] {
        var info = stat()
        try #require(stat(path, &info) == 0)
        return [info.st_ctim.tv_sec, info.st_ctim.tv_nsec]
    }

    /// Changes a file in place and leaves its size and modification time unchanged, as editors and `rsync --times
    /// --inplace` do.
    @Test func aChangeThatKeepsSizeAndTime() throws {
        let path = try write("one")
        try age(path)
        let (before, time) = (FileState(path), try changed(path))
        // The file system's clock has advanced when a newly written file has a later time.
        while try changed(write("x", "clock")) == time {}
        _ = try write("two")
        try age(path)
        #expect(FileState(path) != before)
        #expect(FileState(path) == FileState(path))
    }

    @Test func anotherFileInItsPlace() throws {
        let path = try write("one")
        let before = FileState(path)
        let other = try write("one", "b")
        try #require(rename(other, path) == 0)
        #expect(FileState(path) != before)
    }

    @Test func whatIsNoFileHasNone() throws {
        #expect(FileState(folder.file("missing")) == nil)
        #expect(FileState(folder.path) == nil)
        #expect(FileState(try write(""))?.isEmpty == true)
        #expect(FileState(try write("x"))?.isEmpty == false)
    }
}
