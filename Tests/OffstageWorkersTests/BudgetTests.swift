import Foundation
import Offstage
import Testing

@testable import OffstageWorkers

struct BudgetTests {
    @Test func memory() async throws {
        var budget = WorkerBudget()
        budget.memory = 200 << 20
        try await withEngine { [budget] engine async throws in
            let excess = LimitExcess(.memory, allowed: 200 << 20, measured: 200 << 20)
            #expect(await engine.error(.allocate, budget: budget) == .overLimit(excess))
            // The error is the same even if other documents could have used the memory. Then the document is drawn once
            // more, alone.
            #expect(try await engine.pixels() == echo())
            #expect(await engine.error(.allocate, budget: budget) == .overLimit(excess))
            #expect(try await engine.pixels() == echo())
        }
    }

    @Test(arguments: [WorkerJail.always, .never])
    func processorTime(jail: WorkerJail) async throws {
        var budget = WorkerBudget()
        budget.processorSeconds = 1
        budget.seconds = 100_000
        try await withEngine(jail: jail) { [budget] engine async throws in
            let excess = LimitExcess(.processorSeconds, allowed: 1, measured: 1)
            #expect(await engine.error(.hang, budget: budget) == .overLimit(excess))
            #expect(try await engine.pixels() == echo())
        }
    }

    @Test func pixels() async throws {
        var budget = WorkerBudget()
        try await withEngine { engine async throws in
            budget.pixels = 32 * 32 - 1
            let size = PixelSize(width: 32, height: 32)
            #expect(await engine.error(.echo, budget: budget) == .tooManyPixels(measured: size, limit: 1023))
            budget.pixels = 32 * 32
            #expect(try await engine.pixels(budget: budget) == echo())
            // Reaching the limit does not cost a process.
            #expect(await engine.restarts == 0)
        }
    }

    @Test func documentBytes() async throws {
        var budget = WorkerBudget()
        budget.documentBytes = 7
        try await withEngine { [budget] engine async throws in
            let excess = LimitExcess(.inputBytes, allowed: 7, measured: 8)
            #expect(await engine.error(.echo, budget: budget) == .overLimit(excess))
        }
    }

    @Test func impossibleLimitsAreErrorsOfTheDrawing() async throws {
        try await withEngine { engine async throws in
            for value in [Int.min, -1, 0] {
                var budget = WorkerBudget()
                (budget.pixels, budget.processorSeconds) = (value, value)
                #expect(await engine.error(.echo, budget: budget) != nil)
                budget = WorkerBudget()
                (budget.seconds, budget.memory) = (Double(value), value)
                #expect(await engine.error(.hang, budget: budget) != nil)
            }
            var budget = WorkerBudget()
            (budget.pixels, budget.processorSeconds, budget.memory) = (.max, .max, .max)
            (budget.documentBytes, budget.seconds) = (.max, .infinity)
            #expect(try await engine.pixels(budget: budget) == echo())
            budget.seconds = .nan
            #expect(await engine.error(.hang, budget: budget) != nil)
        }
    }

    @Test func tooManyOptionsAreAnError() async throws {
        struct Wordy: WorkerSource {
            let program = TestSource().program
            func job(for request: TestRequest) throws(DrawingError) -> WorkerJob {
                WorkerJob(document: request.document, options: Data(repeating: 1, count: 65_537))
            }
            func drawing(from answer: WorkerAnswer, for request: TestRequest) throws(DrawingError) -> Drawing {
                throw .empty
            }
            func error(for failure: WorkerFailure, of request: TestRequest) -> DrawingError { .empty }
            func fingerprint(of request: TestRequest) -> Fingerprint? { nil }
        }
        let engine = WorkerEngine(Wordy(), workers: 1)
        await #expect(throws: DrawingError.invalidRequest("the options have 65537 bytes; at most 65536 are allowed")) {
            try await engine.draw(TestRequest())
        }
    }
}
