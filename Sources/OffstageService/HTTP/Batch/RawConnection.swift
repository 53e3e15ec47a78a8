import CSoup
import Foundation

/// A connection that libsoup has given up: bytes both ways at once, which a request and an answer of libsoup's are not.
@MainActor
final class RawConnection {
    private let stream: UnsafeMutablePointer<GIOStream>
    private let cancellable: UnsafeMutablePointer<GCancellable>

    /// - Parameter stream: taken over.
    init(_ stream: UnsafeMutablePointer<GIOStream>) {
        self.stream = stream
        cancellable = g_cancellable_new()
    }

    isolated deinit {
        g_object_unref(cancellable)
        g_object_unref(stream)
    }

    /// The next bytes; nil at the end, and when it is cancelled.
    func read() async -> Data? {
        let bytes: OpaquePointer? = await withCheckedContinuation {
            (continuation: CheckedContinuation<Answer, Never>) in
            g_input_stream_read_bytes_async(
                g_io_stream_get_input_stream(stream), 65_536, G_PRIORITY_DEFAULT, cancellable,
                { source, result, data in
                    let bytes = g_input_stream_read_bytes_finish(
                        UnsafeMutableRawPointer(source!).assumingMemoryBound(to: GInputStream.self), result, nil)
                    Box.take(data).resume(returning: Answer(pointer: bytes))
                }, Box(continuation).retained)
        }.pointer
        guard let bytes else { return nil }
        defer { g_bytes_unref(bytes) }
        var size: gsize = 0
        guard let data = g_bytes_get_data(bytes, &size), size > 0 else { return nil }
        return Data(bytes: data, count: Int(size))
    }

    /// What was to be written so long ago is not.
    func isStuck(_ now: ContinuousClock.Instant, after patience: Duration) -> Bool {
        writingSince.map { $0 + patience < now } ?? false
    }

    private var writingSince: ContinuousClock.Instant?

    /// Returns when all is written; false: nobody is there any more.
    func write(_ data: Data) async -> Bool {
        var rest = data[...]
        // Each has a time of its own.
        while !rest.isEmpty {
            let piece = rest.prefix(HeldBytes.piece)
            guard await writePiece(piece) else { return false }
            rest = rest.dropFirst(piece.count)
        }
        return true
    }

    private func writePiece(_ data: Data) async -> Bool {
        writingSince = .now
        defer { writingSince = nil }
        let bytes = data.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        defer { g_bytes_unref(bytes) }
        var size: gsize = 0
        let start = g_bytes_get_data(bytes, &size)
        return await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
            g_output_stream_write_all_async(
                g_io_stream_get_output_stream(stream), start, size, G_PRIORITY_DEFAULT, cancellable,
                { source, result, data in
                    let isWritten = g_output_stream_write_all_finish(
                        UnsafeMutableRawPointer(source!).assumingMemoryBound(to: GOutputStream.self), result, nil, nil)
                    Box.take(data).resume(returning: Answer(isDone: isWritten != 0))
                }, Box(continuation).retained)
        }.isDone
    }

    /// What waits returns at once.
    func cancel() { g_cancellable_cancel(cancellable) }

    func close() {
        g_io_stream_close(stream, nil, nil)
    }

    /// It stays on the main thread: GLib calls back there.
    private struct Answer: @unchecked Sendable {
        var pointer: OpaquePointer?
        var isDone = false
    }

    private final class Box {
        let continuation: CheckedContinuation<Answer, Never>
        init(_ continuation: CheckedContinuation<Answer, Never>) { self.continuation = continuation }
        var retained: gpointer { Unmanaged.passRetained(self).toOpaque() }
        static func take(_ data: gpointer?) -> CheckedContinuation<Answer, Never> {
            Unmanaged<Box>.fromOpaque(data!).takeRetainedValue().continuation
        }
    }
}
