import Benchmarking
import Foundation

/// The time to draw a single picture from a cold start.
struct ColdWorkload: Workload {
    static let name = "cold"
    static let summary = "From the start of the process to the first picture, drawn"
    static let repetitions = (full: 10, quick: 3)

    func measure(_ bench: Bench) throws {
        let row = try bench.firstRow()
        let output = try bench.emptyFolder("out")
        let run = try bench.run(bench.render(row, into: output, "--no-cache"), firstFileIn: output)
        guard let first = run.firstFile else { throw BenchmarkError("\(row) gave no picture") }
        bench.measures.add("cold.first", "First picture from a cold start", unit: "s", aim: 0.25, first)
        bench.measures.add("cold.all", "The same, to the end of the process", unit: "s", run.seconds)
    }
}

/// The time to get a single cached picture from a cold start.
struct StartWorkload: Workload {
    static let name = "start"
    static let summary = "From the start of the process to the first picture, from the cache"
    static let repetitions = (full: 30, quick: 10)

    private var cache = ""

    mutating func prepare(_ bench: Bench) throws {
        cache = try bench.emptyFolder("start-cache")
        let rows = bench.isQuick ? 20 : 200
        try bench.draw(try bench.rows(rows), count: rows, "--cache", cache)
        try bench.draw(try bench.firstRow(), count: 1, "--cache", cache)
    }

    func measure(_ bench: Bench) throws {
        let row = try bench.firstRow()
        let output = try bench.emptyFolder("out")
        let run = try bench.run(bench.render(row, into: output, "--cache", cache), firstFileIn: output)
        guard let first = run.firstFile else { throw BenchmarkError("\(row) gave no picture") }
        bench.measures.add("start.first", "First picture from the cache", unit: "s", aim: 0.03, first)
    }
}

extension Bench {
    /// The file of the first row. Its folder contains images that the row does not use but that drawing the folder
    /// would include.
    fileprivate func firstRow() throws -> String {
        let folder = try rows(1)
        guard
            let name = try FileManager.default.contentsOfDirectory(atPath: folder).first(where: {
                $0.hasSuffix(".html")
            })
        else { throw BenchmarkError("\(folder) contains no HTML file") }
        return folder + "/" + name
    }
}
