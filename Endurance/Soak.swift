import Foundation
import Offstage
import OffstageWebKit
import SeededRandom

/// Draws rows without disturbance, then again with hostile documents among them while processes are killed. The good
/// rows must be the same, memory must not grow, and nothing may be left behind.
@MainActor
struct Soak {
    let rows: Int
    let snippets: String
    let hostile: String

    /// Returns true if nothing went wrong.
    func run() async throws -> Bool {
        let good = Files.documents(in: snippets)
        // Selects documents that are hostile as stored, because tokens such as `__REPEAT_700__` are not expanded here.
        let bad = Files.documents(in: hostile).filter {
            $0.name.hasPrefix("limits/script-") || $0.name.hasPrefix("crash/")
        }
        if good.isEmpty || bad.isEmpty { throw EngineUnavailable(problem: "no documents", remedy: "name two folders") }
        let descriptors = Self.descriptors
        var digests: [String: Digest] = [:]
        let calm = Renderer(engine: WebEngine(views: 2), configuration: Self.configuration)
        for (name, bytes) in good { digests[name] = try await Self.digest(Self.row(name, bytes, 0), with: calm) }
        await calm.finish()

        let engine = WebEngine(views: 2)
        let renderer = Renderer(engine: engine, configuration: Self.configuration)
        let loop = LoopWatch()
        let killing = Task.detached { await Self.kill() }
        var (different, failed, hostileDone) = (0, 0, 0)
        var memory: [Int] = []
        var next = 0
        var random = SeededGenerator(seed: 7)
        await withTaskGroup(of: (String, Digest?)?.self) { group in
            func add() {
                defer { next += 1 }
                if Double.random(in: 0..<1, using: &random) < 0.01 {
                    let (name, bytes) = bad.randomElement(using: &random)!
                    var snippet = Self.row(name, bytes, next)
                    snippet.runsScripts = true
                    (snippet.timeout, snippet.limits.grace, snippet.limits.memory) = (0.3, 0.3, 1 << 30)
                    group.addTask { [snippet] in
                        _ = try? await renderer.picture(for: snippet)
                        return nil
                    }
                } else {
                    let (name, bytes) = good[next % good.count]
                    let snippet = Self.row(name, bytes, next)
                    group.addTask { (name, try? await Self.digest(snippet, with: renderer)) }
                }
            }
            for _ in 0..<4 { add() }
            while let result = await group.next() {
                switch result {
                case nil: hostileDone += 1
                case (_, nil)?: failed += 1
                case (let name, let digest)?: if digest != digests[name] { different += 1 }
                }
                if next.isMultiple(of: max(1, rows / 10)) { memory.append(Self.ownMemory) }
                if next < rows { add() }
            }
        }
        print(loop.end())
        killing.cancel()
        let killed = await killing.value
        await renderer.finish()
        print("\(rows) rows, \(hostileDone) of them hostile, \(killed) processes killed, \(engine.restarts) restarts")
        print("good rows that differ: \(different), that failed: \(failed)")
        print("own memory, MB, at each tenth: \(memory.map { $0 >> 20 })")
        let left = Self.descriptors
        print("descriptors: \(descriptors) before, \(left) after")
        // A kill costs at most one result.
        let isFlat = memory.count < 4 || memory.last! - memory[memory.count / 2] < 64 << 20
        // About twenty descriptors stay open permanently.
        return different == 0 && failed <= killed && isFlat && left - descriptors < 48
    }

    private static var configuration: RendererConfiguration {
        var configuration = RendererConfiguration()
        configuration.store = nil
        return configuration
    }

    private nonisolated static func row(_ name: String, _ bytes: Data, _ number: Int) -> Snippet {
        Snippet(identifier: "\(name)/\(number)", html: bytes, geometry: Geometry(width: 400))
    }

    private static func digest(_ snippet: Snippet, with renderer: Renderer) async throws -> Digest {
        let image = try await renderer.picture(for: snippet)
        return try await Task.detached { Digest(of: try image.encoded()) }.value
    }

    /// Kills one of the engine's processes every second, whatever its age: a web process, its parents in the sandbox,
    /// or, every tenth time, the network process.
    @concurrent
    private nonisolated static func kill() async -> Int {
        var (killed, random) = (0, SeededGenerator(seed: 8))
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            let wanted = killed % 10 == 9 ? ["WebKitNetworkPr"] : ["WebKitWebProces", "bwrap"]
            let candidates = ChildProcesses.descendants().filter { wanted.contains(ChildProcesses.name(of: $0)) }
            guard let victim = candidates.randomElement(using: &random) else { continue }
            Foundation.kill(victim, SIGKILL)
            killed += 1
        }
        return killed
    }

    private nonisolated static var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    private nonisolated static var ownMemory: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }
}
