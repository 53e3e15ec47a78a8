import Foundation

/// The number of requests of each kind, and their durations.
@MainActor
final class ServeStatistics {
    struct Kind: Hashable {
        var method: String
        var route: String
        var status: String
    }

    /// The upper bounds of the histogram's buckets, in seconds.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    let start = Date()
    private(set) var underWay = 0
    private(set) var counts: [Kind: Int] = [:]
    /// One for each bound, and one for longer requests.
    private(set) var buckets = [Int](repeating: 0, count: bounds.count + 1)
    private(set) var seconds = 0.0
    private(set) var bytes = 0
    /// The number of answers in each of the last seconds.
    private var perSecond: [Int: Int] = [:]

    func begin() { underWay += 1 }

    func end(method: String, route: String, status: String, bytes: Int, _ time: Duration) {
        underWay -= 1
        let known = ["GET", "HEAD", "POST", "PUT", "DELETE"].contains(method) ? method : "other"
        counts[Kind(method: known, route: route, status: status), default: 0] += 1
        let seconds = time / .seconds(1)
        self.seconds += seconds
        self.bytes += bytes
        buckets[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        let now = Int(Date().timeIntervalSince1970)
        perSecond[now, default: 0] += 1
        if perSecond.count > 70 { perSecond = perSecond.filter { $0.key > now - 60 } }
    }

    /// Answers per second, over the last ten whole seconds.
    var rate: Double {
        let now = Int(Date().timeIntervalSince1970)
        return Double((1...10).reduce(0) { $0 + (perSecond[now - $1] ?? 0) }) / 10
    }
}
