import Foundation
import Synchronization

/// Locks for the drawings of a store: among all stores that use a folder, only one at a time makes a given drawing.
///
/// A drawing's lock is one byte of the file `locks`, at an offset derived from the drawing's digest. The file is always
/// empty. The kernel releases the lock when the process ends, however that happens. It is a lock on an open file
/// description, so it belongs to this store and not to other stores in this process.
final class DrawingLocks: Sendable {
    private struct State {
        /// Nil until it is needed; -1 if the file cannot be opened.
        var descriptor: Int32?
        /// The locks of this store. The kernel would grant a lock twice to the same owner.
        var held: Set<Int> = []
    }

    /// F_OFD_SETLK, which is missing from Swift's Glibc.
    private static let setLock: Int32 = 37

    private let folder: String
    private let state = Mutex(State())

    init(in folder: String) { self.folder = folder }

    deinit {
        if let descriptor = state.withLock({ $0.descriptor }), descriptor >= 0 { close(descriptor) }
    }

    /// Takes a lock without waiting. On a file system without locks, processes do not see each other's locks. Work may
    /// then be done twice, which is harmless.
    ///
    /// - Returns: false if another store has the lock.
    func take(_ number: Int) -> Bool {
        state.withLock { state in
            if state.held.contains(number) { return false }
            if state.descriptor == nil {
                let isOwn = StorePlace.foreignWriters(of: folder) == nil
                state.descriptor = isOwn ? open(folder + "/locks", O_RDWR | O_CREAT | O_CLOEXEC, 0o600) : -1
            }
            if let descriptor = state.descriptor, descriptor >= 0 {
                let code = Self.set(F_WRLCK, number, of: descriptor)
                if code == EAGAIN || code == EACCES { return false }
            }
            state.held.insert(number)
            return true
        }
    }

    func give(_ number: Int) {
        state.withLock { state in
            guard state.held.remove(number) != nil, let descriptor = state.descriptor, descriptor >= 0 else { return }
            _ = Self.set(F_UNLCK, number, of: descriptor)
        }
    }

    /// - Returns: 0, or an `errno`.
    private static func set(_ kind: Int32, _ number: Int, of descriptor: Int32) -> Int32 {
        var lock = flock()
        lock.l_type = Int16(kind)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = number
        lock.l_len = 1
        return fcntl(descriptor, setLock, &lock) == 0 ? 0 : errno
    }
}
