import Foundation
import Offstage
import Testing

@testable import OffstageWorkers

/// Each fault costs one picture, with an error that names it, and the next picture is right.
struct FaultTests {
    @Test func aDocumentIsDrawn() async throws {
        try await withEngine { engine async throws in
            #expect(try await engine.pixels() == echo())
            #expect(try await engine.pixels("another one") == echo(of: "another one"))
        }
    }

    @Test func anEmptyDocumentIsDrawn() async throws {
        try await withEngine { engine async throws in
            #expect(try await engine.pixels("") == PixelBytes(bytes: [UInt8](repeating: 0, count: 4096)))
        }
    }

    @Test(arguments: [TestCommand.abort, .segfault, .exit])
    func aCrashCostsOnePicture(command: TestCommand) async throws {
        try await withEngine { engine async throws in
            #expect(try await engine.pixels() == echo())
            #expect(await engine.error(command) == .engineCrashed)
            #expect(try await engine.pixels() == echo())
            // The document was tried twice more, alone.
            #expect(await engine.restarts == 3)
        }
    }

    @Test(arguments: [TestCommand.hang, .swallow])
    func aHangCostsOnePicture(command: TestCommand) async throws {
        try await withEngine { engine async throws in
            var budget = WorkerBudget()
            budget.seconds = 0.2
            #expect(await engine.error(command, budget: budget) == .engineHung(seconds: 0.2))
            #expect(try await engine.pixels() == echo())
            #expect(await engine.restarts == 1)
        }
    }

    @Test(arguments: TestCommand.lies)
    func aLieCostsOnePicture(command: TestCommand) async throws {
        try await withEngine { engine async throws in
            #expect(try await engine.pixels() == echo())
            #expect(await engine.error(command)?.problemCode == WorkerFault.lieCode)
            #expect(try await engine.pixels() == echo())
            // An earlier document could have made the first worker lie, so a second one was tried.
            #expect(await engine.restarts == 2)
        }
    }

    @Test(arguments: TestCommand.forbidden, [WorkerJail.always, .never])
    func aForbiddenCallCostsOnePicture(command: TestCommand, jail: WorkerJail) async throws {
        try await withEngine(jail: jail) { engine async throws in
            #expect(await engine.error(command)?.problemCode == WorkerFault.forbiddenCallCode)
            #expect(try await engine.pixels() == echo())
            #expect(await engine.restarts == 1)
        }
    }

    /// Newer versions of libc first ask for memory that the jail refuses.
    @Test(arguments: [WorkerJail.always, .never])
    func randomNumbersAreTheKernels(jail: WorkerJail) async throws {
        try await withEngine(jail: jail) { engine async throws in
            #expect(try await engine.pixels("document", .random) == echo())
            #expect(await engine.restarts == 0)
        }
    }

    /// A worker can block the kernel's signal for this limit.
    @Test func processorTimeIsLimitedHard() async throws {
        try await withEngine { engine async throws in
            var budget = WorkerBudget()
            budget.processorSeconds = 1
            let excess = LimitExcess(.processorSeconds, allowed: 1, measured: 1)
            #expect(await engine.error(.burn, budget: budget) == .overLimit(excess))
            #expect(try await engine.pixels() == echo())
        }
    }

    /// An idle worker is stopped, and its next document goes to another worker.
    @Test func aWorkerThatWorksOnCostsNoPicture() async throws {
        for jail in [WorkerJail.always, .never] {
            try await withEngine(jail: jail) { engine async throws in
                #expect(try await engine.pixels("first", .answerAndBurn) == echo(of: "first"))
                let worker = try #require(await engine.pool.everyWorker().first)
                while OwnProcess.state(of: worker.number) != "T" { await Task.yield() }
                var budget = WorkerBudget()
                budget.seconds = 0.5
                #expect(try await engine.pixels("second", budget: budget) == echo(of: "second"))
                #expect(await engine.restarts == 1)
            }
        }
    }

    @Test func aSecondAnswerIsNotTheNextOne() async throws {
        try await withEngine { engine async throws in
            #expect(try await engine.pixels("first", .twoAnswers) == echo(of: "first"))
            #expect(try await engine.pixels("second") == echo(of: "second"))
        }
    }

    @Test func aFailureIsTheSources() async throws {
        try await withEngine { engine async throws in
            #expect(await engine.error(.fail) == .unusable(SourceProblem("test", "107 [11, 22]")))
            #expect(try await engine.pixels() == echo())
            #expect(await engine.restarts == 0)
        }
    }

    @Test func neighboursOfFaultsAreUnchanged() async throws {
        try await withEngine(workers: 3) { engine async throws in
            var budget = WorkerBudget()
            budget.memory = 256 << 20
            // A hang would delay this test for an hour, so another test covers hangs.
            let faults = TestCommand.lies + TestCommand.forbidden + [.abort, .segfault, .exit, .fail, .allocate]
            let results = await withTaskGroup(of: (Int, PixelBytes?).self) { group in
                for (index, fault) in faults.enumerated() {
                    group.addTask { [budget] in (-1, try? await engine.pixels("bad", fault, budget: budget)) }
                    group.addTask { (index, try? await engine.pixels("row \(index)")) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for (index, pixels) in results {
                #expect(pixels == (index < 0 ? nil : echo(of: "row \(index)")))
            }
        }
    }
}
