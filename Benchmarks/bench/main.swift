import Benchmarking
import Foundation

func tell(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

/// The results of a new run, or those in a file.
@MainActor
func results(_ options: Options, of workloads: [String]) throws -> Results {
    if let path = options.results { return try Results(contentsOf: path) }
    let bench = try Bench(options)
    defer { bench.removeWork() }
    var runner = Runner(bench)
    let results = try runner.run(workloads)
    try results.encoded().write(to: URL(fileURLWithPath: options.out + "/results.json"))
    try bench.drawChart(of: results, into: options.out + "/chart.png")
    return results
}

/// The workloads whose measures are in a file of thresholds.
func names(_ options: Options, for thresholds: Thresholds) -> [String] {
    options.workloads.isEmpty ? thresholds.workloads.subtracting(["calibration"]).sorted() : options.workloads
}

/// - Returns: the exit code.
@MainActor
func run(_ options: Options) throws -> Int32 {
    switch options.mode {
    case .help: tell(Options.help)
    case .list:
        for workload in workloads {
            tell(workload.name.padding(toLength: 11, withPad: " ", startingAt: 0) + workload.summary + "\n")
        }
    case .worker(let name, let arguments): try Worker.run(name, arguments)
    case .peers(let path):
        let all = try PeerResult.read(path)
        let ours = ["offstage", "offstage-2-views"].filter { name in all.contains { $0.peer == name } }
        for name in ours.isEmpty ? ["offstage"] : ours { tell("ours: \(name)\n\(try all.table(ours: name))\n") }
    case .run:
        let results = try results(options, of: options.workloads)
        tell(options.isJSON ? String(decoding: try results.encoded(), as: UTF8.self) : results.table)
    case .record(let path):
        let thresholds = try Thresholds(contentsOf: path)
        let results = try results(options, of: names(options, for: thresholds))
        let new = try thresholds.recorded(from: results)
        try new.encoded().write(to: URL(fileURLWithPath: path))
        tell(try Thresholds(isQuick: new.isQuick, ratios: thresholds.ratios).verdicts(on: results).table)
    case .check(let path):
        let thresholds = try Thresholds(contentsOf: path)
        let verdicts = try thresholds.verdicts(on: try results(options, of: names(options, for: thresholds)))
        tell(verdicts.table)
        let worse = verdicts.filter { !$0.isWithin }.map(\.ratio.name)
        if !worse.isEmpty { throw BenchmarkError("worse than \(path) allows: \(worse.joined(separator: ", "))") }
    }
    return 0
}

do {
    exit(try run(try Options(Array(CommandLine.arguments.dropFirst()))))
} catch {
    FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
    exit(1)
}
