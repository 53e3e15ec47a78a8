import Foundation
import Offstage
import OffstageWebKit
import SeededRandom
import Synchronization

/// Makes the engine replace web processes repeatedly, and reports what each of them leaves behind in this process.
@MainActor
struct Restarts {
    /// How a web process ends.
    enum Way: String {
        /// Replaced as planned, after a number of drawings.
        case recycle
        /// Killed while it is idle.
        case kill
        /// Killed at any moment during its start.
        case early
    }

    let count: Int
    let way: Way
    let isSandboxed: Bool
    /// The number of restarts between two lines of output.
    private static let step = 50

    func run() async throws -> Bool {
        // One drawing per process, unless processes are killed while idle.
        let recycling = way == .kill ? Recycling() : Recycling(drawings: 1)
        let engine = WebEngine(
            views: 1, limits: SnapshotLimits(side: 32_767, tilePixels: 4 << 20), recycling: recycling)
        if !isSandboxed { engine.sandbox = .never }
        var configuration = RendererConfiguration()
        configuration.store = nil
        let renderer = Renderer(engine: engine, configuration: configuration)
        var seen: Set<pid_t> = []
        var number = 0
        // Wait until the search for a sandbox is over, because its processes must not be killed.
        _ = try await renderer.picture(for: Snippet("<p>first", identifier: "first"))
        let killing = way == .early ? Task.detached { await Self.killEarly() } : nil
        defer { killing?.cancel() }
        var next = Self.step
        while seen.count < count {
            number += 1
            _ = try? await renderer.picture(for: Snippet("<p>row \(number)", identifier: "\(number)"))
            let processes = ChildProcesses.descendants().filter { Self.names.contains(ChildProcesses.name(of: $0)) }
            seen.formUnion(way == .early ? Self.killed.withLock { $0 } : Set(processes))
            if way == .kill { for process in processes { Foundation.kill(process, SIGKILL) } }
            if seen.count >= next {
                next += Self.step
                print("\(seen.count) processes, \(number) rows: \(Self.figures)")
                fflush(nil)
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        killing?.cancel()
        await renderer.finish()
        try await Task.sleep(for: .seconds(1))
        print("at the end: \(Self.figures), \(engine.restarts) restarts")
        return true
    }

    private nonisolated static let names = ["WebKitWebProces"]

    private nonisolated static let killed = Mutex<Set<pid_t>>([])

    @concurrent
    private nonisolated static func killEarly() async {
        var (known, random) = (Set<pid_t>(), SeededGenerator(seed: 9))
        while !Task.isCancelled {
            for process in ChildProcesses.all() where known.insert(process).inserted {
                let name = ChildProcesses.name(of: process)
                if name == "Xvfb" || name.hasPrefix("WebKitNet") || Int.random(in: 0..<2, using: &random) == 0 {
                    continue
                }
                usleep(UInt32.random(in: 0...60_000, using: &random))
                Foundation.kill(process, SIGKILL)
                _ = killed.withLock { $0.insert(process) }
            }
            usleep(300)
        }
    }

    private static var figures: String {
        let status = ChildProcesses.text(of: getpid(), "smaps_rollup").split(separator: "\n")
        func kilobytes(_ name: String) -> String {
            status.first { $0.hasPrefix(name + ":") }?.split(separator: " ")[1].description ?? "?"
        }
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        return
            "resident \(kilobytes("Rss")) kB, own \(kilobytes("Private_Dirty")) kB, \(descriptors) descriptors"
    }
}
