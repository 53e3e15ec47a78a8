import Benchmarking
import CWebKitGTK
import Foundation
import Offstage
import OffstageWebKit

/// Draws rows as a host does, with one view, and ticks every millisecond on the same loop: what a tick is late by, the loop
/// was blocked.
@MainActor
final class StallWorker {
    private let folder: String
    private var last = ContinuousClock.now
    private var late: [Double] = []

    private static let interval = 1

    init(folder: String) { self.folder = folder }

    /// - Returns: `p50`, `p99` and `max` of the ticks' lateness in milliseconds.
    func run() throws -> [String: Double] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter {
            $0.hasSuffix(".html")
        }
        let snippets = try names.map { try Snippet(contentsOf: folder + "/" + $0) }
        let late = try MainLoop.run { try await self.lateness(of: snippets) }
        guard let numbers = Statistics(late) else { throw BenchmarkError("there was no tick") }
        return ["p50": numbers.median, "p99": numbers.percentile(0.99), "max": numbers.high]
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
            let image = try await task.image
            // As for a file; off the main thread, where a host does it too.
            _ = try await Task.detached { try image.encoded() }.value
        }
        g_source_destroy(source)
        g_source_unref(source)
        await renderer.finish()
        ChildProcesses.endAll()
        return late
    }

    private func tick() {
        let now = ContinuousClock.now
        late.append(max(0, (now - last) / .milliseconds(1) - Double(Self.interval)))
        last = now
    }
}
