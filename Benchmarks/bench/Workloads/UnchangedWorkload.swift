import Benchmarking
import Foundation

/// A second run without any changes.
struct UnchangedWorkload: Workload {
    static let name = "unchanged"
    static let summary = "A second run over 10,000 files in which nothing changed"
    static let repetitions = (full: 5, quick: 2)

    private var (input, output, cache, count) = ("", "", "", 0)

    mutating func prepare(_ bench: Bench) throws {
        count = bench.isQuick ? 200 : 10_000
        input = try bench.rows(count)
        (output, cache) = (try bench.emptyFolder("unchanged-out"), try bench.emptyFolder("unchanged-cache"))
        _ = try bench.run(command(bench) + ["--jobs", "2"])
        // Checks that every picture came from the cache.
        let report = bench.work + "/unchanged.jsonl"
        _ = try bench.run(command(bench) + ["--json"], output: report)
        let kept = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n").count {
            $0.contains("\"kept\":true") || $0.contains("\"kept\": true")
        }
        if kept != count { throw BenchmarkError("\(kept) of \(count) unchanged pictures came from the cache") }
    }

    func measure(_ bench: Bench) throws {
        let run = try bench.run(command(bench))
        let aim = count == 10_000 ? 1.5 : nil
        let files = short(Double(count))
        bench.measures.add("unchanged.all", "\(files) files, nothing changed", unit: "s", aim: aim, run.seconds)
        bench.measures.add(
            "unchanged.row", "The same, a file", unit: "µs a file", run.seconds * 1e6 / Double(count))
    }

    private func command(_ bench: Bench) -> [String] { bench.render(input, into: output, "--cache", cache) }
}
