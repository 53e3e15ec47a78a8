import Foundation
import Offstage

/// One request and its answer. Only its connection uses it.
final class Exchange {
    enum Phase {
        /// The body arrives.
        case receiving
        /// A task makes the answer.
        case waiting
        /// The client reads the answer.
        case sending
        /// The body of the answer is made while the client reads it.
        case streaming
        /// Lines in both directions.
        case batch
    }

    /// From 1, over all connections.
    let number: Int
    /// Nil for a head that is refused.
    let head: RequestHead?
    let start = ContinuousClock.now
    var phase = Phase.receiving
    var client: ServiceClient?
    /// The route's pattern, without identifiers and content.
    var route = "-"
    var admission: FrontDesk.Admission?
    var body = Data()
    /// The bytes of the body. The request has it while the service works on it.
    var memory: MemoryBudget.Charge?
    /// Makes the answer.
    var work: Task<Void, Never>?
    /// 0 until the answer begins.
    var status = 0
    /// The number of bytes of the answer's body.
    var byteCount = 0
    /// `kept` or `drawn`.
    var how: String?
    /// The connection ends with the answer.
    var closes: Bool
    /// A large body, of which `written` bytes are sent.
    var held: HeldBytes?
    var written = 0
    var batch: BatchLines?

    init(_ number: Int, _ head: RequestHead?) {
        (self.number, self.head) = (number, head)
        closes = head?.closes ?? true
    }

    /// The client wants no body.
    var isHead: Bool { head?.method == "HEAD" }

    /// The line of the log.
    ///
    /// - Parameter isAbandoned: the client left before it had an answer.
    func entry(isAbandoned: Bool) -> AccessLog.Entry {
        let known = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]
        let method = head.map { known.contains($0.method) ? $0.method : "-" } ?? "-"
        let hasAnswer = status != 0 && !isAbandoned
        return AccessLog.Entry(
            number: number, client: client?.tokenName, method: method, route: route, status: hasAnswer ? status : nil,
            bytes: hasAnswer ? byteCount : 0, duration: start.duration(to: .now), how: how)
    }
}
