import Foundation
import Synchronization

/// Reports that memory is short. It uses Linux's pressure stall information (this program or others wait for memory)
/// and the events of the program's control group (`memory.high` or `memory.max` was reached).
///
/// It needs one thread, which sleeps until the kernel wakes it.
public final class MemoryPressure: Sendable {
    public enum Level: Sendable, Hashable {
        /// Some tasks wait for memory.
        case some
        /// All tasks wait for memory, or the control group has reached its limit.
        case critical
    }

    /// The kernel's reports, at most one every two seconds. Ends with `stop`.
    public let levels: AsyncStream<Level>
    private let continuation: AsyncStream<Level>.Continuation
    private let files: PressureFiles

    /// Starts to watch; nil if the system has nothing to watch or does not allow it.
    public init?() {
        guard let files = PressureFiles() else { return nil }
        self.files = files
        // A late reader needs only the latest level.
        (levels, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let continuation = continuation
        let thread = Thread {
            while let level = files.wait() { continuation.yield(level) }
            continuation.finish()
        }
        thread.name = "memory pressure"
        thread.stackSize = 256 << 10
        thread.start()
    }

    deinit { stop() }

    /// Ends the thread and the stream.
    public func stop() { files.stop() }
}
