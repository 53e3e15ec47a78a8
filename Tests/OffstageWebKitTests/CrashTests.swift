import Foundation
import Offstage
import Synchronization
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// When a process ends in the middle of a drawing, the snippet's caller gets an error and the next snippet is drawn.
final class CrashTests: XCTestCase {
    /// The snippet is tried twice more, each time in a new process, because a single crash may be an accident.
    func testASnippetThatEndsItsProcessIsReportedAndTheNextIsDrawn() throws {
        try withRenderer { renderer, process in
            let others = Processes.children().filter { $0.id != process }
            for _ in 0..<3 {
                let kills = Mutex(0)
                let snippet = waiting {
                    kills.withLock { $0 += 1 }
                    for process in Processes.new(Processes.webProcess, since: others) { kill(process, SIGKILL) }
                }
                let reason = await reason(renderer, snippet)
                XCTAssertEqual(reason, .engineCrashed)
                XCTAssertEqual(kills.withLock { $0 }, 3)
                try await assertDraws(renderer)
            }
            XCTAssertFalse(Processes.isAlive(process))
        }
    }

    /// Other documents in the process are not to blame and are drawn.
    func testASnippetWhoseProcessIsEndedOnceIsDrawn() throws {
        try withRenderer { renderer, process in
            var files = MemoryFolder(["red.png": flatPNG(.red)])
            files.asked = { _ in kill(process, SIGKILL) }
            let image = try await renderer.picture(
                for: page("<img src=red.png style='display:block'>", base: files))
            XCTAssertEqual(image.count(of: .red), 100)
            XCTAssertEqual(image.warnings, [])
            XCTAssertFalse(Processes.isAlive(process))
        }
    }

    func testASnippetWhoseProcessesAreEndedTwiceIsDrawn() throws {
        try withRenderer { renderer, process in
            let others = Processes.children().filter { $0.id != process }
            let kills = Mutex(0)
            var files = MemoryFolder(["red.png": flatPNG(.red)])
            files.asked = { _ in
                guard
                    kills.withLock({
                        $0 += 1
                        return $0
                    }) < 3
                else { return }
                for process in Processes.new(Processes.webProcess, since: others) { kill(process, SIGKILL) }
            }
            let image = try await renderer.picture(
                for: page("<img src=red.png style='display:block'>", base: files))
            XCTAssertEqual(image.count(of: .red), 100)
            XCTAssertEqual(kills.withLock { $0 }, 3)
        }
    }

    func testACrashBetweenDrawingsIsNoticedByNobody() throws {
        try withRenderer { renderer, process in
            kill(process, SIGKILL)
            try await assertDraws(renderer)
        }
    }

    /// The engine has learned of the crash before the next request.
    func testACrashLongBeforeTheNextDrawing() throws {
        try withRenderer { renderer, process in
            kill(process, SIGKILL)
            // Drawing with another engine runs the main loop in the meantime.
            try await assertDraws(Studio.renderer)
            try await assertDraws(renderer)
        }
    }

    func testAStoppedProcessIsReportedAfterTheGraceAndReplaced() throws {
        try withRenderer { renderer, process in
            let start = ContinuousClock.now
            let asked = Mutex(0)
            let snippet = waiting(0.3) {
                asked.withLock { $0 += 1 }
                kill(process, SIGSTOP)
            }
            let reason = await reason(renderer, snippet)
            let time = start.duration(to: .now)
            XCTAssertEqual(reason, .engineHung(seconds: 5))
            XCTAssertGreaterThan(time, .seconds(5))
            // Only once: a document that hung has used up its time.
            XCTAssertEqual(asked.withLock { $0 }, 1)
            try await assertDraws(renderer)
            XCTAssertFalse(Processes.isAlive(process))
        }
    }

    /// The process hung between two drawings, before it received the next document, which another process draws.
    func testAProcessThatHangsBeforeADocumentIsNotTheDocuments() throws {
        try withRenderer { renderer, process in
            var tracing = page("<link rel=x><div style='height:9px'></div>")
            tracing.timeout = 30
            _ = try await renderer.picture(for: tracing)
            kill(process, SIGSTOP)
            var snippet = row
            snippet.timeout = 1
            snippet.limits.grace = 1
            let image = try await renderer.picture(for: snippet)
            XCTAssertEqual(image.count(of: .red), 1000)
            XCTAssertFalse(Processes.isAlive(process))
        }
    }

    func testOneViewsCrashIsNotTheOthers() throws {
        try onLoop {
            let before = Processes.children()
            let renderer = Studio.make(views: 2)
            async let lost = reason(
                renderer,
                waiting {
                    // The other view has not started, so the only process is the one that draws.
                    for process in Processes.new(Processes.webProcess, since: before) { kill(process, SIGKILL) }
                })
            let reason = await lost
            XCTAssertEqual(reason, .engineCrashed)
            let images = try await draw(rows(20), with: renderer)
            for image in images { XCTAssertEqual(image.count(of: .red), 10 * image.size.width) }
            await renderer.finish()
        }
    }

    /// If the network process ends, a file that it is loading may be lost. The picture then lacks the file but is in
    /// time, and the next picture is complete.
    func testTheEndOfTheNetworkProcessIsSurvived() throws {
        try onLoop {
            let before = Processes.children()
            let renderer = Studio.make()
            var snippet = page(
                "<div style='height:10px;background:blue'></div><img src=red.png style='display:block'>",
                base: MemoryFolder(["red.png": flatPNG(.red)]))
            snippet.timeout = 1
            _ = try await renderer.picture(for: snippet)
            let processes = Processes.new(Processes.networkProcess, since: before)
            XCTAssertEqual(processes.count, 1)
            for process in processes { kill(process, SIGKILL) }
            let first = try await renderer.picture(for: snippet)
            XCTAssertEqual(first.count(of: .blue), 1000)
            XCTAssert(first.isComplete || first.warnings == [DrawingWarning(.deadline, "red.png")])
            for _ in 0..<3 {
                let image = try await renderer.picture(for: snippet)
                XCTAssertEqual(image.count(of: .red), 100)
            }
            await renderer.finish()
        }
    }

    func testAnEngineThatEndsLeavesNoProcessOfItsOwn() throws {
        try onLoop {
            let before = Processes.children()
            let renderer = Studio.make(views: 2)
            _ = try await draw(rows(4), with: renderer)
            XCTAssertEqual(Processes.new(Processes.webProcess, since: before).count, 2)
            await renderer.finish()
            // While the next engine starts, these processes have time to end.
            let next = Studio.make()
            _ = try await next.picture(for: row)
            XCTAssertEqual(Processes.new(Processes.webProcess, since: before).count, 1)
            await next.finish()
        }
    }
}

private let row = page("<div style='height:10px;background:red'></div>")

/// A snippet that waits for a file that never arrives. `act` runs as soon as it waits.
private func waiting(_ timeout: Double = 30, _ act: @escaping @Sendable () -> Void) -> Snippet {
    var files = MemoryFolder(hanging: ["never.png"])
    files.asked = { _ in act() }
    var snippet = page("<div style='height:10px'></div><img src=never.png>", base: files)
    snippet.timeout = timeout
    return snippet
}

/// Runs a body with a new renderer that has drawn one picture, and with the process id of its web process.
private func withRenderer(_ body: @escaping @MainActor (Renderer, pid_t) async throws -> Void) throws {
    try onLoop {
        let before = Processes.children()
        let renderer = Studio.make()
        _ = try await renderer.picture(for: row)
        let processes = Processes.new(Processes.webProcess, since: before)
        XCTAssertEqual(processes.count, 1)
        try await body(renderer, processes[0])
        await renderer.finish()
    }
}

@MainActor
private func assertDraws(_ renderer: Renderer, line: UInt = #line) async throws {
    for _ in 0..<2 {
        let image = try await renderer.picture(for: row)
        XCTAssertEqual(image.count(of: .red), 1000, line: line)
        XCTAssertEqual(image.warnings, [], line: line)
    }
}

@MainActor
private func reason(
    _ renderer: Renderer, _ snippet: Snippet, line: UInt = #line
) async -> DrawingError? {
    do throws(RenderError) {
        _ = try await renderer.picture(for: snippet)
        XCTFail("drawn", line: line)
        return nil
    } catch {
        return error.reason
    }
}

/// Each row is different; otherwise they would share a drawing.
private func rows(_ count: Int) -> [Snippet] {
    (0..<count).map { number in
        var one = row
        one.geometry.width += number
        return one
    }
}
