import COffstageSystem
import Dispatch
import Foundation
import Offstage
import Synchronization

/// The lock for changing a file. The system releases it when the program ends for any reason.
///
/// There are two locks: one on the file itself, which covers all of its names, and one on a file beside it, which
/// exists even before the file does and while another program replaces it.
final class InkFileLock: Sendable {
    /// The result of taking a lock.
    enum Result {
        case taken(InkFileLock)
        /// Another program has locked the file. If it uses the same name, it was notified.
        case elsewhere
        /// No file can be created in this folder: an `errno`.
        case impossible(Int32)
    }

    private static let magic = Data("Offstage's lock of a file with ink\n".utf8)
    private let names: InkFileNames
    /// The lock beside the file, and on the file; -1 for none.
    private let files: Mutex<(beside: Int32, itself: Int32)>
    private let watch: Watch?

    /// - Parameter whenShared: called on any thread, each time another program has tried to open the file.
    static func take(for names: InkFileNames, whenShared: @escaping @Sendable () -> Void) async -> Result {
        // If a program is killed while it starts a child process, the child may keep the lock a moment longer.
        for _ in 0..<20 {
            let result = tryOnce(names, whenShared, pokes: false)
            guard case .elsewhere = result else { return result }
            try? await Task.sleep(for: .milliseconds(25))
        }
        return tryOnce(names, whenShared, pokes: true)
    }

    static func tryOnce(
        _ names: InkFileNames, _ whenShared: @escaping @Sendable () -> Void, pokes: Bool
    ) -> Result {
        while true {
            let (beside, code) = open(names)
            if beside < 0 { return .impossible(code) }
            if flock(beside, LOCK_EX | LOCK_NB) != 0 {
                // The owner watches for writes.
                if pokes { poke(beside) }
                close(beside)
                return .elsewhere
            }
            // The last owner may have removed the file since it was opened.
            if !isStill(beside, at: names.lock) {
                close(beside)
                continue
            }
            poke(beside)
            let itself = Foundation.open(names.file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            if itself >= 0, flock(itself, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                close(itself)
                unlink(names.lock)
                close(beside)
                return .elsewhere
            }
            return .taken(InkFileLock(names, beside, itself, whenShared))
        }
    }

    /// Opens or creates the lock's file. A file with any other content is not Offstage's, and is never written.
    private static func open(_ names: InkFileNames) -> (Int32, Int32) {
        if InkFiles.exists(names.lock) {
            let file = Foundation.open(names.lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            if file < 0 { return errno == ENOENT ? open(names) : (-1, errno) }
            if isOurs(file) { return (file, 0) }
            close(file)
            return (-1, EEXIST)
        }
        do throws(FileError) { return (try InkFiles.create(names.lock, like: names.file), 0) } catch {
            return error.code == EEXIST ? open(names) : (-1, error.code)
        }
    }

    private static func isOurs(_ file: Int32) -> Bool {
        var info = stat()
        guard fstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return false }
        if info.st_size == 0 { return true }
        var bytes = [UInt8](repeating: 0, count: magic.count + 1)
        let count = pread(file, &bytes, bytes.count, 0)
        return count == magic.count && Data(bytes.dropLast()) == magic
    }

    /// Writes the file's own content again, which only its watcher notices.
    private static func poke(_ file: Int32) {
        // Descriptors in append mode ignore the offset.
        _ = fcntl(file, F_SETFL, 0)
        _ = magic.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
    }

    private static func isStill(_ file: Int32, at path: String) -> Bool {
        var (one, other) = (stat(), stat())
        return fstat(file, &one) == 0 && lstat(path, &other) == 0 && one.st_dev == other.st_dev
            && one.st_ino == other.st_ino
    }

    private init(
        _ names: InkFileNames, _ beside: Int32, _ itself: Int32, _ whenShared: @escaping @Sendable () -> Void
    ) {
        self.names = names
        files = Mutex((beside, itself))
        watch = Watch(names.lock, whenShared)
    }

    /// Locks the file that is about to take over the name.
    ///
    /// - Parameter file: its descriptor. This object takes ownership.
    func move(to file: Int32) {
        _ = flock(file, LOCK_EX | LOCK_NB)
        let old = files.withLock { files in
            defer { files.itself = file }
            return files.itself
        }
        if old >= 0 { close(old) }
    }

    /// Lets another program change the file.
    func release() {
        files.withLock { files in
            // Still under the lock, so no other program has taken it meanwhile.
            if files.beside >= 0, Self.isStill(files.beside, at: names.lock) { unlink(names.lock) }
            if files.beside >= 0 { close(files.beside) }
            if files.itself >= 0 { close(files.itself) }
            files = (-1, -1)
        }
    }

    deinit { release() }
}

/// Watches a file for writes.
///
/// `@unchecked Sendable` because nothing changes after `init`, and a dispatch source may be cancelled on any thread.
private final class Watch: @unchecked Sendable {
    private let source: any DispatchSourceRead

    init?(_ path: String, _ action: @escaping @Sendable () -> Void) {
        let watch = offstage_watch_writes(path)
        guard watch >= 0 else { return nil }
        source = DispatchSource.makeReadSource(fileDescriptor: watch, queue: .global())
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 4096)
            if read(watch, &bytes, bytes.count) > 0 { action() }
        }
        source.setCancelHandler { close(watch) }
        source.resume()
    }

    deinit { source.cancel() }
}
