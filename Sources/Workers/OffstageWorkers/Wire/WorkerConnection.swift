import COffstageWire
import Foundation
import Offstage

/// The host's end of the connection to a worker. Everything that it receives is untrusted.
struct WorkerConnection: ~Copyable, Sendable {
    private let socket: OwnedDescriptor

    /// The two ends of a connection.
    struct Pair: ~Copyable {
        let host: WorkerConnection
        /// The host closes it after it has started the worker: as long as this end is open here, the host cannot detect
        /// that the worker has ended.
        let worker: OwnedDescriptor

        /// Closes the worker's end here.
        consuming func takeHost() -> WorkerConnection { host }
    }

    /// Makes a connection.
    static func pair() throws(WorkerSystemError) -> Pair {
        var host: Int32 = -1
        var worker: Int32 = -1
        guard offstage_wire_pair(&host, &worker) == 0 else { throw WorkerSystemError("a socket") }
        return Pair(host: WorkerConnection(socket: OwnedDescriptor(host)), worker: OwnedDescriptor(worker))
    }

    private init(socket: consuming OwnedDescriptor) { self.socket = socket }

    /// A message from a worker.
    struct Message: ~Copyable {
        var head: offstage_wire_head
        var payload: Data
        /// The process that sent it, according to the kernel.
        var sender: pid_t
    }

    enum Event: ~Copyable {
        case message(Message)
        /// The worker closed its end.
        ///
        /// - Parameter unread: true if it had not read the last message.
        case end(unread: Bool)
        case timeout
        case malformed
    }

    /// Sends a document to draw.
    ///
    /// - Parameters:
    ///   - number: the request's number; the answer repeats it.
    ///   - document: sealed, or a file that its program reads piece by piece; the worker gets its own descriptor.
    ///   - picture: the memory for the picture; nil for none.
    /// - Returns: false if the worker is gone.
    borrowing func send(_ job: WorkerJob, number: UInt32, document: Int32?, picture: Int32?) -> Bool {
        var head = offstage_wire_head()
        head.kind = UInt16(OFFSTAGE_WIRE_DRAW.rawValue)
        head.number = number
        head.length = UInt32(clamping: job.options.count)
        head.values.0 = UInt64(job.documentBytes)
        head.values.1 = UInt64(job.budget.pixels)
        head.values.2 = document == nil ? 0 : 1
        head.values.3 = picture == nil ? 0 : 1
        return job.options.withUnsafeBytes {
            offstage_wire_send(socket.number, &head, $0.baseAddress, [document ?? -1, picture ?? -1])
        } == 0
    }

    /// True if the worker has not read the last message.
    var hasUnread: Bool { offstage_wire_has_unread(socket.number) }

    /// True if all messages from the worker have been read.
    var isSilent: Bool {
        switch receive(within: 0) {
        case .timeout: true
        case .end: true
        case .message: false
        case .malformed: false
        }
    }

    /// Waits for a message. Blocks the thread.
    ///
    /// - Parameter milliseconds: the maximum time; 0 to return immediately.
    borrowing func receive(within milliseconds: Int32) -> Event {
        var head = offstage_wire_head()
        var sender: pid_t = 0
        var payload = Data()
        let result = withUnsafeTemporaryAllocation(byteCount: Int(OFFSTAGE_WIRE_PAYLOAD), alignment: 16) { buffer in
            let result = offstage_wire_receive(
                socket.number, milliseconds, &head, buffer.baseAddress, nil, &sender)
            // Only then do the header and the payload's length agree.
            if result == OFFSTAGE_WIRE_RECEIVED { payload = Data(buffer[..<Int(head.length)]) }
            return result
        }
        switch result {
        case OFFSTAGE_WIRE_RECEIVED:
            return .message(Message(head: head, payload: payload, sender: sender))
        case OFFSTAGE_WIRE_TIMEOUT: return .timeout
        case OFFSTAGE_WIRE_MALFORMED: return .malformed
        case OFFSTAGE_WIRE_UNREAD: return .end(unread: true)
        default: return .end(unread: false)
        }
    }
}

/// The error if the system refuses something that every worker needs.
struct WorkerSystemError: Error {
    let what: String
    let code: Int32

    /// - Parameter what: its name with an article, such as `a socket`.
    init(_ what: String, code: Int32 = errno) {
        self.what = what
        self.code = code
    }

    var unavailable: EngineUnavailable {
        EngineUnavailable(
            problem: "the system refused \(what) for a worker: \(String(cString: strerror(code)))",
            remedy: "check the limits on this account's processes, open files and memory")
    }
}
