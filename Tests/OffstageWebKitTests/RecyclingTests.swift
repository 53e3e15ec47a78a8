import Foundation
import Offstage
import XCTest

@testable import OffstageWebKit

/// Web processes are replaced after a while, though nothing is wrong with them.
final class RecyclingTests: XCTestCase {
    func testByCount() throws { try assertReplaces(Recycling(drawings: 5), 60) }

    /// Every process has more than a byte; it is looked at after each 64th drawing.
    func testByMemory() throws { try assertReplaces(Recycling(memory: 1), 200) }

    func testNotBefore() throws {
        let processes = try processes(Recycling(drawings: 100), 60)
        XCTAssertEqual(processes.all.count, 1)
    }

    private func assertReplaces(_ recycling: Recycling, _ count: Int, line: UInt = #line) throws {
        let processes = try processes(recycling, count)
        XCTAssertGreaterThan(processes.all.count, 2, line: line)
        // One that draws, its successor, and one that is just ending.
        XCTAssertLessThanOrEqual(processes.most, 3, line: line)
    }

    /// The web processes that draw so many rows, and how many there are at once. In no sandbox, where they are not our children.
    private func processes(_ recycling: Recycling, _ count: Int) throws -> (all: Set<pid_t>, most: Int) {
        try onLoop {
            _ = Studio.renderer
            let before = Processes.children()
            let engine = WebEngine(views: 1, limits: .engine, recycling: recycling)
            engine.sandbox = .never
            let renderer = Renderer(engine: engine)
            var (all, most) = (Set<pid_t>(), 0)
            for number in 0..<count {
                var snippet = page("<div style='height:10px;background:red'></div>")
                snippet.geometry.width += number
                let image = try await renderer.image(for: snippet)
                XCTAssertEqual(image.count(of: .red), 10 * image.size.width)
                let now = Processes.new(Processes.webProcess, since: before)
                all.formUnion(now)
                most = max(most, now.count)
                // A host does something else between two rows; a process takes 0.15 s to start.
                try await Task.sleep(for: .milliseconds(10))
            }
            XCTAssertEqual(engine.restarts, 0)
            await renderer.finish()
            return (all, most)
        }
    }
}
