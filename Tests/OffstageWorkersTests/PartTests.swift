import Foundation
import Offstage
import Synchronization
import Testing

@testable import OffstageWorkers

/// Parts of an answer that a worker sends before the answer itself.
struct PartTests {
    private func job(_ parts: Parts?, partBytes: Int = 1000, command: TestCommand = .parts) throws -> WorkerJob {
        var budget = WorkerBudget()
        budget.partBytes = partBytes
        var job = try TestSource().job(for: TestRequest(command: command, budget: budget))
        if let parts { job.takePart = { parts.add($0) } }
        return job
    }

    @Test func partsArriveInOrderBeforeTheAnswer() async throws {
        try await withEngine { engine async throws in
            let parts = Parts()
            guard case .success(let answer) = try await engine.answer(to: job(parts)) else {
                Issue.record("no answer")
                return
            }
            #expect(answer.pixmap?.bytes == echo())
            let all = parts.all
            #expect(all.map(\.number) == [0, 1, 2])
            #expect(all.allSatisfy { $0.bytes == Data("document".utf8) })
            #expect(all.map(\.done) == [1, 2, 3])
            #expect(all.map(\.numbers) == [[7, 0], [7, 1], [7, 2]])
        }
    }

    @Test func emptyPartsEnd() async throws {
        try await withEngine { engine async throws in
            let job = try job(Parts(), command: .emptyParts)
            do throws(DrawingError) {
                _ = try await engine.answer(to: job)
                Issue.record("no error")
            } catch { #expect(error.problemCode == WorkerFault.lieCode) }
        }
    }

    /// A part that nobody expects, and more bytes than the budget allows.
    @Test(arguments: [nil, 23]) func tooMuchIsALie(bytes: Int?) async throws {
        try await withEngine { engine async throws in
            let job = try job(bytes == nil ? nil : Parts(), partBytes: bytes ?? 1000)
            do throws(DrawingError) {
                _ = try await engine.answer(to: job)
                Issue.record("no error")
            } catch { #expect(error.problemCode == WorkerFault.lieCode) }
            #expect(try await engine.pixels() == echo())
            #expect(await engine.restarts == 1)
        }
    }
}

/// The data of a job.
private final class Parts: Sendable {
    private let parts = Mutex<[WorkerPart]>([])

    func add(_ part: WorkerPart) { parts.withLock { $0.append(part) } }
    var all: [WorkerPart] { parts.withLock { $0 } }
}
