import Foundation
import Offstage
import Testing

@testable import OffstageWorkers

/// These tests run in their own processes, because other tests start processes and open files at the same time.
struct LeakTests {
    @Test func nothingRemainsAfterTheEnd() async {
        await #expect(processExitsWith: .success) {
            func use(_ jail: WorkerJail) async {
                let engine = WorkerEngine(TestSource(), workers: 3, jail: jail)
                await withTaskGroup { group in
                    for command in TestCommand.lies + TestCommand.forbidden + [.abort, .exit, .echo, .echoLarge, .fail]
                    {
                        group.addTask { _ = await engine.error(command) }
                    }
                    let failure = await engine.error(.echo)
                    precondition(failure == nil)
                    let hang = Task { await engine.error(.hang) }
                    while await !engine.pool.isDrawing { await Task.yield() }
                    hang.cancel()
                    _ = await hang.value
                }
                await engine.shutDown()
                precondition(OwnProcess.descendants.isEmpty, "\(OwnProcess.descendants)")
            }
            // The runtime opens some descriptors itself, during the first round.
            await use(.wherePossible)
            await use(.never)
            let before = OwnProcess.descriptors
            await use(.wherePossible)
            await use(.never)
            precondition(OwnProcess.descriptors <= before, "\(OwnProcess.descriptors), not \(before)")
        }
    }

    @Test func nothingRemainsOfAnEngineThatIsForgotten() async {
        await #expect(processExitsWith: .success) {
            func use() async {
                let engine = WorkerEngine(TestSource(), workers: 2)
                for _ in 0..<2 { _ = try? await engine.pixels() }
                // The spare worker starts with the second drawing.
                _ = await engine.pool.everyWorker()
            }
            await use()
            // The last reference is released on another thread.
            while !OwnProcess.descendants.isEmpty { await Task.yield() }
        }
    }

    @Test func noIdleWorkerOutlivesItsHost() async throws {
        let result = await #expect(processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]) {
            await Self.endHost(while: .echo)
        }
        try await expectEnd(of: result)
    }

    @Test func noDrawingWorkerOutlivesItsHost() async throws {
        let result = await #expect(processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]) {
            await Self.endHost(while: .hang)
        }
        try await expectEnd(of: result)
    }

    /// Prints the workers' numbers and kills this process.
    private static func endHost(while command: TestCommand) async {
        var engines: [WorkerEngine<TestSource>] = []
        for jail in [WorkerJail.always, .never] {
            let engine = WorkerEngine(TestSource(), workers: 1, jail: jail)
            engines.append(engine)
            for _ in 0..<2 {
                let failure = await engine.error(.echo)
                precondition(failure == nil)
            }
            if command == .hang {
                Task { await engine.error(command) }
                while await !engine.pool.isDrawing { await Task.yield() }
            }
            // The spare worker has started.
            _ = await engine.pool.everyWorker()
        }
        print("workers:", OwnProcess.descendants.map(String.init).joined(separator: " "))
        fflush(nil)
        kill(getpid(), SIGKILL)
    }

    private func expectEnd(of result: ExitTest.Result?) async throws {
        let text = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("workers:") })
        let numbers = line.split(separator: " ").compactMap { pid_t($0) }
        // One that draws and a spare one; with bubblewrap, twice as many, and the shell that watches over its group.
        #expect(numbers.count == 7)
        for number in numbers {
            while !OwnProcess.hasEnded(number) { await Task.yield() }
        }
    }
}
