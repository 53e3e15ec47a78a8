import Dispatch
import Foundation
import Synchronization

/// The thread that starts all workers. The kernel ends a worker together with the thread that started it. Unlike the
/// threads of a pool, this thread lasts as long as the program.
final class SpawnThread: Sendable {
    static let shared = SpawnThread()

    private let work = Mutex<[@Sendable () -> Void]>([])
    private let count = DispatchSemaphore(value: 0)

    private init() {
        let thread = Thread { [self] in
            while true {
                count.wait()
                let next = work.withLock { $0.removeFirst() }
                next()
            }
        }
        thread.name = "offstage-spawn"
        thread.start()
    }

    /// Runs `body` on the thread and waits for it. Blocks the calling thread, which must not belong to Swift's thread
    /// pool.
    func run<R: Sendable>(_ body: @escaping @Sendable () -> R) -> R {
        let isDone = DispatchSemaphore(value: 0)
        let box = SpawnResult<R>()
        work.withLock {
            $0.append {
                box.value.withLock { $0 = body() }
                isDone.signal()
            }
        }
        count.signal()
        isDone.wait()
        return box.value.withLock { $0! }
    }
}

/// Carries a result from the spawn thread to the caller.
private final class SpawnResult<R: Sendable>: Sendable {
    let value = Mutex<R?>(nil)
}
