import Benchmarking
import Foundation

extension Results.Machine {
    /// The machine on which this program runs.
    static var here: Results.Machine {
        let processors = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = processors.split(separator: "\n").first { $0.hasPrefix("model name") }
        let kernel = (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)) ?? "?"
        return Results.Machine(
            processor: model?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "?",
            cores: ProcessInfo.processInfo.activeProcessorCount,
            memoryMiB: Int(ProcessInfo.processInfo.physicalMemory >> 20),
            kernel: kernel.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}

extension Bench {
    /// The versions of the measured program and of its libraries.
    func versions() throws -> [String: String] {
        struct Report: Decodable {
            struct Check: Decodable { var name, detail: String }
            var version: String
            var checks: [Check]
        }
        let file = work + "/doctor.json"
        // Its exit code only reports missing parts, which the run would already have shown.
        _ = try run([program, "doctor", "--json"], output: file, mayFail: true)
        let report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
        var versions = ["Offstage": report.version]
        for check in report.checks where check.name == "webkit" || check.name == "gtk" {
            // "WebKitGTK 2.50.1"
            let words = check.detail.split(separator: " ")
            guard let number = words.first(where: { $0.first?.isNumber ?? false }) else { continue }
            versions[check.name == "gtk" ? "GTK" : "WebKitGTK"] = String(number)
        }
        return versions
    }

    /// Lets Offstage draw a picture of the results.
    func drawChart(of results: Results, into path: String) throws {
        let data = work + "/chart.jsonl"
        try Chart.data(of: results).write(to: URL(fileURLWithPath: data))
        _ = try run([
            program, "render", "--template", options.root + "/Benchmarks/chart.html", "--data", data, "-o", path,
            "--width", "860", "--scale", "2", "--no-cache", "--quiet",
        ])
    }
}
