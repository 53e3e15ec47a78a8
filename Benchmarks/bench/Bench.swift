import Benchmarking
import CBenchmark
import Foundation

/// The surroundings of a workload: the measured program, its documents, and a place to record results.
@MainActor
final class Bench {
    let options: Options
    /// The measured `offstage` program.
    let program: String
    /// A folder for documents, pictures and caches. It is empty at the start and removed at the end.
    let work: String
    var measures = Measures()
    var series: [Results.Series] = []
    private var documents: [String: String] = [:]

    var isQuick: Bool { options.isQuick }

    init(_ options: Options) throws {
        self.options = options
        program = options.program ?? Self.own.deletingLastPathComponent().appendingPathComponent("offstage").path
        guard access(program, X_OK) == 0 else {
            throw BenchmarkError("there is no program \(program); build it with `make build`, or name it by --program")
        }
        work = URL(fileURLWithPath: options.out).appendingPathComponent("work").path
        try? FileManager.default.removeItem(atPath: work)
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
    }

    /// The path of this program.
    static let own = URL(
        fileURLWithPath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "bench")

    func removeWork() { try? FileManager.default.removeItem(atPath: work) }

    // MARK: Documents

    /// A folder in the work folder that is filled only once. The name identifies it.
    func folder(_ name: String, _ fill: (String) throws -> Void) throws -> String {
        if let path = documents[name] { return path }
        let path = try emptyFolder(name)
        try fill(path)
        documents[name] = path
        return path
    }

    /// An empty folder in the work folder.
    func emptyFolder(_ name: String) throws -> String {
        let path = work + "/" + name
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    // MARK: Running

    /// Arguments of `offstage render` to draw one folder into another.
    func render(_ input: String, into output: String, _ more: String...) -> [String] {
        [program, "render", input, "--out", output, "--quiet"] + more
    }

    /// Runs a program until it ends. See `ChildProcess.run`.
    func run(
        _ arguments: [String], output: String = "/dev/null", firstFileIn folder: String? = nil,
        observer: (any ChildProcess.Observer)? = nil, mayFail: Bool = false
    ) throws -> ChildProcess {
        try ChildProcess.run(
            arguments, output: output, errors: work + "/errors.txt", firstFileIn: folder, observer: observer,
            mayFail: mayFail)
    }

    /// Runs a part of a benchmark in a separate process. Returns its figures by name.
    func worker(_ name: String, _ arguments: String...) throws -> [String: Double] {
        let output = work + "/worker.json"
        _ = try run([Self.own.path, "--worker", name] + arguments, output: output)
        let data = try Data(contentsOf: URL(fileURLWithPath: output))
        return try JSONDecoder().decode([String: Double].self, from: data)
    }

    // MARK: Calibrating

    /// Times fixed work, for comparison. Call it repeatedly during a run, so that other load on the machine affects
    /// it as much as the rest.
    func calibrate() {
        let compute = ContinuousClock().measure { sink = sink &+ offstage_calibrate_compute() }
        measures.add(
            "calibration.compute", "Fixed work: arithmetic, look-ups, copying", unit: "ms", compute / .milliseconds(1))
        let trips = 2000
        var isDone = false
        let time = ContinuousClock().measure { isDone = offstage_calibrate_switch(Int32(trips)) == 0 }
        if isDone {
            measures.add(
                "calibration.switch", "Fixed work: a byte to another process and back", unit: "µs",
                time / .microseconds(trips))
        }
    }

    private var sink: UInt64 = 0
}
