import CSoup
import Foundation

/// A connection that libsoup has given up. It reads and writes at the same time, which libsoup does not support for one request.
@MainActor
final class RawConnection {
    private let stream: UnsafeMutablePointer<GIOStream>
    private let cancellable: UnsafeMutablePointer<GCancellable>
    /// The start of the write in progress; nil for none.
    private var writingSince: ContinuousClock.Instant?

    /// - Parameter stream: becomes the property of this object.
    init(_ stream: UnsafeMutablePointer<GIOStream>) {
        self.stream = stream
        cancellable = g_cancellable_new()
    }

    isolated deinit {
        g_object_unref(cancellable)
        g_object_unref(stream)
    }

    /// The next bytes; nil at the end, and after `cancel`.
    func read() async -> Data? {
        let input = g_io_stream_get_input_stream(stream)
        let call = await finished {
            g_input_stream_read_bytes_async(input, 65_536, G_PRIORITY_DEFAULT, cancellable, $0, $1)
        }
        let data = Data(taking: g_input_stream_read_bytes_finish(input, call.result, nil))
        return data.isEmpty ? nil : data
    }

    /// Writes everything. Each piece has the client's full patience.
    ///
    /// - Returns: false if the client is gone.
    func write(_ data: Data) async -> Bool {
        let bytes = data.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        defer {
            g_bytes_unref(bytes)
            writingSince = nil
        }
        var size: gsize = 0
        guard let start = g_bytes_get_data(bytes, &size) else { return true }
        let output = g_io_stream_get_output_stream(stream)
        for offset in stride(from: 0, to: data.count, by: HeldBytes.piece) {
            writingSince = .now
            let length = gsize(min(HeldBytes.piece, data.count - offset))
            let call = await finished {
                g_output_stream_write_all_async(output, start + offset, length, G_PRIORITY_DEFAULT, cancellable, $0, $1)
            }
            if g_output_stream_write_all_finish(output, call.result, nil, nil) == 0 { return false }
        }
        return true
    }

    /// True if a write has taken longer than `patience`.
    func isStuck(_ now: ContinuousClock.Instant, after patience: Duration) -> Bool {
        writingSince.map { $0 + patience < now } ?? false
    }

    /// Pending reads and writes return immediately.
    func cancel() { g_cancellable_cancel(cancellable) }

    func close() { g_io_stream_close(stream, nil, nil) }

    // MARK: Calls of GIO

    /// `@unchecked Sendable` because GLib calls back on the main thread, and nothing leaves it.
    private final class Call: @unchecked Sendable {
        let continuation: CheckedContinuation<Void, Never>
        /// The argument of the call's `…_finish` function.
        var result: OpaquePointer!

        init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }
        deinit { g_object_unref(UnsafeMutableRawPointer(result)) }
    }

    /// Begins an asynchronous call and waits for its result.
    private func finished(_ begin: (@escaping GAsyncReadyCallback, gpointer) -> Void) async -> Call {
        var call: Call!
        await withCheckedContinuation { continuation in
            call = Call(continuation)
            begin(
                { _, result, data in
                    let call = Unmanaged<Call>.fromOpaque(data!).takeRetainedValue()
                    call.result = OpaquePointer(g_object_ref(UnsafeMutableRawPointer(result!)))
                    call.continuation.resume()
                }, Unmanaged.passRetained(call).toOpaque())
        }
        return call
    }
}

extension Data {
    /// Copies and frees a `GBytes`; empty for nil.
    init(taking bytes: OpaquePointer?) {
        self.init()
        guard let bytes else { return }
        defer { g_bytes_unref(bytes) }
        var size: gsize = 0
        if let data = g_bytes_get_data(bytes, &size), size > 0 { self = Data(bytes: data, count: Int(size)) }
    }
}
