import Foundation
import Offstage
import SeededRandom
import Testing

@testable import OffstageWorkers

struct PoolTests {
    @Test(arguments: [1, 3]) func theOrderDoesNotChangeAPicture(workers: Int) async throws {
        try await withEngine(workers: workers) { engine async throws in
            let rows = (0..<120).map { "row \($0)" }.shuffled()
            let results = await withTaskGroup(of: (String, PixelBytes?).self) { group in
                for row in rows { group.addTask { (row, try? await engine.pixels(row)) } }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            for row in rows { #expect(results[row] == echo(of: row), "\(row)") }
            #expect(await engine.restarts == 0)
        }
    }

    @Test func aSpareWorkerStartsWithTheSecondDrawing() async throws {
        try await withEngine { engine async throws in
            _ = try await engine.pixels("a")
            #expect(await engine.pool.everyWorker().count == 1)
            _ = try await engine.pixels("b")
            #expect(await engine.pool.everyWorker().count == 2)
        }
    }

    @Test func aWornWorkerIsReplaced() async throws {
        try await withEngine(recycling: Recycling(drawings: 3)) { engine async throws in
            var workers: Set<ObjectIdentifier> = []
            for row in 0..<9 {
                #expect(try await engine.pixels("\(row)") == echo(of: "\(row)"))
                workers.formUnion(await engine.pool.everyWorker().map(ObjectIdentifier.init))
            }
            // A replacement does not count as a loss.
            #expect(await engine.restarts == 0)
            #expect(workers.count >= 3)
            #expect(await engine.pool.everyWorker().count == 1)
        }
    }

    /// An idle worker must not keep memory that a document made it allocate.
    @Test func aWorkerThatKeepsMemoryIsReplaced() async throws {
        try await withEngine(recycling: Recycling(memory: 8 << 20)) { engine async throws in
            let small = try await engine.draw(TestRequest()).trust[0]
            let large = try await engine.draw(TestRequest(command: .answerAndHold)).trust[0]
            #expect(large === small)
            #expect(try await engine.draw(TestRequest()).trust[0] !== large)
            #expect(await engine.restarts == 0)
        }
    }

    @Test func aWorkerThatTakesMemoryAtRestIsEnded() async throws {
        try await withEngine(recycling: Recycling(memory: 8 << 20)) { engine async throws in
            _ = try await engine.draw(TestRequest(command: .answerAndGrow))
            while let worker = await engine.pool.everyWorker().first, worker.isReusable {
                // On a busy machine, the worker is stopped before it takes any memory.
                let isStopped = OwnProcess.state(of: worker.number) == "T"
                if isStopped, WorkerMemory.ownBytes(of: worker.number) ?? .max <= 8 << 20 { break }
                await Task.yield()
            }
            #expect(try await engine.pixels() == echo())
        }
    }

    /// A single referenced page of each picture would keep the whole picture in memory.
    @Test func aWorkerHasALimitOfPictures() async throws {
        try await withEngine(recycling: Recycling(memory: 16 << 20)) { engine async throws in
            var workers: [DrawingTrust] = []
            for _ in 0..<10 { workers.append(try await engine.draw(TestRequest(command: .echoLarge)).trust[0]) }
            // Each picture has 4 MB, so a worker's fifth picture is its last.
            #expect(workers[0] === workers[4] && workers[4] !== workers[5] && workers[5] === workers[9])
        }
    }

    @Test func killedWorkersLoseNothing() async throws {
        for seed in Seed.some(1) {
            var random = SeededGenerator(seed: seed)
            try await withEngine { engine async throws in
                for row in 0..<200 {
                    let drawing = Task { try await engine.pixels("row \(row)", .echoLarge) }
                    // Waits a random time, which ends before, during or after the drawing.
                    for _ in 0..<Int.random(in: 0..<40, using: &random) { await Task.yield() }
                    if random.oneIn(2) {
                        for _ in 0..<Int.random(in: 0..<200_000, using: &random) { spin() }
                    }
                    await engine.pool.everyWorker().randomElement(using: &random)?.kill()
                    let pixels = try? await drawing.value
                    #expect(pixels == echo(of: "row \(row)", side: 1000), "seed \(seed), row \(row)")
                }
            }
        }
    }

    @Test func aCancelledDrawingEndsAndTheNextOneIsDrawn() async throws {
        try await withEngine { engine async throws in
            #expect(try await engine.pixels() == echo())
            for _ in 0..<5 {
                let drawing = Task { await engine.error(.hang) }
                // The next drawing waits for its turn.
                let next = Task { try await engine.pixels("next") }
                while await !engine.pool.isDrawing { await Task.yield() }
                drawing.cancel()
                next.cancel()
                #expect(await drawing.value == .cancelled)
                _ = try? await next.value
                #expect(try await engine.pixels() == echo())
            }
        }
    }

    @Test func nothingIsDrawnAfterTheEnd() async throws {
        let engine = WorkerEngine(TestSource(), workers: 2)
        #expect(try await engine.pixels() == echo())
        await engine.shutDown()
        guard case .unavailable = await engine.error(.echo) else {
            Issue.record("it was drawn")
            return
        }
        await engine.shutDown()
    }

    @Test func drawingsInProgressEndWithTheEngine() async throws {
        let engine = WorkerEngine(TestSource(), workers: 2)
        #expect(try await engine.pixels() == echo())
        let drawings = (0..<4).map { _ in Task { await engine.error(.hang) } }
        while await !engine.pool.isDrawing { await Task.yield() }
        await engine.shutDown()
        for drawing in drawings { #expect(await drawing.value != nil) }
    }

    @inline(never) private func spin() {}
}
