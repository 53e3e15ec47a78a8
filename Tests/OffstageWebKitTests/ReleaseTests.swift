import CGTK
import Foundation
import Offstage
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// An engine that is released without `finish` leaves nothing behind except this process's private display.
final class ReleaseTests: XCTestCase {
    override func setUp() { Strictness.apply() }
    override func tearDown() { Strictness.end() }

    func testAHundredEnginesThatAreLetGo() throws {
        try onLoop {
            // The first engine starts everything that a process starts only once.
            try await Self.useAndDrop(draws: true)
            let others = Processes.children()
            for number in 0..<100 {
                // Most engines are released while they start, each after a different number of turns; some after a
                // picture.
                try await Self.useAndDrop(draws: number % 10 == 0, turns: number)
            }
            // A killed process needs a moment to end.
            let end = ContinuousClock.now + .seconds(60)
            while !Self.left(since: others).isEmpty, ContinuousClock.now < end {
                WebProcess.settle()
                try await Task.sleep(for: .milliseconds(10))
            }
            XCTAssertEqual(Self.left(since: others), [])
            XCTAssertEqual(Processes.new("Xvfb", since: []).count, 1)
        }
    }

    func testARendererThatIsLetGoEndsItsProcesses() throws {
        try onLoop {
            let others = Processes.children()
            weak var engine: WebEngine?
            do {
                let renderer = Studio.make()
                engine = renderer.engine()
                _ = try await renderer.picture(for: page("x"))
                XCTAssertEqual(Processes.new(Processes.webProcess, since: others).count, 1)
            }
            let end = ContinuousClock.now + .seconds(60)
            while !Self.left(since: others).isEmpty || engine != nil, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(10))
            }
            XCTAssertNil(engine)
            XCTAssertEqual(Self.left(since: others), [])
        }
    }

    /// The view's handlers no longer refer to the engine.
    func testAProcessThatEndsAfterItsEngine() throws {
        try onLoop {
            let others = Processes.children()
            var renderer: Renderer? = Studio.make()
            _ = try await renderer!.picture(for: page("x"))
            let processes = Processes.new(Processes.webProcess, since: others)
            renderer = nil
            for process in processes { kill(process, SIGKILL) }
            for _ in 0..<50 { await MainLoop.turn() }
            _ = try await Studio.renderer.picture(for: page("y"))
        }
    }

    func testAnEngineThatWasShutDownStartsNothing() throws {
        try onLoop {
            let others = Processes.children()
            let engine = WebEngine()
            engine.sandbox = .never
            await engine.shutDown()
            do {
                _ = try await engine.draw(page("x"))
                XCTFail("drawn")
            } catch let error as DrawingError {
                guard case .unavailable = error else { return XCTFail("\(error)") }
            }
            do {
                _ = try await LiveView(of: page("x"), engine: engine)
                XCTFail("live")
            } catch let error as DrawingError {
                guard case .unavailable = error else { return XCTFail("\(error)") }
            }
            XCTAssertEqual(Self.left(since: others), [])
        }
    }

    /// - Parameter turns: the number of loop turns before the engine is released.
    @MainActor private static func useAndDrop(draws: Bool, turns: Int = 0) async throws {
        weak var gone: WebEngine?
        do {
            let engine = WebEngine()
            engine.sandbox = .never
            gone = engine
            if draws {
                _ = try await engine.draw(page("x"))
            } else {
                let backstage = try await engine.started(for: page("x"))
                let stage = try backstage.makeStage(try await engine.kind(of: page("x")))
                for _ in 0..<turns { await MainLoop.turn() }
                withExtendedLifetime(stage) {}
            }
        }
        for _ in 0..<5 where gone != nil { await MainLoop.turn() }
        XCTAssertNil(gone)
    }

    private static func left(since others: Set<Processes.Child>) -> [String] {
        Processes.children().subtracting(others).map(\.name).filter { $0 != "Xvfb" }
    }
}
