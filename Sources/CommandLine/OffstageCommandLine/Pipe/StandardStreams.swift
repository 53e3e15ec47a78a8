import Foundation
import Offstage
import Synchronization

/// Standard input and output as a session's transport. Separate threads read and write on demand.
final class StandardStreams: Sendable {
    private struct State {
        var reader: CheckedContinuation<Data?, Never>?
        var isOver = false
    }

    private let state = Mutex(State())
    private let input = DispatchQueue(label: "offstage.input")
    private let output = DispatchQueue(label: "offstage.output")

    /// The maximum number of bytes per read, which also limits the data in pending lines.
    private static let most = 65_536

    /// Reads at least one byte; returns nil at the end, and when the calling task is cancelled.
    func read() async -> Data? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if !state.isOver { state.reader = continuation }
                    return state.isOver
                }
                if isOver { return continuation.resume(returning: nil) }
                input.async { [self] in answer(Self.readNow()) }
            }
        } onCancel: {
            // Leave the thread blocked: there may never be any input.
            answer(nil)
        }
    }

    private func answer(_ bytes: Data?) {
        let reader = state.withLock { state in
            if bytes == nil { state.isOver = true }
            return state.reader.take()
        }
        reader?.resume(returning: bytes)
    }

    /// Waits for input. An input that cannot be read counts as ended.
    private static func readNow() -> Data? {
        var buffer = [UInt8](repeating: 0, count: most)
        while true {
            let count = Foundation.read(STDIN_FILENO, &buffer, most)
            if count > 0 { return Data(buffer[..<count]) }
            if count == 0 { return nil }
            // The parent process may have made the descriptor non-blocking.
            var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            if errno == EAGAIN { poll(&descriptor, 1, -1) } else if errno != EINTR { return nil }
        }
    }

    /// - Returns: false once the reader has closed the output.
    func write(_ bytes: Data) async -> Bool {
        await withCheckedContinuation { continuation in
            output.async { continuation.resume(returning: (try? Console.print(bytes)) != nil) }
        }
    }

    /// Calls a closure once, on a separate thread, when nobody can read standard output any longer, even if nothing is
    /// being written.
    func onLossOfReader(_ action: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            // Without requested events, `poll` reports only errors and the end.
            var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            while poll(&descriptor, 1, -1) < 0, errno == EINTR || errno == EAGAIN { continue }
            action()
        }
    }
}
