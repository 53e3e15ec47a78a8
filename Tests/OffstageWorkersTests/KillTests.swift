import Foundation
import Offstage
import Testing

@testable import OffstageWorkers

struct KillTests {
    /// Runs in its own process, whose only children are the workers. `KILLS=500` tries more often.
    @Test func aKilledWorkerCostsNoResult() async {
        await #expect(processExitsWith: .success) {
            let kills = Int(ProcessInfo.processInfo.environment["KILLS"] ?? "") ?? 40
            func use(_ jail: WorkerJail, _ kills: Int) async {
                let engine = WorkerEngine(TestSource(), workers: 3, jail: jail)
                let protections = try? await engine.protections()
                for round in 0..<kills {
                    await withTaskGroup(of: Void.self) { group in
                        for number in 0..<5 {
                            group.addTask {
                                let document = "document \(round) \(number)"
                                do {
                                    let pixels = try await engine.pixels(document)
                                    precondition(pixels == echo(of: document), "round \(round), \(number)")
                                } catch { preconditionFailure("round \(round), \(number): \(error)") }
                            }
                        }
                        // A worker that draws, waits or starts; with bubblewrap, perhaps the process that watches
                        // over it.
                        if let victim = OwnProcess.descendants.randomElement() { kill(victim, SIGKILL) }
                    }
                }
                // If a worker is killed during its start, Offstage must not continue without bubblewrap.
                let last = try? await engine.protections()
                precondition(last == protections, "\(String(describing: last))")
                await engine.shutDown()
                precondition(OwnProcess.descendants.isEmpty, "\(OwnProcess.descendants)")
            }
            await use(.never, 1)
            await use(.wherePossible, 1)
            let before = OwnProcess.descriptors
            await use(.never, kills / 2)
            await use(.wherePossible, kills / 2)
            precondition(OwnProcess.descriptors <= before, "\(OwnProcess.descriptors), not \(before)")
        }
    }

    /// Imitates bubblewrap's child for a moment: it ignores its parent's end and waits for ever.
    @Test func aKilledHostLeavesNoProcessInTheGroup() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardOutputContent]) {
            let group = try ProcessGroup.shared()
            let waiting = try SpawnedProcess(["/bin/sleep", "1000000"], socket: 0, complaints: nil, group: group)
            print("waiting: \(waiting.number)", terminator: "\n")
            fflush(nil)
            kill(getpid(), SIGKILL)
        }
        let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
        let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("waiting: ") })
        let number = try #require(pid_t(line.dropFirst("waiting: ".count)))
        while !OwnProcess.hasEnded(number) { await Task.yield() }
    }
}
