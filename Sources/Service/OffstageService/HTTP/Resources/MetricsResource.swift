import Foundation
import Offstage

/// `GET /metrics`: counters in the text format of Prometheus. Each metric's name is declared here, and nowhere else.
struct MetricsResource: Sendable {
    let context: ServeContext

    func get(_ request: HTTPRequest) throws(Problem) -> Handling {
        .later { @MainActor () async throws(Problem) in
            HTTPAnswer(200, "text/plain; version=0.0.4", Data(text.utf8))
        }
    }

    @MainActor
    private var text: String {
        var lines: [String] = []
        func add(_ name: String, _ kind: String, _ help: String, _ samples: [(suffix: String, value: String)]) {
            lines.append("# HELP offstage_\(name) \(help)")
            lines.append("# TYPE offstage_\(name) \(kind)")
            lines += samples.map { "offstage_\(name)\($0.suffix) \($0.value)" }
        }
        func one(_ name: String, _ kind: String, _ help: String, _ value: some CustomStringConvertible) {
            add(name, kind, help, [("", "\(value)")])
        }
        let (statistics, renderer) = (context.statistics.figures, context.renderer)
        // Don't use their descriptions, which would take 20 ms of the main loop for a few dozen kinds.
        let kinds = statistics.counts.sorted {
            ($0.key.method, $0.key.route, $0.key.status) < ($1.key.method, $1.key.route, $1.key.status)
        }
        add(
            "http_requests_total", "counter", "Finished requests.",
            kinds.map {
                ("{method=\"\($0.key.method)\",route=\"\($0.key.route)\",status=\"\($0.key.status)\"}", "\($0.value)")
            })
        one("http_requests_in_progress", "gauge", "Unanswered requests.", statistics.underWay)
        one("http_connections", "gauge", "Open connections.", context.connections?.count ?? 0)
        one("http_memory_bytes", "gauge", "Bytes that the service holds for clients.", context.memory.used)
        one("http_response_bytes_total", "counter", "Bytes of answers' bodies.", statistics.bytes)
        var (sum, samples) = (0, [(suffix: String, value: String)]())
        for (bound, count) in zip(ServeStatistics.bounds.map { "\($0)" } + ["+Inf"], statistics.buckets) {
            sum += count
            samples.append(("_bucket{le=\"\(bound)\"}", "\(sum)"))
        }
        add(
            "http_request_duration_seconds", "histogram", "Time from the header of a request to the end of its answer.",
            samples + [("_sum", "\(statistics.seconds)"), ("_count", "\(sum)")])
        let counters = renderer.counters
        add(
            "events_total", "counter", "Events of picture requests and of pictures.",
            [
                ("submitted", counters.submitted), ("joined", counters.joined), ("started", counters.started),
                ("drawn", counters.drawn), ("encoded", counters.encoded), ("stored", counters.stored),
                ("hit-in-memory", counters.hitsInMemory), ("hit-on-disk", counters.hitsOnDisk),
                ("cancelled", counters.cancelled), ("failed", counters.failed), ("evicted", counters.evicted),
                ("withdrawn", counters.withdrawn),
            ].map { ("{kind=\"\($0.0)\"}", "\($0.1)") })
        one("drawings_waiting", "gauge", "Waiting drawings.", renderer.waitingCount)
        one("drawings_running", "gauge", "Drawings in progress.", renderer.runningCount)
        one("suspended", "gauge", "1 while the renderer is suspended, otherwise 0.", renderer.isSuspended ? 1 : 0)
        one("web_process_restarts_total", "counter", "Web processes that were replaced.", renderer.restarts)
        let (drawn, put) = (renderer.configuration.files, context.kept.memory)
        one("memory_bytes", "gauge", "Bytes of files in the memory cache.", (drawn?.bytes ?? 0) + put.bytes)
        one("memory_files", "gauge", "Files in the memory cache.", (drawn?.count ?? 0) + put.count)
        if let bytes = PictureService.residentBytes {
            one("resident_memory_bytes", "gauge", "Memory of this process, without its web processes.", bytes)
        }
        if let shared = context.service.remote?.shelf.statistics {
            add(
                "shared_events_total", "counter", "Events of pictures and jobs that several machines share.",
                [
                    ("look", shared.looks), ("hit", shared.hits), ("joined", shared.joined),
                    ("submitted", shared.submitted), ("claimed", shared.claimed),
                    ("empty-claim", shared.emptyClaims), ("taken-over", shared.takenOver),
                    ("not-shared", shared.dropped),
                ].map { ("{kind=\"\($0.0)\"}", "\($0.1)") })
            one(
                "shared_mismatch_total", "counter",
                "Drawings that differed from another machine's of the same class.", shared.mismatches)
            one(
                "shared_look_seconds_total", "counter", "Time spent looking up other machines' pictures.",
                shared.secondsLooked)
            one("shared_waiting", "gauge", "Jobs of this class that wait for a machine.", shared.waiting)
            one("shared_nodes", "gauge", "Machines of this class that take jobs.", shared.liveNodes)
            one("shared_up", "gauge", "1 while the shared database can be used, otherwise 0.", shared.isWell ? 1 : 0)
        }
        one(
            "start_time_seconds", "gauge", "Start of the service, since 1970.",
            Int(context.statistics.start.timeIntervalSince1970))
        add("build_info", "gauge", "Always 1.", [("{version=\"\(context.configuration.version)\"}", "1")])
        return lines.joined(separator: "\n") + "\n"
    }
}
