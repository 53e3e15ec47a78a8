import Benchmarking
import Foundation

/// Compares the cost of a row among many rows with that of a row among few.
struct ScalingWorkload: Workload {
    static let name = "scaling"
    static let summary = "100, 1,000 and 10,000 rows in one run; 100,000 with --large"
    static let repetitions = (full: 1, quick: 1)

    func measure(_ bench: Bench) throws {
        let counts = bench.isQuick ? [100, 400] : [100, 1000, 10_000] + (bench.options.isLarge ? [100_000] : [])
        for count in counts {
            // The small folder is drawn several times, because a single run is too short for the machine to settle.
            for _ in 0..<max(1, min(5, counts.max()! / count)) {
                let (_, files) = try bench.draw(
                    try bench.rows(count), count: count, "--no-cache", "--jobs", "2")
                bench.measures.add(
                    "scaling.\(count)", "\(short(Double(count))) rows, 2 views", unit: "ms a row", files.steady!)
            }
        }
    }
}

/// The memory of all processes together, and its growth.
struct MemoryWorkload: Workload {
    static let name = "memory"
    static let summary = "Memory (PSS) of all processes with two views, over 20,000 rows"
    static let repetitions = (full: 1, quick: 1)

    func measure(_ bench: Bench) throws {
        let count = bench.isQuick ? 400 : 20_000
        let sampler = MemorySampler(interval: bench.isQuick ? 50_000 : 200_000)
        let (_, files) = try bench.draw(
            try bench.rows(count), count: count, "--no-cache", "--jobs", "2", observer: sampler)
        let points = sampler.samples.map { [Double(files.count(at: $0.time)), Double($0.bytes) / 1_048_576] }
        guard let peak = points.map({ $0[1] }).max() else { return }
        bench.measures.add("memory.peak", "Peak memory of all processes", unit: "MiB", aim: 300, peak)
        // After about a tenth of the rows, and at the end.
        let total = Double(count)
        guard let early = level(of: points, in: 0.07 * total...0.13 * total),
            let late = level(of: points, in: 0.94 * total...total)
        else { return }
        bench.measures.add("memory.early", "Memory after \(short(total / 10)) rows", unit: "MiB", early)
        bench.measures.add("memory.late", "Memory after \(short(total)) rows", unit: "MiB", late)
        bench.measures.add(
            "memory.growth", "Memory, late of early", unit: "times",
            aim: 1.1, late / early)
        bench.series.append(
            Results.Series(
                name: "memory", title: "Memory of all processes", x: "rows", y: "MiB", points: thinned(points)))
    }

    /// The median of the samples while this many rows were being drawn. The few samples while processes are closing
    /// do not count.
    private func level(of points: [[Double]], in range: ClosedRange<Double>) -> Double? {
        Statistics(points.filter { range.contains($0[0]) }.map { $0[1] })?.median
    }

    private func thinned(_ points: [[Double]]) -> [[Double]] {
        let step = max(1, points.count / 300)
        return stride(from: 0, to: points.count, by: step).map { points[$0] }
    }
}
