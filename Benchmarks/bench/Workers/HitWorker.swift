import Benchmarking
import Foundation
import Offstage
import OffstageHTML
import SeededRandom

/// Requests cached rows from a renderer, like a list that the user scrolls.
@MainActor
struct HitWorker {
    private let folder: String
    private let count: Int

    init(folder: String, count: Int) {
        self.folder = folder
        self.count = count
    }

    /// - Returns: `open` in milliseconds; `disk.hits` and `memory.hits` per second; `disk.p50` and `disk.p99` in
    ///   milliseconds; `memory.p50` and `memory.p99` in microseconds.
    func run(hits: Int) async throws -> [String: Double] {
        let engine = HTMLEngine()
        let (rows, count) = (StoredRows(engine: engine), count)
        let store = PictureStore(folder: folder, limits: StoreLimits(bytes: 1 << 40, freeBytes: 0))
        var configuration = RendererConfiguration()
        (configuration.store, configuration.memory) = (store, CachedPictures.cache())
        let renderer = Renderer(engine: engine, configuration: configuration)
        // The engine identifies the machine once per process.
        _ = engine.fingerprint(of: rows.snippet(0))
        return try await Task.detached {
            var figures: [String: Double] = [:]
            let first = await timed { await store.record(for: rows.key(count / 2)) }
            if first.value == nil { throw BenchmarkError("the store in \(store.folder) lacks row \(count / 2)") }
            figures["open"] = first.time / .milliseconds(1)

            // Each row is read only once, so that it comes from the disk.
            var generator = SeededGenerator(seed: UInt64(getpid()))
            let numbers = (0..<count).shuffled(using: &generator).prefix(hits)
            let disk = try await Self.times(numbers, rows, renderer)
            figures.merge(Self.figures(disk, "disk", unit: .milliseconds(1))) { $1 }

            // The latest rows, which are still in memory.
            let recent = Array(numbers.suffix(200))
            let again = (0..<20_000).map { _ in recent.randomElement(using: &generator)! }
            let memory = try await Self.times(again[...], rows, renderer)
            figures.merge(Self.figures(memory, "memory", unit: .microseconds(1))) { $1 }

            let counters = renderer.counters
            if counters.drawn != 0 || counters.hitsInMemory != again.count {
                throw BenchmarkError("some rows did not come from the expected cache: \(counters)")
            }
            await renderer.finish()
            return figures
        }.value
    }

    /// Times the requests, one after the other.
    private nonisolated static func times(
        _ numbers: ArraySlice<Int>, _ rows: StoredRows, _ renderer: Renderer
    ) async throws -> [Duration] {
        var times: [Duration] = []
        for number in numbers {
            let snippet = rows.snippet(number)
            times.append(try await timed { try await renderer.picture(for: snippet) }.time)
        }
        return times
    }

    private nonisolated static func figures(_ times: [Duration], _ name: String, unit: Duration) -> [String: Double] {
        guard let numbers = Statistics(times.map { $0 / unit }) else { return [:] }
        return [
            "\(name).p50": numbers.median, "\(name).p99": numbers.percentile(0.99),
            "\(name).hits": Double(times.count) / (times.reduce(.zero, +) / .seconds(1)),
        ]
    }
}
