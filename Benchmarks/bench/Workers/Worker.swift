import Benchmarking
import Foundation
import OffstageWebKit

/// Parts of benchmarks that need the library. Each runs in a separate process and prints its figures as JSON, by
/// name.
@MainActor
enum Worker {
    static func run(_ name: String, _ arguments: [String]) throws {
        PinnedEnvironment.apply()
        func argument(_ index: Int) throws -> String {
            guard index < arguments.count else { throw BenchmarkError("--worker \(name) needs more") }
            return arguments[index]
        }
        func number(_ index: Int) throws -> Int {
            guard let number = Int(try argument(index)) else { throw BenchmarkError("--worker \(name) needs a number") }
            return number
        }
        let figures: [String: Double]
        switch name {
        case "stalls": figures = try StallWorker(folder: try argument(0), hostile: arguments.dropFirst().first).run()
        case "trips":
            let (trips, kills) = (try number(0), try number(1))
            figures = try MainLoop.run { try await TripWorker().run(trips: trips, kills: kills) }
        case "fill":
            let (folder, count, samples) = (try argument(0), try number(1), try argument(2))
            figures = try MainLoop.run { try await StoreFiller(folder: folder, samples: samples).fill(count) }
        case "hits":
            let (folder, count, hits) = (try argument(0), try number(1), try number(2))
            figures = try MainLoop.run { try await HitWorker(folder: folder, count: count).run(hits: hits) }
        case "trim":
            let folder = try argument(0)
            figures = try MainLoop.run { await TrimWorker(folder: folder).run() }
        default: throw BenchmarkError("there is no worker '\(name)'")
        }
        FileHandle.standardOutput.write(try JSONEncoder().encode(figures))
    }
}

/// Runs a body. Returns its value and the time that it took.
func timed<Value>(_ body: () async throws -> Value) async rethrows -> (value: Value, time: Duration) {
    let start = ContinuousClock.now
    let value = try await body()
    return (value, .now - start)
}
