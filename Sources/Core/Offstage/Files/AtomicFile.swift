import Foundation
import Synchronization

/// Writes files that appear complete or not at all: it writes under a temporary name in the same folder, then renames.
public enum AtomicFile {
    private struct State {
        /// Temporary files that are being written, so that an interrupted program can remove them.
        var unfinished: Set<String> = []
        var isClosed = false
    }

    private static let state = Mutex(State())

    /// The number of temporary names so far, so that each is new.
    private static let count = Atomic(0)

    /// Writes `data` to `path`, and replaces an existing file. If `path` is a symbolic link, the link stays, and its
    /// target is replaced: `/dev/stdout` is a link.
    public static func write(_ data: Data, to path: String) throws(FileError) {
        let target = linkTarget(path) ?? path
        let folder = parentFolder(of: target)
        let prefix = folder.isEmpty ? "" : folder + "/"
        try write(data, in: AT_FDCWD, Place(temporary: prefix + temporaryName(), target: target), path: path)
    }

    /// Writes `data` to `path`, unless the file already contains these bytes. Its modification time then stays the
    /// same, so build tools do not rebuild anything.
    package static func update(_ path: String, to data: Data) throws(FileError) {
        if (try? Digest(ofFile: path)) != Digest(of: data) { try write(data, to: path) }
    }

    /// Writes `data` into an open folder, and replaces an existing file.
    ///
    /// - Parameters:
    ///   - name: the file's name, without a slash.
    ///   - folder: a descriptor.
    ///   - path: the file's path, for errors, and to remove the file after an interruption.
    /// - Returns: false, without writing, if the name is that of a symbolic link.
    package static func write(
        _ data: Data, named name: String, in folder: Int32, path: String
    ) throws(FileError) -> Bool {
        var info = stat()
        if fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0, info.st_mode & S_IFMT == S_IFLNK { return false }
        try write(data, in: folder, Place(temporary: temporaryName(), target: name), path: path)
        return true
    }

    /// The names of a file in a folder.
    private struct Place {
        let temporary: String
        let target: String
    }

    private static let process = getpid()

    /// The process number distinguishes programs that write into the same folder.
    private static func temporaryName() -> String {
        ".offstage-\(process)-\(count.add(1, ordering: .relaxed).newValue).tmp"
    }

    private static func write(
        _ data: Data, in folder: Int32, _ place: Place, path: String
    ) throws(FileError) {
        // Compare bytes: in a Swift string, a slash followed by a combining mark is not a slash.
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

    /// The target of a symbolic link; nil if the path is not a link or the target does not exist.
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

    /// Removes the temporary files of unfinished writes. These writes then fail, and so do all later ones. For a
    /// program that is about to end without waiting for them.
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
