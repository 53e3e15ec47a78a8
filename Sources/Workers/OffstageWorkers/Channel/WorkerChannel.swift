import COffstageWire
import Foundation
import Offstage

/// One end of a connection between a host and a worker that is written in Swift. It carries messages of any size in
/// both directions: a small one is one packet, a larger one travels as sealed memory.
///
/// Any thread may send; one thread at a time receives. Everything that a host receives is untrusted.
package final class WorkerChannel: Sendable {
    private let socket: OwnedDescriptor

    /// The maximum size of a packet's content, bytes: several packets must fit into the socket's queue.
    private static let mostInline = 16 << 10
    /// The maximum size of a message's content, bytes.
    private static let mostBytes: UInt64 = 1 << 32
    /// The maximum time in which the other end must make room in its queue, milliseconds.
    private static let patience: Int32 = 10_000

    /// A message.
    package struct Message: Sendable {
        /// The message's kind, which both ends agree on.
        package var kind: UInt16
        /// The number of the job that the message is about; 0 for none.
        package var number: UInt32
        /// Three numbers whose meaning depends on the kind.
        package var values: [UInt64]
        package var content: Data
        /// The file that came with it.
        package var file: WorkerFileEnd?
    }

    /// What `receive` found.
    package enum Event: Sendable {
        case message(Message)
        case timeout
        /// The other end is closed.
        case end
        /// The other end sent something that is not a message.
        case malformed
    }

    /// - Parameter socket: the end of a connection, which the new object owns.
    package init(_ socket: consuming OwnedDescriptor) { self.socket = socket }

    /// The worker's end, in a worker.
    package static func toHost() -> WorkerChannel { WorkerChannel(OwnedDescriptor(OFFSTAGE_WIRE_SOCKET)) }

    /// Ends the connection. Both ends then receive `end`.
    package func close() { shutdown(socket.number, Int32(SHUT_RDWR)) }

    /// The descriptor to wait for.
    package var descriptor: Int32 { socket.number }

    /// Sends a message, and waits for room in the other end's queue if necessary.
    ///
    /// - Parameters:
    ///   - file: a descriptor for the other end, which gets its own; nil for none.
    /// - Returns: false if the other end is gone or does not take messages.
    @discardableResult
    package func send(
        _ kind: UInt16, number: UInt32 = 0, values: [UInt64] = [], _ content: Data = Data(), file: Int32? = nil
    ) -> Bool {
        var head = offstage_wire_head()
        head.kind = kind
        head.number = number
        head.values.0 = values.first ?? 0
        head.values.1 = values.count > 1 ? values[1] : 0
        head.values.2 = values.count > 2 ? values[2] : 0
        return content.withUnsafeBytes { bytes in
            if bytes.count <= Self.mostInline {
                head.length = UInt32(bytes.count)
                return send(&head, bytes.baseAddress, [file ?? -1, -1])
            }
            let memory = offstage_wire_sealed(bytes.baseAddress, bytes.count)
            guard memory >= 0 else { return false }
            defer { Glibc.close(memory) }
            head.values.3 = UInt64(bytes.count)
            return send(&head, nil, [memory, file ?? -1])
        }
    }

    private func send(_ head: inout offstage_wire_head, _ bytes: UnsafeRawPointer?, _ files: [Int32]) -> Bool {
        while offstage_wire_send(socket.number, &head, bytes, files) != 0 {
            guard errno == EAGAIN else { return false }
            var entry = pollfd(fd: socket.number, events: Int16(POLLOUT), revents: 0)
            let ready = poll(&entry, 1, Self.patience)
            if ready == 0 || ready < 0 && errno != EINTR { return false }
        }
        return true
    }

    /// Waits for a message. Blocks the thread.
    ///
    /// - Parameter milliseconds: the maximum time; 0 to return immediately, -1 to wait without a limit.
    package func receive(within milliseconds: Int32) -> Event {
        var head = offstage_wire_head()
        var content = Data()
        var files: (Int32, Int32) = (-1, -1)
        let result = withUnsafeTemporaryAllocation(byteCount: Int(OFFSTAGE_WIRE_PAYLOAD), alignment: 16) { buffer in
            let result = withUnsafeMutablePointer(to: &files) {
                $0.withMemoryRebound(to: Int32.self, capacity: 2) {
                    offstage_wire_receive(socket.number, milliseconds, &head, buffer.baseAddress, $0, nil)
                }
            }
            // Only then do the header and the content's length agree.
            if result == OFFSTAGE_WIRE_RECEIVED { content = Data(buffer[..<Int(head.length)]) }
            return result
        }
        switch result {
        case OFFSTAGE_WIRE_RECEIVED: break
        case OFFSTAGE_WIRE_TIMEOUT: return .timeout
        case OFFSTAGE_WIRE_MALFORMED: return .malformed
        default: return .end
        }
        let first = files.0 < 0 ? nil : WorkerFileEnd(files.0)
        let second = files.1 < 0 ? nil : WorkerFileEnd(files.1)
        var file = first
        if head.values.3 > 0 {
            file = second
            guard let first, head.values.3 <= Self.mostBytes,
                let large = first.bytes(count: Int(head.values.3))
            else { return .malformed }
            content = large
        }
        return .message(
            Message(
                kind: head.kind, number: head.number, values: [head.values.0, head.values.1, head.values.2],
                content: content, file: file))
    }
}

/// A descriptor that came with a message. It is closed with the last reference.
package final class WorkerFileEnd: Sendable {
    private let descriptor: OwnedDescriptor

    fileprivate init(_ number: Int32) { descriptor = OwnedDescriptor(number) }

    package var number: Int32 { descriptor.number }

    /// Memory that nobody can change any more.
    ///
    /// - Parameter count: its size, bytes.
    /// - Returns: nil if the file is anything else.
    package func memory(count: Int) -> SealedMemory? { SealedMemory(descriptor.number, count: count) }

    /// A copy of sealed memory; nil if the file is anything else.
    fileprivate func bytes(count: Int) -> Data? {
        memory(count: count).map { Data(bytes: $0.base, count: count) }
    }
}

/// Mapped memory that nobody can change any more.
///
/// `@unchecked Sendable` because the memory is sealed, and only `deinit` unmaps it.
package final class SealedMemory: @unchecked Sendable {
    package let base: UnsafeRawPointer
    package let count: Int

    fileprivate init?(_ file: Int32, count: Int) {
        guard count > 0, let base = offstage_wire_map(file, count) else { return nil }
        (self.base, self.count) = (base, count)
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: base), count) }
}
