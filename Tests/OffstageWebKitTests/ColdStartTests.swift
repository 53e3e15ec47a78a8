import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// An engine with two views whose processes start together: whichever is there first draws what is most urgent.
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
                // Both have started, neither has told the other what it is for: one of them stops.
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
}

private func row(_ height: Int) -> Snippet {
    var snippet = page("<div style='height:\(height)px'></div>")
    snippet.timeout = 60
    return snippet
}
