import CSoup
import Foundation
import Offstage
import OffstageGLib

/// A large body for as long as somebody reads it.
@MainActor
final class HeldBytes {
    enum Place {
        case memory(Data)
        case file(SpoolFile)
    }

    /// So many bytes of it are copied for each reader, who has to take them within the idle timeout.
    nonisolated static let piece = 32_768

    nonisolated let count: Int
    private let place: Place
    private let onEnd: @MainActor () -> Void

    init(_ place: Place, count: Int, onEnd: @escaping @MainActor () -> Void) {
        (self.place, self.count, self.onEnd) = (place, count, onEnd)
    }

    isolated deinit { onEnd() }

    /// Nil where they cannot be read.
    func piece(at offset: Int) -> Data? {
        let length = min(Self.piece, count - offset)
        switch place {
        case .memory(let data): return data.dropFirst(offset).prefix(length)
        case .file(let file):
            var piece = Data(count: length)
            do { try piece.withUnsafeMutableBytes { try file.read(into: $0, at: offset) } } catch { return nil }
            return piece
        }
    }
}

/// Gives libsoup a large body piece by piece: the next one once the client's socket has taken the last.
@MainActor
final class HeldBytesWriter {
    private let bytes: HeldBytes
    private let message: OpaquePointer
    private let connection: Connection?
    private var offset = 0
    private let handlers = SignalHandlers()

    /// - Parameter message: an answer without a body; its length is said.
    init(_ bytes: HeldBytes, to message: OpaquePointer, _ connection: Connection?) {
        (self.bytes, self.message, self.connection) = (bytes, message, connection)
        g_object_ref(UnsafeMutableRawPointer(message))
        soup_message_body_set_accumulate(soup_server_message_get_response_body(message), 0)
        let wrote: @convention(c) (gpointer, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: HeldBytesWriter.self)?.next() }
        }
        handlers.connect(
            "wrote-chunk", of: UnsafeMutableRawPointer(message), unsafeBitCast(wrote, to: GCallback.self), to: self)
        next()
    }

    isolated deinit {
        handlers.disconnect()
        g_object_unref(UnsafeMutableRawPointer(message))
    }

    private func next() {
        connection?.lastMove = .now
        let body = soup_server_message_get_response_body(message)
        if offset == bytes.count { return soup_message_body_complete(body) }
        // Its length is said already: only the connection's end can tell the client.
        guard let piece = bytes.piece(at: offset) else { return connection?.cut() ?? () }
        offset += piece.count
        piece.withUnsafeBytes { soup_message_body_append(body, SOUP_MEMORY_COPY, $0.baseAddress, gsize($0.count)) }
    }
}
