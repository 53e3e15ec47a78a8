import Foundation
import Offstage
import Synchronization

/// Standard input and output as a session's transport: read and written on threads of their own, when asked.
final class StandardStreams: Sendable {
    private struct State {
        var reader: CheckedContinuation<Data?, Never>?
        var isOver = false
    }

    private let state = Mutex(State())
    private let input = DispatchQueue(label: "offstage.input")
    private let output = DispatchQueue(label: "offstage.output")

    /// Bytes that are read at once: of lines that wait for room there are no more here.
    private static let most = 65_536

    /// What has come, at least a byte; nil at the end, and once the calling task is cancelled.
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
            // The thread stays where it is: nothing may ever come.
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

    /// Waits for something to come. An input that cannot be read has ended.
    private static func readNow() -> Data? {
        var buffer = [UInt8](repeating: 0, count: most)
        while true {
            let count = Foundation.read(STDIN_FILENO, &buffer, most)
            if count > 0 { return Data(buffer[..<count]) }
            if count == 0 { return nil }
            // Who started us may have left it so.
            var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            if errno == EAGAIN { poll(&descriptor, 1, -1) } else if errno != EINTR { return nil }
        }
    }

    /// - Returns: false where nobody reads any more.
    func write(_ bytes: Data) async -> Bool {
        await withCheckedContinuation { continuation in
            output.async { continuation.resume(returning: (try? Console.print(bytes)) != nil) }
        }
    }

    /// Calls once, on a thread of its own, when nobody can read standard output any more; also while nothing is written.
    func onLossOfReader(_ action: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            // Asked for no event, it tells of errors and of the end alone.
            var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            while poll(&descriptor, 1, -1) < 0, errno == EINTR || errno == EAGAIN { continue }
            action()
        }
    }
}
