import Benchmarking

/// Typical rows of a list: text in several scripts, small pictures, gradients, and the machine's fonts.
struct RowsWorkload: Workload {
    static let name = "rows"
    static let summary = "200 realistic rows, 400 CSS px wide, at scale 1 and 2, with one view and with two"
    static let repetitions = (full: 5, quick: 1)

    func measure(_ bench: Bench) throws {
        let count = bench.isQuick ? 60 : 200
        let rows = try bench.rows(count)
        for (scale, aim) in [(1, 2.5), (2, 5.0)] {
            for jobs in [1, 2] {
                try bench.measureDrawing(
                    rows, count: count, as: "rows.scale-\(scale)" + (jobs == 1 ? "" : ".jobs-\(jobs)"),
                    "Rows at scale \(scale)" + (jobs == 1 ? "" : ", \(jobs) views"), aim: aim, scale: scale,
                    jobs: jobs)
            }
        }
    }
}

/// The same rows as their authors made them, with their own fonts.
struct FontsWorkload: Workload {
    static let name = "fonts"
    static let summary = "200 realistic rows that bring fonts along as files"
    static let repetitions = (full: 3, quick: 1)

    func measure(_ bench: Bench) throws {
        let count = bench.isQuick ? 34 : 200
        try bench.measureDrawing(
            try bench.rows(count, ownFonts: true), count: count, as: "fonts.scale-1", "Rows with fonts of their own")
    }
}

/// The fixed cost of a row, whatever its content.
struct PlainWorkload: Workload {
    static let name = "plain"
    static let summary = "500 rows of one line of text"
    static let repetitions = (full: 5, quick: 1)

    func measure(_ bench: Bench) throws {
        let count = bench.isQuick ? 100 : 500
        try bench.measureDrawing(
            try bench.plainRows(count), count: count, as: "plain.scale-1", "Plain rows, a line of text")
    }
}
