import Foundation
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// A service replaces web processes for as long as it runs, so replaced processes must leave nothing behind.
final class LeakTests: XCTestCase {
    /// If a process is killed before it has sent its process id, WebKit waits for the id and leaks three descriptors.
    func testDescriptorsOfProcessesThatAreKilledAsTheyStart() throws {
        try onLoop {
            let renderer = Studio.make()
            _ = try await renderer.picture(for: row)
            let backstage = try await renderer.engine(WebEngine.self)!.started(for: row)
            let kind = try await renderer.engine(WebEngine.self)!.kind(of: row)
            try await Self.killOneAsItStarts(kind, on: backstage)
            let before = try Self.descriptors
            for _ in 0..<5 { try await Self.killOneAsItStarts(kind, on: backstage) }
            // The network process closes its descriptors later.
            try await Self.until { try Self.descriptors <= before }
            XCTAssertLessThanOrEqual(try Self.descriptors, before)
            await renderer.finish()
        }
    }

    func testDescriptorsOfProcessesThatAreKilledAfterADrawing() throws {
        try onLoop {
            let others = Processes.children()
            let renderer = Studio.make()
            func killOne() async throws {
                _ = try await renderer.picture(for: row)
                for process in Processes.new(Processes.webProcess, since: others) { kill(process, SIGKILL) }
            }
            for _ in 0..<2 { try await killOne() }
            _ = try await renderer.picture(for: row)
            let before = try Self.descriptors
            for _ in 0..<5 { try await killOne() }
            _ = try await renderer.picture(for: row)
            try await Self.until { try Self.descriptors <= before }
            XCTAssertLessThanOrEqual(try Self.descriptors, before)
            await renderer.finish()
        }
    }

    /// A document is released when the next one is loaded, together with its decoded images: here 1 MiB.
    func testMemoryOfDocumentsWithImages() throws {
        let files = MemoryFolder(["large.png": flatPNG(.red, width: 512, height: 512)])
        let body = "<!doctype html><style>div{background:url(large.png)}</style><div>x</div>"
        try onLoop {
            let others = Processes.children()
            let renderer = Studio.make()
            func draw(_ numbers: Range<Int>) async throws -> Int {
                for number in numbers {
                    var snippet = Snippet("\(body)\(number)", identifier: "\(number)", width: 20)
                    snippet.base = files
                    _ = try await renderer.picture(for: snippet)
                }
                let process = try XCTUnwrap(Processes.new(Processes.webProcess, since: others).first)
                return Self.memory(of: process)
            }
            let before = try await draw(0..<100)
            let after = try await draw(100..<300)
            XCTAssertLessThan(after - before, 60 << 20)
            await renderer.finish()
        }
    }

    /// Foundation leaks 4 KB each time it reads an empty file in /proc, such as most processes' lists of children.
    func testMemoryOfLooksAtProcesses() throws {
        let idle = try Self.threadWithoutChildren()
        func look() {
            for _ in 0..<5_000 { _ = ChildProcesses.children(of: getpid(), thread: idle) }
        }
        look()
        let before = Self.memory
        look()
        XCTAssertLessThan(Self.memory - before, 4 << 20)
    }

    /// Creates a view and kills its web process before the process has sent anything.
    @MainActor
    private static func killOneAsItStarts(_ kind: StageKind, on backstage: Backstage) async throws {
        let others = Processes.children()
        let stage = try backstage.makeStage(kind)
        let processes = Processes.new(Processes.webProcess, since: others)
        XCTAssertEqual(processes.count, 1)
        for process in processes { kill(process, SIGKILL) }
        try await until {
            WebProcess.settle()
            return !stage.isUsable
        }
        XCTAssertFalse(stage.isUsable, "WebKit has not noticed")
        stage.close()
    }

    /// Runs the loop until the condition is true.
    @MainActor
    private static func until(_ condition: () throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(300)
        while try !condition(), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(5)) }
    }

    private static var descriptors: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
    }

    /// The memory of this process, in bytes.
    private static var memory: Int { memory(of: getpid()) }

    private static func memory(of process: pid_t) -> Int {
        let pages = ChildProcesses.text(of: process, "statm").split(separator: " ").compactMap { Int($0) }
        return pages[1] * 4096
    }

    private static func threadWithoutChildren() throws -> pid_t {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { pid_t($0) }
        return try XCTUnwrap(threads.first { ChildProcesses.children(of: getpid(), thread: $0).isEmpty })
    }
}

private let row = page("<div style='height:10px;background:red'></div>")
