import Benchmarking
import CGTK
import Foundation
import Offstage
import OffstageWebKit

/// Draws rows as a host does, with one view, and ticks every millisecond on the same loop. A tick's delay is the time
/// for which the loop was blocked. Hostile documents may be among the rows.
@MainActor
final class StallWorker {
    private let folder: String
    private let hostile: String?
    private var last = ContinuousClock.now
    private var late: [Double] = []
    /// The highest processor time between two ticks, in milliseconds. It excludes the time that other programs used.
    private var busiest = 0.0
    private var lastBusy = 0.0

    private static let interval = 1
    private static let ahead = 20

    /// - Parameter hostile: a folder of documents, one of which is drawn after every five rows.
    init(folder: String, hostile: String? = nil) { (self.folder, self.hostile) = (folder, hostile) }

    /// - Returns: `p50`, `p99` and `max` of the ticks' delay in milliseconds, and `cpu`, the highest processor time
    ///   of the main thread between two of them.
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
        return ["p50": numbers.median, "p99": numbers.percentile(0.99), "max": numbers.high, "cpu": busiest]
    }

    private static func snippets(in folder: String) throws -> [Snippet] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().filter {
            $0.hasSuffix(".html")
        }
        return try names.map { try Snippet(contentsOf: folder + "/" + $0) }
    }

    private func lateness(of snippets: [Snippet]) async throws -> [Double] {
        let renderer = Renderer(engine: HTMLEngine())
        // The request that starts the engine does not count as a row.
        _ = try await renderer.picture(for: Snippet("<p>first", identifier: "first"))
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
        (last, lastBusy) = (.now, Self.busy)
        g_source_attach(source, nil)
        // A few requests in advance, as in a list. Making a thousand requests at once, and releasing as many pictures
        // at once, would be the host's own work.
        var waiting = snippets.prefix(Self.ahead).map { renderer.task(for: $0) }
        for index in snippets.indices {
            let task = waiting.removeFirst()
            if index + Self.ahead < snippets.count { waiting.append(renderer.task(for: snippets[index + Self.ahead])) }
            // Encodes off the main thread, as a host does. A hostile document may fail.
            if let image = hostile == nil ? try await task.picture : try? await task.picture {
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
        let busy = Self.busy
        busiest = max(busiest, busy - lastBusy)
        lastBusy = busy
    }

    /// The processor time of the calling thread, in milliseconds.
    private static var busy: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}
