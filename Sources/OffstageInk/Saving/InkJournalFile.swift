import Foundation
import Offstage

/// Journals on the disk.
enum InkJournalFile {
    /// The journal of a state of a file is beside it.
    static func path(for path: String, _ digest: Digest) -> String {
        "\(path).journal-\(digest.description.prefix(12))"
    }

    /// Makes a journal that is on the disk when this returns.
    ///
    /// - Returns: a descriptor that appends.
    static func create(_ path: String, _ data: Data) throws(FileError) -> Int32 {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard file >= 0 else { throw FileError("create", path: path, code: errno) }
        var code = writeAll(data, to: file)
        if code == 0, fsync(file) != 0 { code = errno }
        if code == 0 { code = synchronizeFolder(of: path) }
        if code == 0 { return file }
        close(file)
        unlink(path)
        throw FileError("write", path: path, code: code)
    }

    /// Opens a journal, and cuts off what was left unfinished at its end.
    static func open(_ path: String, length: Int) throws(FileError) -> Int32 {
        let file = Foundation.open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw FileError("write", path: path, code: errno) }
        if ftruncate(file, off_t(length)) == 0 { return file }
        let code = errno
        close(file)
        throw FileError("write", path: path, code: code)
    }

    private static func open(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
        Foundation.open(path, flags, mode)
    }

    /// Replaces a file atomically. It is on the disk before it has its name.
    static func replace(_ path: String, with data: Data) throws(FileError) {
        let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)).map { link in
            link.hasPrefix("/") ? link : parentFolder(of: path).isEmpty ? link : parentFolder(of: path) + "/" + link
        }
        let temporary = "\(target ?? path).new-\(getpid())"
        let file = try create(temporary, data)
        close(file)
        var info = stat()
        if stat(path, &info) == 0 { chmod(temporary, info.st_mode & 0o7777) }
        guard rename(temporary, target ?? path) == 0 else {
            let code = errno
            unlink(temporary)
            throw FileError("write", path: path, code: code)
        }
        _ = synchronizeFolder(of: path)
    }

    /// Gives a file's content a second name, `NAME.original`, or the next free one with a number. `replace` then leaves it there.
    ///
    /// - Returns: the second name.
    static func keepOriginal(of path: String) throws(FileError) -> String {
        // The name may be a link.
        let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == nil ? path : realPath(path)
        for number in 1...1000 {
            let name = number == 1 ? "\(path).original" : "\(path).original-\(number)"
            if link(target, name) == 0 { return name }
            let code = errno
            if code == EEXIST { continue }
            // A file system without second names.
            if code == EPERM || code == EOPNOTSUPP || code == EXDEV || code == EMLINK {
                do { try FileManager.default.copyItem(atPath: target, toPath: name) } catch {
                    throw FileError("copy", path: name, code: EIO)
                }
                return name
            }
            throw FileError("create", path: name, code: code)
        }
        throw FileError("create", path: "\(path).original", code: EEXIST)
    }

    private static func realPath(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Removes the journals of other states of a file, and files that a killed program left.
    static func removeOthers(than kept: String, of path: String) {
        let folder = parentFolder(of: path)
        let name = String(decoding: path.utf8.dropFirst(folder.isEmpty ? 0 : folder.utf8.count + 1), as: UTF8.self)
        for other in (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? [] {
            let full = folder.isEmpty ? other : folder + "/" + other
            let isOurs = other.hasPrefix(name + ".journal-") || other.hasPrefix(name + ".new-")
            if isOurs, full != kept { unlink(full) }
        }
    }

    /// - Returns: 0, or an `errno`.
    private static func synchronizeFolder(of path: String) -> Int32 {
        let folder = parentFolder(of: path)
        let file = Foundation.open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { return errno }
        defer { close(file) }
        return fsync(file) == 0 || errno == EINVAL ? 0 : errno
    }
}
