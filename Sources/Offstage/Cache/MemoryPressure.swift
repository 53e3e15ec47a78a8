import Foundation
import Synchronization

/// Tells when memory gets short, as Linux does: by pressure stall information (the program or others wait for memory), and
/// by the events of the control group that the program is in (its `memory.high` or `memory.max` was reached).
///
/// It costs a thread that sleeps until the kernel wakes it.
public final class MemoryPressure: Sendable {
    public enum Level: Sendable, Hashable {
        /// Some work waits for memory.
        case some
        /// All work waits for memory, or the limit of the control group is reached.
        case critical
    }

    /// Each time that the kernel tells, at most once in two seconds; it ends with `stop`.
    public let levels: AsyncStream<Level>
    private let continuation: AsyncStream<Level>.Continuation
    private let files: PressureFiles

    /// Starts to watch; nil where the system has nothing to watch, or does not let this program.
    public init?() {
        guard let files = PressureFiles() else { return nil }
        self.files = files
        // Only the latest counts for who comes late.
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
