import Foundation
import Synchronization

/// Files that appear whole or not at all: written under a temporary name in the same folder, then renamed.
public enum AtomicFile {
    private struct State {
        /// Temporary files being written now, so that a program that is interrupted can take them along.
        var unfinished: Set<String> = []
        var isClosed = false
    }

    private static let state = Mutex(State())

    /// How many names there have been, for a new one each time.
    private static let count = Atomic(0)

    /// Puts `data` at `path`; a file that is there is replaced. A symbolic link stays, and what it names is replaced:
    /// `/dev/stdout` is one.
    public static func write(_ data: Data, to path: String) throws(FileError) {
        let target = linkTarget(path) ?? path
        let folder = parentFolder(of: target)
        let prefix = folder.isEmpty ? "" : folder + "/"
        try write(data, in: AT_FDCWD, Place(temporary: prefix + temporaryName(), target: target), path: path)
    }

    /// Puts `data` into an open folder; a file that is there is replaced.
    ///
    /// - Parameters:
    ///   - name: of the file, without a slash.
    ///   - folder: a descriptor.
    ///   - path: of the file, for errors, and to remove it after an interruption.
    /// - Returns: false, without writing, if a symbolic link is at the place.
    package static func write(
        _ data: Data, named name: String, in folder: Int32, path: String
    ) throws(FileError) -> Bool {
        var info = stat()
        if fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0, info.st_mode & S_IFMT == S_IFLNK { return false }
        try write(data, in: folder, Place(temporary: temporaryName(), target: name), path: path)
        return true
    }

    /// Names in a folder.
    private struct Place {
        let temporary: String
        let target: String
    }

    /// The process's number distinguishes programs that write into one folder.
    private static func temporaryName() -> String {
        ".offstage-\(getpid())-\(count.add(1, ordering: .relaxed).newValue).tmp"
    }

    private static func write(
        _ data: Data, in folder: Int32, _ place: Place, path: String
    ) throws(FileError) {
        // By bytes: to Swift, a slash before a combining mark is no slash.
        let unfinished =
            folder == AT_FDCWD
            ? place.temporary
            : String(decoding: path.utf8.dropLast(place.target.utf8.count), as: UTF8.self) + place.temporary
        let (descriptor, code) = state.withLock { create(place.temporary, in: folder, unfinished, &$0) }
        guard descriptor >= 0 else { throw FileError("write", path: path, code: code) }
        defer { _ = state.withLock { $0.unfinished.remove(unfinished) } }
        do throws(FileError) {
            try fill(descriptor, with: data, path: path)
            // A network or full file system may report a failed write only here.
            guard close(descriptor) == 0 else { throw FileError("write", path: path, code: errno) }
            guard renameat(folder, place.temporary, folder, place.target) == 0 else {
                throw FileError("write", path: path, code: errno)
            }
        } catch {
            unlinkat(folder, place.temporary, 0)
            throw error
        }
    }

    /// Where a path that is a symbolic link leads to; nil for one that is none, or leads nowhere.
    private static func linkTarget(_ path: String) -> String? {
        var info = stat()
        guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFLNK else { return nil }
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// - Returns: a descriptor, or -1 and an `errno`.
    private static func create(
        _ temporary: String, in folder: Int32, _ path: String, _ state: inout State
    ) -> (Int32, Int32) {
        if state.isClosed { return (-1, ECANCELED) }
        let descriptor = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        if descriptor >= 0 { state.unfinished.insert(path) }
        return (descriptor, errno)
    }

    /// Removes the temporary files of writes under way, which then fail, as all later ones do: for a program that is about
    /// to end without waiting for them.
    public static func removeUnfinished() {
        state.withLock { state in
            state.isClosed = true
            for path in state.unfinished { unlink(path) }
        }
    }

    private static func fill(_ descriptor: Int32, with data: Data, path: String) throws(FileError) {
        let code = writeAll(data, to: descriptor)
        if code != 0 {
            close(descriptor)
            throw FileError("write", path: path, code: code)
        }
    }
}
