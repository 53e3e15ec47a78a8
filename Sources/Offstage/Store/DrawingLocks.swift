import Foundation
import Synchronization

/// Who draws what for a store: one at a time, of all that use its folder.
///
/// A drawing's lock is one byte of the file `locks`, which is empty and stays so, at an offset that the drawing's digest gives.
/// The kernel lets go of it when the process ends, however that happens. It is a lock of an open file description: it belongs
/// to this store, and another one in this process is another's.
final class DrawingLocks: Sendable {
    private struct State {
        /// Nil until it is needed; -1 where the file cannot be opened.
        var descriptor: Int32?
        /// By this store: to the kernel, a second lock of the same owner is the first.
        var held: Set<Int> = []
    }

    /// F_OFD_SETLK, which Swift's Glibc does not have.
    private static let setLock: Int32 = 37

    private let folder: String
    private let state = Mutex(State())

    init(in folder: String) { self.folder = folder }

    deinit {
        if let descriptor = state.withLock({ $0.descriptor }), descriptor >= 0 { close(descriptor) }
    }

    /// Takes a lock without waiting. Where the file system has no locks, there is none among processes either: work may then
    /// be done twice, and nothing goes wrong.
    ///
    /// - Returns: false where somebody else has it.
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
