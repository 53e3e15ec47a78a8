import Benchmarking

/// The cost that a separate process adds to each drawing, and the time until a lost process has been replaced.
struct WorkersWorkload: Workload {
    static let name = "workers"
    static let summary =
        "Round trips to a jailed worker with next to no work, and the first picture after all were killed"
    static let repetitions = (full: 5, quick: 1)

    func measure(_ bench: Bench) throws {
        let figures = try bench.worker("trips", bench.isQuick ? "500" : "5000", bench.isQuick ? "10" : "100")
        func add(_ key: String, _ title: String, _ unit: String, aim: Double? = nil) {
            guard let value = figures[key] else { return }
            bench.measures.add("workers.\(key)", title, unit: unit, aim: aim, value)
        }
        add("trip.p50", "Round trip to a worker, p50", "µs", aim: 100)
        add("trip.p99", "Round trip to a worker, p99", "µs")
        add("recovery.p50", "Picture after all workers were killed, p50", "ms")
        add("recovery.p95", "Picture after all workers were killed, p95", "ms", aim: 300)
    }
}
