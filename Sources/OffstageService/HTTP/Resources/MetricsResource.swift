import Foundation
import Offstage

/// `GET /metrics`: counters for Prometheus, in its text format.
@MainActor
struct MetricsResource {
    let context: ServeContext
    let connections: @MainActor () -> Int

    func get(_ request: HTTPRequest) throws(Problem) -> Handling {
        .now(HTTPAnswer(200, "text/plain; version=0.0.4", Data(text.utf8)))
    }

    private var text: String {
        var lines: [String] = []
        func add(_ name: String, _ kind: String, _ help: String, _ samples: [(labels: String, value: String)]) {
            lines.append("# HELP offstage_\(name) \(help)")
            lines.append("# TYPE offstage_\(name) \(kind)")
            lines += samples.map { "offstage_\(name)\($0.labels.isEmpty ? "" : "{\($0.labels)}") \($0.value)" }
        }
        func one(_ name: String, _ kind: String, _ help: String, _ value: some CustomStringConvertible) {
            add(name, kind, help, [("", "\(value)")])
        }
        let (statistics, renderer) = (context.statistics, context.renderer)
        let kinds = statistics.counts.sorted { "\($0.key)" < "\($1.key)" }
        add(
            "http_requests_total", "counter", "Requests that are over.",
            kinds.map {
                let status = $0.key.status == "-" ? "abandoned" : $0.key.status
                return ("method=\"\($0.key.method)\",route=\"\($0.key.route)\",status=\"\(status)\"", "\($0.value)")
            })
        one("http_requests_in_progress", "gauge", "Requests without an answer.", statistics.underWay)
        one("http_connections", "gauge", "Connections that are open.", connections())
        one("http_response_bytes_total", "counter", "Bytes of answers' bodies.", statistics.bytes)
        var (sum, samples) = (0, [(labels: String, value: String)]())
        for (bound, count) in zip(ServeStatistics.bounds.map { "\($0)" } + ["+Inf"], statistics.buckets) {
            sum += count
            samples.append(("le=\"\(bound)\"", "\(sum)"))
        }
        add("http_request_duration_seconds", "histogram", "From a request's head to its answer's end.", [])
        lines += samples.map { "offstage_http_request_duration_seconds_bucket{\($0.labels)} \($0.value)" }
        lines.append("offstage_http_request_duration_seconds_sum \(statistics.seconds)")
        lines.append("offstage_http_request_duration_seconds_count \(sum)")

        let counters = renderer.counters
        add(
            "events_total", "counter", "What happened to requests for pictures, and to pictures.",
            [
                ("submitted", counters.submitted), ("joined", counters.joined), ("started", counters.started),
                ("drawn", counters.drawn), ("encoded", counters.encoded), ("stored", counters.stored),
                ("hit-in-memory", counters.hitsInMemory), ("hit-on-disk", counters.hitsOnDisk),
                ("cancelled", counters.cancelled), ("failed", counters.failed), ("evicted", counters.evicted),
            ].map { ("kind=\"\($0.0)\"", "\($0.1)") })
        one("drawings_waiting", "gauge", "Drawings that wait for their turn.", renderer.waitingCount)
        one("drawings_running", "gauge", "Drawings under way.", renderer.runningCount)
        one("suspended", "gauge", "1 while nothing new is begun.", renderer.isSuspended ? 1 : 0)
        one("web_process_restarts_total", "counter", "Web processes that were replaced.", renderer.restarts)
        let (drawn, put) = (renderer.configuration.files, context.kept.memory)
        one("memory_bytes", "gauge", "Bytes of files kept in memory.", (drawn?.bytes ?? 0) + put.bytes)
        one("memory_files", "gauge", "Files kept in memory.", (drawn?.count ?? 0) + put.count)
        if let bytes = PictureService.residentBytes {
            one("resident_memory_bytes", "gauge", "Memory of this process, without its web processes.", bytes)
        }
        one(
            "start_time_seconds", "gauge", "When the service was started, since 1970.",
            Int(statistics.start.timeIntervalSince1970))
        add("build_info", "gauge", "Always 1.", [("version=\"\(context.configuration.version)\"", "1")])
        return lines.joined(separator: "\n") + "\n"
    }
}
