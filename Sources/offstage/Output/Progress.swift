import Foundation

/// How far a run is, as a bar with rate and time left, and as a last line.
struct Progress {
    /// Inputs.
    let total: Int
    private(set) var done = 0
    private var drawn = 0
    private var kept = 0
    private var failed = 0
    private var incomplete = 0
    private let start = ContinuousClock.now

    /// Empties the terminal's line.
    static let erase = "\r\u{1B}[K"

    init(total: Int) { self.total = total }

    /// - Parameter results: all of an input's.
    mutating func count(_ results: [PictureResult]) {
        done += 1
        drawn += results.count { $0.status != .failed }
        kept += results.count(where: \.isKept)
        failed += results.count { $0.status == .failed }
        incomplete += results.count { $0.status == .incomplete }
    }

    private var seconds: Double {
        let (whole, fraction) = start.duration(to: .now).components
        return Double(whole) + Double(fraction) / 1e18
    }

    /// `█████░░░░░ 120/400  210/s  0:02 left`
    var bar: String {
        let width = 24
        let filled = total == 0 ? width : width * done / total
        let blocks = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        guard done > 0 else { return "\(blocks) 0/\(total)" }
        let rate = Double(done) / max(seconds, 0.001)
        let left = Int((Double(total - done) / rate).rounded(.up))
        return
            "\(blocks) \(done)/\(total)  \(Int(rate.rounded()))/s  \(left / 60):\(String(format: "%02d", left % 60)) left"
    }

    func summary(place: String?) -> String {
        var text = "\(drawn) \(drawn == 1 ? "picture" : "pictures") in \(String(format: "%.2f", seconds)) s"
        if let place { text += ", in \(place)" }
        if kept > 0 { text += ", \(kept) kept from before" }
        if incomplete > 0 { text += ", \(incomplete) incomplete" }
        if failed > 0 { text += ", \(failed) failed" }
        return text
    }
}
