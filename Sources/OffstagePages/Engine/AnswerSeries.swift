import Foundation
import Offstage
import OffstageWorkers

/// The limits of a question that takes several answers of a worker: one time, and a number of bytes, for all of them.
///
/// Each answer has the limits of its job. Without these, a worker that was taken over could send answers without end.
package struct AnswerSeries {
    /// Bytes of reports for any document: 100,000 pages with short labels.
    private static let leastBytes = 8 << 20
    /// Bytes of reports for a byte of the document. A blank page has about 9 bytes in a packed document, and 30 in a report.
    private static let bytesPerByte = 64
    /// Bytes of reports, however large the document is.
    private static let mostBytes = 64 << 20
    /// Bytes of a document to read within the time of one job. A larger document has that time for each of as many bytes.
    private static let bytesInTime = 16 << 20

    private let seconds: Double
    private var secondsLeft: Double
    private var bytesLeft: Int

    /// Begins a question. Its time is the workers': a job may wait for one.
    ///
    /// - Parameters:
    ///   - documentBytes: of the document.
    ///   - budget: whose time is that of all answers, for a document of at most 16 MiB.
    package init(documentBytes: Int, budget: WorkerBudget) {
        let share = Double(max(1, (documentBytes + Self.bytesInTime - 1) / Self.bytesInTime))
        // Also for a number that is none.
        seconds = budget.seconds > 0 ? min(budget.seconds * share, 1e6) : 0
        secondsLeft = seconds
        bytesLeft = Self.bytes(of: documentBytes)
    }

    /// The bytes that a worker may report about a document in all.
    ///
    /// - Parameter documentBytes: of the document.
    package static func bytes(of documentBytes: Int) -> Int {
        min(mostBytes, max(leastBytes, bytesPerByte * min(documentBytes, mostBytes)))
    }

    /// Gets the next answer, and makes something of it.
    ///
    /// - Parameters:
    ///   - job: ends with the time of the question at the latest.
    ///   - workers: that run it.
    ///   - make: as for the engine of the workers.
    /// - Returns: as the engine of the workers.
    /// - Throws: as the engine of the workers. More bytes than the document allows are an untrue answer.
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
                    throw .untrueAnswer("its process reported more than a document of its size has")
                }
                return (try make(answer), answer.seconds, answer.report.count)
            }
        } catch {
            // The last job's own time is no number for a user.
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
