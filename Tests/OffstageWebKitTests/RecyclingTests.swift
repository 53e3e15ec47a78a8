import Foundation
import Offstage
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// Web processes are replaced from time to time, even if nothing is wrong with them.
final class RecyclingTests: XCTestCase {
    func testByCount() throws { try assertReplaces(Recycling(drawings: 5), 60) }

    /// Every process uses more than a byte. Memory is checked after each 64th drawing.
    func testByMemory() throws { try assertReplaces(Recycling(memory: 1), 200) }

    func testNotBefore() throws {
        let processes = try processes(Recycling(drawings: 100), 60)
        XCTAssertEqual(processes.all.count, 1)
    }

    /// The engine notices that the process is gone and starts another one.
    func testASuccessorThatIsKilledAsItStarts() throws {
        try onLoop {
            _ = Studio.renderer
            let before = Processes.children()
            let engine = WebEngine(views: 1, limits: .engine, recycling: Recycling(drawings: 5))
            engine.sandbox = .never
            let renderer = Renderer(engine: engine)
            var (seen, killed) = (Set<pid_t>(), 0)
            for number in 0..<100 where seen.count < 6 {
                var snippet = page("<div style='height:10px;background:red'></div>")
                snippet.geometry.width += number
                _ = try await renderer.picture(for: snippet)
                for process in Processes.new(Processes.webProcess, since: before) where seen.insert(process).inserted {
                    // The first process draws, and the next two are meant to replace it.
                    if seen.count == 1 || killed == 2 { continue }
                    kill(process, SIGKILL)
                    killed += 1
                }
                try await Task.sleep(for: .milliseconds(10))
            }
            XCTAssertEqual(killed, 2)
            XCTAssertEqual(seen.count, 6)
            await renderer.finish()
        }
    }

    private func assertReplaces(_ recycling: Recycling, _ count: Int, line: UInt = #line) throws {
        let processes = try processes(recycling, count)
        XCTAssertGreaterThan(processes.all.count, 2, line: line)
        // The process that draws, its successor, and one that is ending.
        XCTAssertLessThanOrEqual(processes.most, 3, line: line)
    }

    /// The web processes that draw this many rows, and the largest number at one time. Without the sandbox, because
    /// sandboxed processes are not our children.
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
                let image = try await renderer.picture(for: snippet)
                XCTAssertEqual(image.count(of: .red), 10 * image.size.width)
                let now = Processes.new(Processes.webProcess, since: before)
                all.formUnion(now)
                most = max(most, now.count)
                // Gives the host time for other work between two rows; a process takes 0.15 s to start.
                try await Task.sleep(for: .milliseconds(10))
            }
            XCTAssertEqual(engine.restarts, 0)
            await renderer.finish()
            return (all, most)
        }
    }
}
