import Foundation
import Offstage

/// Draws requests in jailed worker processes: a process that crashes, hangs or exceeds a limit costs only one picture.
///
/// Nothing starts before the first drawing. Never uses the main actor. The workers end with `shutDown`, with the last reference to
/// the engine, or with the program.
public struct WorkerEngine<Source: WorkerSource>: Engine {
    public let capacity: Int
    private let source: Source
    let pool: WorkerPool

    /// Makes an engine.
    ///
    /// - Parameters:
    ///   - source: the kind of source that it draws.
    ///   - workers: the maximum number of concurrent drawings, each in its own process, at least 1. One more process is kept in reserve.
    ///   - jail: when to use bubblewrap. Default `.wherePossible`.
    ///   - fresh: when a document gets a worker that has drawn nothing before. Default `.never`.
    public init(
        _ source: Source, workers: Int, jail: WorkerJail = .wherePossible, fresh: FreshWorkers = .never
    ) {
        self.init(source, workers: workers, jail: jail, fresh: fresh, recycling: Recycling())
    }

    /// - Parameter recycling: the limits of one worker.
    package init(
        _ source: Source, workers: Int, jail: WorkerJail = .wherePossible, fresh: FreshWorkers = .never,
        recycling: Recycling
    ) {
        self.source = source
        pool = WorkerPool(source.program, capacity: workers, jail: jail, fresh: fresh, recycling: recycling)
        capacity = pool.capacity
    }

    @MainActor public var restarts: Int { pool.restarts }

    /// The active protections, for `doctor`. Starts a worker if necessary, but no drawing.
    ///
    /// - Returns: the protections of a worker.
    /// - Throws: the reason why no worker can start here.
    public func protections() async throws(EngineUnavailable) -> WorkerProtections { try await pool.protections() }

    public func draw(_ request: Source.Request) async throws(DrawingError) -> Drawing {
        let result = try await value(of: source.job(for: request)) { [source] answer throws(DrawingError) in
            var drawing = try source.drawing(from: answer, for: request)
            drawing.trust = [answer.trust]
            return drawing
        }
        switch result {
        case .success(let drawing): return drawing
        case .failure(let failure): throw source.error(for: failure, of: request)
        }
    }

    /// Runs a job without a request, such as one whose answer is a report. The job waits for a worker alongside the
    /// drawings, but outside the queue.
    ///
    /// - Parameter job: the job to run.
    /// - Returns: the worker's answer, or its refusal in the source's own terms.
    /// - Throws: the error of a job that exceeds a limit, or of a worker that was lost.
    public func answer(to job: WorkerJob) async throws(DrawingError) -> Result<WorkerAnswer, WorkerFailure> {
        try job.budget.check(job.documentBytes)
        if job.options.count > WorkerJob.mostOptions {
            throw .invalidRequest(
                "the options have \(job.options.count) bytes; at most \(WorkerJob.mostOptions) are allowed")
        }
        switch try await pool.run(job) {
        case .drawn(let answer): return .success(answer)
        case .failed(let failure): return .failure(failure)
        // The pool has turned these into errors.
        case .noMemory, .tooManyPixels: throw .engineCrashed
        }
    }

    /// Runs a job as `answer(to:)` does, and converts its answer.
    ///
    /// - Parameters:
    ///   - job: the job to run.
    ///   - make: runs on a thread of the worker. If it throws the error of an untrue answer, the worker is killed, and
    ///     the job runs once more, alone, if an earlier job may have taken over the worker.
    package func value<Value: Sendable>(
        of job: WorkerJob, _ make: @escaping @Sendable (WorkerAnswer) throws(DrawingError) -> Value
    ) async throws(DrawingError) -> Result<Value, WorkerFailure> {
        var job = job
        let made = CheckedValue<Value>()
        job.check = { answer throws(DrawingError) in made.set(try make(answer)) }
        switch try await answer(to: job) {
        case .failure(let failure): return .failure(failure)
        case .success:
            guard let value = made.value else { throw .engineCrashed }
            return .success(value)
        }
    }

    public func fingerprint(of request: Source.Request) -> Fingerprint? { source.fingerprint(of: request) }

    public func shutDown() async { await pool.shutDown() }
}
