import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// Engines whose processes have not started yet: the first process that is ready draws the most urgent request.
final class ColdStartTests: XCTestCase {
    func testTheFirstRequestDoesNotWaitForASlowProcess() throws {
        for slow in 0..<2 {
            try onLoop {
                let before = Processes.children()
                let renderer = Studio.make(views: 2)
                renderer.isSuspended = true
                let later = renderer.task(for: row(20))
                let urgent = renderer.task(for: row(10), options: .init(priority: .veryHigh))
                renderer.isSuspended = false
                // Both processes have started but neither is ready yet. The test stops one of them.
                var processes: [pid_t] = []
                while processes.count < 2 {
                    processes = Processes.new(Processes.webProcess, since: before).sorted()
                    try await Task.sleep(for: .milliseconds(2))
                }
                kill(processes[slow], SIGSTOP)
                let first = try await urgent.picture
                XCTAssertEqual(first.size.height, 10)
                kill(processes[slow], SIGCONT)
                let second = try await later.picture
                XCTAssertEqual(second.size.height, 20)
                await renderer.finish()
            }
        }
    }

    /// A single view draws requests in their order from the start, more urgent ones first.
    func testOneViewDrawsInTheOrderOfTheRequests() throws {
        // The first engine prepares the environment that all engine tests share.
        try onLoop { await Studio.make().finish() }
        let heights = try onLoop {
            try await drawnHeights([(10, .normal), (20, .normal), (30, .normal), (40, .veryHigh), (50, .normal)])
        }
        XCTAssertEqual(heights, [40, 10, 20, 30, 50])
    }
}

@MainActor
private func drawnHeights(_ order: [(height: Int, priority: RenderPriority)]) async throws -> [Int] {
    let engine = WebEngine(views: 1)
    engine.sandbox = .never
    var heights: [Int] = []
    engine.change = { drawing in
        heights.append(drawing.pixmaps[0].size.height)
        return drawing
    }
    let renderer = Renderer(engine: engine)
    renderer.isSuspended = true
    let tasks = order.map { renderer.task(for: row($0.height), options: .init(priority: $0.priority)) }
    renderer.isSuspended = false
    for task in tasks { _ = try await task.picture }
    await renderer.finish()
    return heights
}

private func row(_ height: Int) -> Snippet {
    var snippet = page("<div style='height:\(height)px'></div>")
    snippet.timeout = 60
    return snippet
}
