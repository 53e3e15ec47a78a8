import Benchmarking
import Foundation
import Offstage
import OffstageImages

/// Sends the smallest possible requests to a jailed worker, and kills workers to measure when the next one answers.
struct TripWorker {
    /// An image of one pixel, whose decoding takes a few microseconds.
    private static let image = ImageFile(
        identifier: "pixel",
        data: Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")!)

    /// - Returns: `trip.p50` and `trip.p99` for the facts of one image, in microseconds, and `recovery.p50` and
    ///   `recovery.p95` for a picture after all workers were killed, in milliseconds.
    func run(trips: Int, kills: Int) async throws -> [String: Double] {
        let engine = ImageEngine(workers: 1)
        var times: [Double] = []
        for number in -100..<trips {
            let time = try await timed { _ = try await engine.facts(about: Self.image) }.time
            // The first requests start a worker and warm it up.
            if number >= 0 { times.append(time / .microseconds(1)) }
        }
        var recoveries: [Double] = []
        for _ in 0..<kills {
            // The worker that draws next, and the spare one.
            let victims = ProcessTree.descendants(of: getpid())
            for process in victims { kill(process, SIGKILL) }
            // A worker that is ending could still receive a document.
            while victims.contains(where: ProcessTree.runs) { usleep(100) }
            recoveries.append(try await timed { _ = try await engine.draw(Self.image) }.time / .milliseconds(1))
        }
        await engine.shutDown()
        guard let trip = Statistics(times), let recovery = Statistics(recoveries) else {
            throw BenchmarkError("there was no trip")
        }
        return [
            "trip.p50": trip.median, "trip.p99": trip.percentile(0.99),
            "recovery.p50": recovery.median, "recovery.p95": recovery.percentile(0.95),
        ]
    }
}
