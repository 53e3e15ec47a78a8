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
        // The process's number tells programs apart that write into one folder.
        let number = count.add(1, ordering: .relaxed).newValue
        let name = ".offstage-\(getpid())-\(number).tmp"
        let folder = parentFolder(of: target)
        let temporary = folder.isEmpty ? name : folder + "/" + name
        let (descriptor, code) = state.withLock { create(temporary, &$0) }
        guard descriptor >= 0 else { throw FileError("write", path: path, code: code) }
        defer { _ = state.withLock { $0.unfinished.remove(temporary) } }
        do throws(FileError) {
            try fill(descriptor, with: data, path: path)
            // A network or full file system may tell of a failed write only here.
            guard close(descriptor) == 0 else { throw FileError("write", path: path, code: errno) }
            guard rename(temporary, target) == 0 else { throw FileError("write", path: path, code: errno) }
        } catch {
            unlink(temporary)
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
    private static func create(_ temporary: String, _ state: inout State) -> (Int32, Int32) {
        if state.isClosed { return (-1, ECANCELED) }
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        if descriptor >= 0 { state.unfinished.insert(temporary) }
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
