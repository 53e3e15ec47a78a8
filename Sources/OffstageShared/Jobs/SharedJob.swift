import Foundation
import Offstage

/// A job that a node has claimed.
public struct SharedJob: Sendable {
    public let key: Digest
    /// The document and its options, as the client has sent them.
    public let request: Data
    /// The client's name for the turns.
    public let client: String
    public let priority: Int
    /// The processes that earlier attempts have cost.
    let crashes: Int

    /// True for a job that is drawn while nothing else is.
    var isAlone: Bool { JobEnd.isAlone(crashes: crashes) }
}

/// The outcome of a submitted request.
public enum SharedOutcome: Sendable, Hashable {
    /// The pictures are on the shelf.
    case drawn
    case failed(DrawingError)
    /// No live node draws for the class.
    case noSuchMachine
    /// Too many of the client's requests wait.
    case full
    /// PostgreSQL cannot be reached.
    case unavailable(SharedError)
}

/// The jobs that a node may claim now.
struct ClaimPlan: Sendable, Hashable {
    /// The most jobs; 0 for none.
    var count: Int
    /// True for a job that has to be drawn alone.
    var isAlone: Bool

    /// - Parameters:
    ///   - window: the jobs at once: more than are drawn at once, so that nothing waits for PostgreSQL.
    ///   - running: the jobs that the node has.
    ///   - free: the drawings for which the node has room, beside those of its own clients.
    ///   - suspects: the waiting jobs that have to be drawn alone.
    ///   - isAlone: true while the node has such a job.
    init(window: Int, running: Int, free: Int, suspects: Int, isAlone: Bool) {
        if isAlone {
            (count, self.isAlone) = (0, false)
        } else if suspects > 0 {
            // It begins nothing else until it has nothing.
            (count, self.isAlone) = (running == 0 && free > 0 ? 1 : 0, true)
        } else {
            (count, self.isAlone) = (max(0, min(window - running, free)), false)
        }
    }
}
