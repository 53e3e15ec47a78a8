import Benchmarking
import CWebKitGTK
import Foundation
import Offstage
import OffstageWebKit

/// Draws rows as a host does, with one view, and ticks every millisecond on the same loop: what a tick is late by, the loop
/// was blocked. Strangers' documents that mean harm may be among the rows.
@MainActor
final class StallWorker {
    private let folder: String
    private let hostile: String?
    private var last = ContinuousClock.now
    private var late: [Double] = []

    private static let interval = 1

    /// - Parameter hostile: a folder of documents, each of which comes after five rows.
    init(folder: String, hostile: String? = nil) { (self.folder, self.hostile) = (folder, hostile) }

    /// - Returns: `p50`, `p99` and `max` of the ticks' lateness in milliseconds.
    func run() throws -> [String: Double] {
        var snippets = try Self.snippets(in: folder)
        if let hostile {
            let rows = snippets
            snippets = []
            for (index, var stranger) in try Self.snippets(in: hostile).enumerated() {
                stranger.runsScripts = true
                (stranger.timeout, stranger.limits.grace, stranger.limits.memory) = (0.5, 0.5, 1 << 30)
                for place in 0..<5 { snippets.append(rows[(5 * index + place) % rows.count]) }
                snippets.append(stranger)
            }
        }
        let late = try MainLoop.run { [snippets] in try await self.lateness(of: snippets) }
        ChildProcesses.endAll()
        guard let numbers = Statistics(late) else { throw BenchmarkError("there was no tick") }
        return ["p50": numbers.median, "p99": numbers.percentile(0.99), "max": numbers.high]
    }

    private static func snippets(in folder: String) throws -> [Snippet] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().filter {
            $0.hasSuffix(".html")
        }
        return try names.map { try Snippet(contentsOf: folder + "/" + $0) }
    }

    private func lateness(of snippets: [Snippet]) async throws -> [Double] {
        let renderer = Renderer(engine: WebEngine())
        // What starts the engine is no row.
        _ = try await renderer.image(for: Snippet("<p>first", identifier: "first"))
        let (me, source) = (Unmanaged.passRetained(self), g_timeout_source_new(guint(Self.interval)))
        g_source_set_priority(source, G_PRIORITY_HIGH)
        g_source_set_callback(
            source,
            { data in
                let worker = Unmanaged<StallWorker>.fromOpaque(data!).takeUnretainedValue()
                // The source belongs to the main loop's context, which the main thread runs.
                MainActor.assumeIsolated { worker.tick() }
                return 1  // G_SOURCE_CONTINUE
            }, me.toOpaque(), { Unmanaged<StallWorker>.fromOpaque($0!).release() })
        last = .now
        g_source_attach(source, nil)
        let tasks = snippets.map { renderer.task(for: $0) }
        for task in tasks {
            // As for a file; off the main thread, where a host does it too. A stranger's may fail.
            if let image = hostile == nil ? try await task.image : try? await task.image {
                _ = try await Task.detached { try image.encoded() }.value
            }
        }
        g_source_destroy(source)
        g_source_unref(source)
        await renderer.finish()
        return late
    }

    private func tick() {
        let now = ContinuousClock.now
        late.append(max(0, (now - last) / .milliseconds(1) - Double(Self.interval)))
        last = now
    }
}
