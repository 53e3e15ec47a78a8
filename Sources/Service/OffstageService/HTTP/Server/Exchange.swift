import Foundation
import Offstage

/// One request and its answer. Only its connection uses it.
final class Exchange {
    enum Phase {
        /// The body is arriving.
        case receiving
        /// A task is making the answer.
        case waiting
        /// The client is reading the answer.
        case sending
        /// The body of the answer is being made while the client reads it.
        case streaming
        /// Lines are being sent in both directions.
        case batch
    }

    /// From 1, over all connections.
    let number: Int
    /// One of the known methods; nil for others, and for rejected headers.
    let method: String?
    let isHTTP11: Bool
    /// Nil once a handler has the request, because they can be large.
    var head: RequestHead?
    let start = ContinuousClock.now
    var phase = Phase.receiving
    var client: ServiceClient?
    /// The digest of the client's token.
    var token: Digest?
    /// The route's pattern, without identifiers and content.
    var route = "-"
    var admission: FrontDesk.Admission?
    var body = Data()
    /// The charge for the headers (beyond the allowance) and the body. Passed on to the handler with the request.
    var memory: MemoryBudget.Charge?
    /// The task that makes the answer.
    var work: Task<Void, Never>?
    /// 0 until the answer begins.
    var status = 0
    /// The number of bytes of the answer's body.
    var byteCount = 0
    /// `kept` or `drawn`.
    var how: String?
    /// True if the connection ends with the answer.
    var closes: Bool
    /// A large body, with `written` bytes already sent.
    var held: HeldBytes?
    var written = 0
    var batch: BatchLines?

    init(_ number: Int, _ head: RequestHead?) {
        (self.number, self.head) = (number, head)
        method = head.flatMap { Self.methods.contains($0.method) ? $0.method : nil }
        isHTTP11 = head?.isHTTP11 ?? true
        closes = head?.closes ?? true
    }

    /// The methods that the log names.
    private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]

    /// True if the client does not want a body.
    var isHead: Bool { method == "HEAD" }

    /// The request's line in the log.
    ///
    /// - Parameter isAbandoned: true if the client left before it got an answer.
    func entry(isAbandoned: Bool) -> AccessLog.Entry {
        let hasAnswer = status != 0 && !isAbandoned
        return AccessLog.Entry(
            number: number, client: client?.tokenName, method: method ?? "-", route: route,
            status: hasAnswer ? status : nil,
            bytes: hasAnswer ? byteCount : 0, duration: start.duration(to: .now), how: how)
    }
}
