import Foundation
import Offstage

/// A job that a node has claimed.
public struct SharedJob: Sendable {
    public let key: Digest
    /// The document and its options, as the client sent them.
    public let request: Data
    /// The client's name for fair sharing.
    public let client: String
    public let priority: Int
    /// The number of processes that earlier attempts ended.
    let crashes: Int

    /// True for a job that must be drawn on its own.
    var isAlone: Bool { JobEnd.isAlone(crashes: crashes) }
}

/// The outcome of a submitted request.
public enum SharedOutcome: Sendable, Hashable {
    /// The pictures are in the shared cache.
    case drawn
    case failed(DrawingError)
    /// No live node of the class draws this source.
    case noSuchMachine
    /// The client has too many waiting requests.
    case full
    /// PostgreSQL cannot be reached.
    case unavailable(SharedError)
}

/// The jobs that a node may claim now.
struct ClaimPlan: Sendable, Hashable {
    /// The maximum number of jobs.
    var count: Int
    /// True to claim a job that must be drawn on its own.
    var isAlone: Bool

    /// - Parameters:
    ///   - window: the maximum number of claimed jobs. More than the node draws at once, so that no slot waits for
    ///     PostgreSQL.
    ///   - running: the number of jobs that the node has claimed.
    ///   - free: the number of slots that the node's own clients don't use.
    ///   - suspects: the number of waiting jobs that must be drawn on their own.
    ///   - isAlone: true while the node draws such a job.
    init(window: Int, running: Int, free: Int, suspects: Int, isAlone: Bool) {
        if isAlone {
            (count, self.isAlone) = (0, false)
        } else if suspects > 0 {
            // Finish all other jobs first.
            (count, self.isAlone) = (running == 0 && free > 0 ? 1 : 0, true)
        } else {
            (count, self.isAlone) = (max(0, min(window - running, free)), false)
        }
    }
}
