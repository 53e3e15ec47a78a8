import Benchmarking
import Foundation

/// Runs workloads, one repetition of each in turn, so that other load on the machine affects all of them equally.
@MainActor
struct Runner {
    let bench: Bench
    private var left: [Results.LeftOut] = []

    init(_ bench: Bench) { self.bench = bench }

    /// - Throws: an error for an unknown workload, or the error that made a workload fail.
    mutating func run(_ names: [String]) throws -> Results {
        for name in names where !workloads.contains(where: { $0.name == name }) {
            throw BenchmarkError("there is no workload '\(name)'; --list names them")
        }
        var chosen = workloads.filter { names.isEmpty || names.contains($0.name) }.map { $0.init() }
        chosen = try chosen.indices.compactMap { try prepared(chosen[$0]) }
        let repetitions = chosen.map { workload in
            let own = type(of: workload).repetitions
            return max(bench.options.repetitions, bench.isQuick ? own.quick : own.full)
        }
        bench.calibrate()
        for repetition in 0..<(repetitions.max() ?? 0) {
            for index in chosen.indices where repetition < repetitions[index] {
                let name = type(of: chosen[index]).name
                let time = try ContinuousClock().measure { try chosen[index].measure(bench) }
                bench.calibrate()
                tell("\(name) \(repetition + 1)/\(repetitions[index])", time)
            }
        }
        for index in chosen.indices { try chosen[index].finish(bench) }
        return Results(
            date: Date(), isQuick: bench.isQuick, machine: .here, versions: try bench.versions(),
            measures: bench.measures.all, series: bench.series, leftOut: left)
    }

    private mutating func prepared(_ workload: any Workload) throws -> (any Workload)? {
        var (workload, name) = (workload, type(of: workload).name)
        do {
            let time = try ContinuousClock().measure { try workload.prepare(bench) }
            if time > .seconds(1) { tell("\(name), made ready", time) }
            return workload
        } catch let reason as LeftOut {
            left.append(Results.LeftOut(workload: name, reason: reason.reason))
            return nil
        }
    }

    private func tell(_ what: String, _ time: Duration) {
        FileHandle.standardError.write(Data("\(what): \(short(time / .seconds(1))) s\n".utf8))
    }
}
