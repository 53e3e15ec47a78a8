import Benchmarking
import Foundation

/// Documents that others have written: newsletters, receipts, notices.
struct EmailsWorkload: Workload {
    static let name = "emails"
    static let summary = "Documents the size of e-mails, from the folder that --emails names"
    static let repetitions = (full: 3, quick: 1)

    func prepare(_ bench: Bench) throws {
        guard let folder = bench.options.emails else { throw LeftOut(reason: "--emails names no folder") }
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        if !files.contains(where: { $0.hasSuffix(".html") || $0.hasSuffix(".htm") }) {
            throw LeftOut(reason: "there are no HTML files in \(folder)")
        }
    }

    func measure(_ bench: Bench) throws {
        try bench.measureDrawing(
            bench.options.emails ?? "", count: nil, as: "emails.scale-1", "Documents the size of e-mails",
            unit: "ms a document", width: 600)
    }
}

/// Reports: some fit into one snapshot, and one is painted in tiles.
struct TallWorkload: Workload {
    static let name = "tall"
    static let summary = "Reports of 10,000 CSS px, and one of 100,000 that is painted in tiles"
    static let repetitions = (full: 3, quick: 1)

    func measure(_ bench: Bench) throws {
        let count = bench.isQuick ? 3 : 8
        try bench.measureDrawing(
            try bench.reports(count, lines: 400), count: count, as: "tall.report", "Reports of 10,000 px",
            unit: "ms a document")
        if bench.isQuick { return }
        let memory = MemorySampler()
        let (run, _) = try bench.draw(
            try bench.reports(1, lines: 4000), count: 1, "--no-cache", observer: memory)
        bench.measures.add("tall.tiled", "A report of 100,000 px, whole process", unit: "s", run.seconds)
        bench.measures.add(
            "tall.tiled.memory", "The same: memory of all processes", unit: "MiB",
            Double(memory.samples.map(\.bytes).max() ?? 0) / 1_048_576)
    }
}
