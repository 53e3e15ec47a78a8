import Benchmarking
import Foundation

/// The time for which drawing rows blocks a host's main loop.
struct StallsWorkload: Workload {
    static let name = "stalls"
    static let summary = "The time for which one view blocks a host's main loop while it draws 200 rows"
    static let repetitions = (full: 5, quick: 1)

    /// The snippet folder, below `--root`.
    private static let hostile = "Tests/Hostile"

    func measure(_ bench: Bench) throws {
        let rows = try bench.rows(bench.isQuick ? 60 : 200)
        add(try bench.worker("stalls", rows), "stalls", "Main loop blocked", to: bench)
        guard !bench.isQuick, access(Self.hostile, R_OK) == 0 else { return }
        add(
            try bench.worker("stalls", rows, Self.hostile), "stalls.hostile",
            "The same, with untrusted documents among the rows",
            to: bench)
    }

    private func add(_ figures: [String: Double], _ key: String, _ title: String, to bench: Bench) {
        let aims = ["p50": nil, "p99": 4.0, "max": 16.0, "cpu": 16.0]
        for name in ["p50", "p99", "max", "cpu"] {
            guard let value = figures[name] else { continue }
            bench.measures.add("\(key).\(name)", "\(title), \(name)", unit: "ms", aim: aims[name] ?? nil, value)
        }
    }
}

/// Cached pictures: their speed, and how precisely the cache's limit is kept.
struct StoreWorkload: Workload {
    static let name = "store"
    static let summary = "100,000 pictures kept: opening, hits on disk and in memory, trimming"
    static let repetitions = (full: 5, quick: 1)

    private var (folder, count) = ("", 0)

    mutating func prepare(_ bench: Bench) throws {
        count = bench.isQuick ? 3000 : 100_000
        folder = try bench.emptyFolder("store")
        // A row's picture has 10 to 20 KB.
        let needed = count * 40_000
        var info = statvfs()
        if statvfs(folder, &info) == 0, Int(info.f_bavail) * Int(info.f_frsize) < needed {
            throw LeftOut(reason: "it needs \(needed >> 30) GiB of free disk space at --out")
        }
        // Pictures of real rows.
        let samples = try bench.folder("samples") { _ in }
        let rows = bench.isQuick ? 34 : 102
        _ = try bench.run(bench.render(try bench.rows(rows), into: samples, "--no-cache"))
        let figures = try bench.worker("fill", folder, "\(count)", samples)
        bench.measures.add(
            "store.fill", "Storing a picture, in batches of a hundred", unit: "µs", figures["entry"] ?? 0)
    }

    func measure(_ bench: Bench) throws {
        let figures = try bench.worker("hits", folder, "\(count)", bench.isQuick ? "1000" : "5000")
        func add(
            _ key: String, _ title: String, _ unit: String, aim: Double? = nil, _ better: Measure.Direction = .lower
        ) {
            guard let value = figures[key] else { return }
            bench.measures.add("store.\(key)", title, unit: unit, better: better, aim: aim, value)
        }
        add("open", "Store opened, first answer", "ms", aim: 50)
        add("disk.hits", "Pictures from disk, decoded", "a second", .higher)
        add("disk.p50", "One picture from disk, decoded, p50", "ms")
        add("disk.p99", "One picture from disk, decoded, p99", "ms")
        add("memory.hits", "Pictures from memory", "a second", .higher)
        add("memory.p50", "One picture from memory, p50", "µs")
        add("memory.p99", "One picture from memory, p99", "µs")
    }

    /// Runs last, because it evicts pictures.
    func finish(_ bench: Bench) throws {
        // In a small store, the database's log takes more space than the pictures.
        let aim = bench.isQuick ? nil : 105.0
        for _ in 0..<(bench.isQuick ? 1 : 3) {
            let figures = try bench.worker("trim", folder)
            bench.measures.add(
                "store.trim.most", "Disk space while storing, of the limit", unit: "%", aim: aim, figures["most"] ?? 0)
            bench.measures.add(
                "store.trim.after", "Disk space after trimming, of the limit", unit: "%", aim: aim,
                figures["after"] ?? 0)
            bench.measures.add("store.trim.time", "A tenth trimmed away", unit: "s", figures["seconds"] ?? 0)
            bench.measures.add(
                "store.trim.wait", "Longest wait of a writer meanwhile", unit: "ms", figures["wait"] ?? 0)
        }
    }
}
