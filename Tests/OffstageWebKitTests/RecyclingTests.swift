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

    /// It is missed, and another one is started.
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
                    // The first draws, and the next two would replace it.
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
        // One that draws, its successor, and one that is just ending.
        XCTAssertLessThanOrEqual(processes.most, 3, line: line)
    }

    /// The web processes for this number of rows, and their largest number at once. Without a sandbox, in which they are not our
    /// children.
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
                // A host does something else between two rows; a process takes 0.15 s to start.
                try await Task.sleep(for: .milliseconds(10))
            }
            XCTAssertEqual(engine.restarts, 0)
            await renderer.finish()
            return (all, most)
        }
    }
}
