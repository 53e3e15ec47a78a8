import Offstage

/// An engine that draws in jailed workers. Nothing starts before the first drawing.
public protocol JailedEngine: Engine {
    /// Makes an engine.
    ///
    /// - Parameters:
    ///   - workers: the maximum number of concurrent drawings, each in its own process, at least 1. One more process is kept in reserve.
    ///   - jail: when to use bubblewrap.
    ///   - fresh: when a document gets a worker that has drawn nothing before.
    init(workers: Int, jail: WorkerJail, fresh: FreshWorkers)

    /// The active protections, for `doctor`. Starts a worker if necessary, but no drawing.
    ///
    /// - Returns: the protections of a worker.
    /// - Throws: the reason why no worker can start here.
    func protections() async throws(EngineUnavailable) -> WorkerProtections
}
