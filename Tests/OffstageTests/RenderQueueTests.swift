import Foundation
import Offstage
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RenderQueueTests {
    /// How much runs at once, and the most that ever did.
    private final class Load: Sendable {
        private let state = Mutex((now: 0, peak: 0))
        func begin() {
            state.withLock {
                $0.now += 1
                $0.peak = max($0.peak, $0.now)
            }
        }
        func end() { state.withLock { $0.now -= 1 } }
        var peak: Int { state.withLock { $0.peak } }
    }

    @Test(arguments: [1, 2, 4])
    func asMuchRunsAtOnceAsTheQueueIsWideAndNoMore(width: Int) async {
        let queue = RenderQueue(width: width)
        let load = Load()
        let started = Journal()
        let gate = Gate()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    await queue.run {
                        load.begin()
                        await started.note("")
                        await gate.pass()
                        // Room for whatever else would start now.
                        for _ in 0..<10 { await Task.yield() }
                        load.end()
                    }
                }
            }
            await started.wait(for: width)
            await gate.open()
        }
        #expect(load.peak == width)
    }

    // `Task.immediate` runs up to its first wait at once: what it asks for is in the queue when it returns.

    @Test func nothingStartsWhileSuspendedAndAllRunsAfter() async {
        let queue = RenderQueue(width: 2)
        queue.isSuspended = true
        #expect(queue.isSuspended)
        let started = Journal()
        let tasks = (0..<8).map { number in
            Task.immediate {
                await queue.run {
                    await started.note("\(number)")
                    return number
                }
            }
        }
        // Room for what would start now.
        for _ in 0..<1000 { await Task.yield() }
        #expect(await started.entries == [])
        queue.isSuspended = false
        for (number, task) in tasks.enumerated() { #expect(await task.value == number) }
        #expect(await started.entries.count == 8)
    }

    @Test func whatIsUrgentRunsBeforeWhatCameEarlier() async {
        let queue = RenderQueue(width: 1)
        queue.isSuspended = true
        let started = Journal()
        let priorities: [(String, Operation.QueuePriority)] = [
            ("low", .veryLow), ("normal", .normal), ("high", .veryHigh), ("normal too", .normal),
        ]
        let tasks = priorities.map { name, priority in
            Task.immediate { await queue.run(priority: priority) { await started.note(name) } }
        }
        queue.isSuspended = false
        for task in tasks { await task.value }
        #expect(await started.entries == ["high", "normal", "normal too", "low"])
    }
}
