import Foundation
import Synchronization

/// Periodically measures the memory of a program and all its descendants.
final class MemorySampler: ChildProcess.Observer, Sendable {
    struct Sample: Sendable {
        /// Nanoseconds since 1970, like the times of files.
        var time: Int
        var bytes: Int
    }

    private let state = Mutex((samples: [Sample](), isOver: false))
    private let finished = DispatchSemaphore(value: 0)
    /// The interval in microseconds.
    private let interval: UInt32

    init(interval: UInt32 = 50_000) { self.interval = interval }

    var samples: [Sample] { state.withLock { $0.samples } }

    func begin(_ process: pid_t) {
        Thread.detachNewThread { [self] in
            while !state.withLock({ $0.isOver }) {
                var now = timespec()
                clock_gettime(CLOCK_REALTIME, &now)
                let sample = Sample(
                    time: now.tv_sec * 1_000_000_000 + now.tv_nsec, bytes: ProcessTree.memory(of: process))
                state.withLock { $0.samples.append(sample) }
                usleep(interval)
            }
            finished.signal()
        }
    }

    func end() {
        state.withLock { $0.isOver = true }
        finished.wait()
    }
}
