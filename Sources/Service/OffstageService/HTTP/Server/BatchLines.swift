import Foundation

/// The bytes of `/v1/batch` in both directions, between a connection and its session. Only the connection uses it.
final class BatchLines {
    /// Received bytes that the session has not read.
    private var inbox = Data()
    /// The client has sent its whole body.
    private(set) var isComplete = false
    private var isOver = false
    /// The session, while it waits for bytes.
    var reader: CheckedContinuation<Data?, Never>?
    /// The session, while it waits for the client to read.
    var writer: CheckedContinuation<Bool, Never>?
    /// Counts the unanswered lines.
    let progress: LineProgress
    /// The number of bytes that wait for the session; more stay in the socket's buffers.
    private static let window = ClientSocket.window

    init(_ progress: LineProgress) { self.progress = progress }

    /// True while the connection may read more.
    var hasRoom: Bool { inbox.count < Self.window && !isOver }

    /// True while the client waits for answers.
    var isWorking: Bool { progress.isWorking }

    // MARK: From the client

    func add(_ piece: Data) {
        if let reader {
            self.reader = nil
            reader.resume(returning: piece)
        } else {
            inbox.append(piece)
        }
    }

    /// The client's body has ended, or was cut off.
    func end(isComplete: Bool) {
        self.isComplete = isComplete
        isOver = true
        if inbox.isEmpty { resumeReader() }
    }

    private func resumeReader() {
        reader?.resume(returning: nil)
        reader = nil
    }

    enum Received {
        case bytes(Data)
        case end
        /// Waits for the client to send more.
        case nothing
    }

    func take() -> Received {
        if inbox.isEmpty { return isOver ? .end : .nothing }
        defer { inbox = Data() }
        return .bytes(inbox)
    }

    // MARK: To the client

    /// The system has accepted everything that was written.
    func drained() {
        writer?.resume(returning: true)
        writer = nil
    }

    /// The connection is closed.
    func leave() {
        isOver = true
        isComplete = false
        inbox = Data()
        resumeReader()
        writer?.resume(returning: false)
        writer = nil
    }
}
