import Foundation
import Offstage
import OffstageWorkers

/// The limits of a query that needs several answers from a worker: a total time, and a total number of bytes.
///
/// Each answer also has its job's limits. Without the total limits, a worker that was taken over could send answers
/// forever.
package struct AnswerSeries {
    /// The report bytes that any document may have: enough for 100,000 pages with short labels.
    private static let leastBytes = 8 << 20
    /// The maximum number of report bytes per byte of the document. A blank page takes about 9 bytes in a compressed
    /// document, and 30 in a report.
    private static let bytesPerByte = 64
    /// The maximum number of report bytes, whatever the document's size.
    private static let mostBytes = 64 << 20
    /// The number of document bytes to read within the time of one job. A larger document gets that time once for each
    /// such number of bytes.
    private static let bytesInTime = 16 << 20

    private let seconds: Double
    private var secondsLeft: Double
    private var bytesLeft: Int

    /// Begins a query. Its time does not include waiting for a worker.
    ///
    /// - Parameters:
    ///   - documentBytes: the document's size.
    ///   - budget: the limits. Its time applies to all answers together, for a document of at most 16 MiB.
    package init(documentBytes: Int, budget: WorkerBudget) {
        let share = Double(max(1, (documentBytes + Self.bytesInTime - 1) / Self.bytesInTime))
        // Also catches NaN.
        seconds = budget.seconds > 0 ? min(budget.seconds * share, 1e6) : 0
        secondsLeft = seconds
        bytesLeft = Self.bytes(of: documentBytes)
    }

    /// The total number of bytes that a worker may report about a document.
    ///
    /// - Parameter documentBytes: the document's size.
    package static func bytes(of documentBytes: Int) -> Int {
        min(mostBytes, max(leastBytes, bytesPerByte * min(documentBytes, mostBytes)))
    }

    /// Gets the next answer and converts it.
    ///
    /// - Parameters:
    ///   - job: the job, which ends at the latest when the query's time is over.
    ///   - workers: the workers that run it.
    ///   - make: converts the answer, as in the workers' engine.
    /// - Returns: the result of `make`.
    /// - Throws: the errors of the workers' engine. More bytes than the document allows count as an untrue answer.
    package mutating func value<Source, Value: Sendable>(
        of job: WorkerJob, from workers: WorkerEngine<Source>,
        _ make: @escaping @Sendable (WorkerAnswer) throws(DrawingError) -> Value
    ) async throws(DrawingError) -> Result<Value, WorkerFailure> {
        if secondsLeft <= 0 { throw .engineHung(seconds: seconds) }
        var job = job
        job.budget.seconds = min(job.budget.seconds, secondsLeft)
        let result: Result<(value: Value, seconds: Double, bytes: Int), WorkerFailure>
        do throws(DrawingError) {
            result = try await workers.value(of: job) { [bytesLeft] answer throws(DrawingError) in
                if answer.report.count > bytesLeft {
                    throw .untrueAnswer("the worker reported more than a document of this size can contain")
                }
                return (try make(answer), answer.seconds, answer.report.count)
            }
        } catch {
            // The time limit of the last job would mean nothing to a user.
            if case .engineHung = error { throw .engineHung(seconds: seconds) }
            throw error
        }
        if case .success(let answer) = result {
            secondsLeft -= answer.seconds
            bytesLeft -= answer.bytes
        }
        return result.map(\.value)
    }
}
