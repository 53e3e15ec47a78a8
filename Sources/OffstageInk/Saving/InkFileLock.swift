import COffstageSystem
import Dispatch
import Foundation

/// Says that this program changes a file. The system releases it when the program ends, however it ends.
///
/// `@unchecked Sendable` because nothing changes after `init`, and a dispatch source may be cancelled on any thread.
final class InkFileLock: @unchecked Sendable {
    private let file: Int32
    private let source: (any DispatchSourceRead)?

    /// - Parameter whenShared: called each time another program has tried to open the file, on any thread.
    /// - Returns: nil if another program has it; that program is then notified.
    static func take(for path: String, whenShared: @escaping @Sendable () -> Void) async -> InkFileLock? {
        // A process that a program was about to start as it was killed has the lock a moment longer.
        for _ in 0..<20 where !isFree(path) { try? await Task.sleep(for: .milliseconds(25)) }
        return InkFileLock(for: path, whenShared: whenShared)
    }

    private static func isFree(_ path: String) -> Bool {
        let file = open("\(path).lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return true }
        defer { close(file) }
        return flock(file, LOCK_EX | LOCK_NB) == 0
    }

    private init?(for path: String, whenShared: @escaping @Sendable () -> Void) {
        let name = "\(path).lock"
        let file = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard file >= 0 else { return nil }
        if flock(file, LOCK_EX | LOCK_NB) != 0 {
            // The owner watches for this.
            _ = "+".withCString { write(file, $0, 1) }
            close(file)
            return nil
        }
        ftruncate(file, 0)
        self.file = file
        let watch = offstage_watch_writes(name)
        guard watch >= 0 else {
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: watch, queue: .global())
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 4096)
            if read(watch, &bytes, bytes.count) > 0 { whenShared() }
        }
        source.setCancelHandler { close(watch) }
        source.resume()
        self.source = source
    }

    /// Lets another program change the file.
    func release() { flock(file, LOCK_UN) }

    deinit {
        source?.cancel()
        close(file)
    }
}
