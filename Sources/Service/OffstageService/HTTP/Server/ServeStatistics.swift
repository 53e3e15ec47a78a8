import Foundation
import Synchronization

/// The number of requests of each kind, and their durations. Use it from any thread.
final class ServeStatistics: Sendable {
    struct Kind: Hashable {
        var method: String
        var route: String
        var status: String
    }

    /// The figures at one moment.
    struct Figures {
        var underWay = 0
        var counts: [Kind: Int] = [:]
        /// One for each bound, and one for longer requests.
        var buckets = [Int](repeating: 0, count: bounds.count + 1)
        var seconds = 0.0
        var bytes = 0
        /// The number of answers in each of the last seconds.
        fileprivate var perSecond: [Int: Int] = [:]
        fileprivate var lastNumber = 0

        /// Answers per second, over the last ten whole seconds.
        var rate: Double {
            let now = Int(Date().timeIntervalSince1970)
            return Double((1...10).reduce(0) { $0 + (perSecond[now - $1] ?? 0) }) / 10
        }
    }

    /// The upper bounds of the histogram's buckets, in seconds.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    let start = Date()
    private let state = Mutex(Figures())

    var figures: Figures { state.withLock { $0 } }

    /// The number of requests in progress.
    var underWay: Int { state.withLock { $0.underWay } }

    /// - Returns: the number of the new request, from 1.
    func begin() -> Int {
        state.withLock { state in
            state.underWay += 1
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    func end(_ entry: AccessLog.Entry) {
        let kind = Kind(method: entry.method, route: entry.route, status: entry.status.map { "\($0)" } ?? "abandoned")
        let seconds = entry.duration / .seconds(1)
        let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        let now = Int(Date().timeIntervalSince1970)
        state.withLock { state in
            state.underWay -= 1
            state.counts[kind, default: 0] += 1
            state.seconds += seconds
            state.bytes += entry.bytes
            state.buckets[bucket] += 1
            state.perSecond[now, default: 0] += 1
            if state.perSecond.count > 70 { state.perSecond = state.perSecond.filter { $0.key > now - 60 } }
        }
    }
}
