import Foundation

/// The progress of a run, as a bar with rate and remaining time, and as a final line.
struct Progress {
    /// The number of inputs.
    let total: Int
    private(set) var done = 0
    private var drawn = 0
    private var kept = 0
    private var failed = 0
    private var incomplete = 0
    /// The number of further files that could not be made.
    private var failedFiles = 0
    private let start = ContinuousClock.now
    /// The start of the suspension; nil if the run is not suspended.
    private var pause: ContinuousClock.Instant?
    private var paused = Duration.zero

    /// Clears the terminal's line.
    static let erase = "\r\u{1B}[K"

    init(total: Int) { self.total = total }

    /// - Parameter results: all results of one input.
    mutating func count(_ results: [PictureResult]) {
        done += 1
        for report in results.map(\.report) {
            if report.isCached { kept += 1 }
            if report.status == .failed { failed += 1 } else { drawn += 1 }
            if report.status == .incomplete { incomplete += 1 }
            failedFiles += report.failures.count
        }
    }

    /// - Parameter isOn: true if the run is now suspended.
    mutating func pause(_ isOn: Bool) {
        if let pause { paused += pause.duration(to: .now) }
        pause = isOn ? .now : nil
    }

    private var seconds: Double { start.duration(to: .now) / .seconds(1) }

    /// Tells the user how to resume.
    static let pauseText = "suspended; kill -USR2 \(ProcessInfo.processInfo.processIdentifier) resumes it"

    /// `█████░░░░░ 120/400  210/s  0:02 left`, or `█████░░░░░ 120/400  suspended; kill -USR2 4711 resumes it`
    var bar: String {
        let width = 24
        let filled = total == 0 ? width : width * done / total
        let blocks = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        if pause != nil { return "\(blocks) \(done)/\(total)  \(Self.pauseText)" }
        guard done > 0 else { return "\(blocks) 0/\(total)" }
        let rate = Double(done) / max(seconds - paused / .seconds(1), 0.001)
        let left = Int((Double(total - done) / rate).rounded(.up))
        return
            "\(blocks) \(done)/\(total)  \(Int(rate.rounded()))/s  \(left / 60):\(String(format: "%02d", left % 60)) left"
    }

    func summary(place: String?) -> String {
        var text = "\(drawn) \(drawn == 1 ? "picture" : "pictures") in \(String(format: "%.2f", seconds)) s"
        if let place, drawn > 0 { text += ", in \(place)" }
        if kept > 0 { text += ", \(kept) from the cache" }
        if incomplete > 0 { text += ", \(incomplete) incomplete" }
        if failed > 0 { text += ", \(failed) failed" }
        if failedFiles > 0 { text += ", \(failedFiles) \(failedFiles == 1 ? "file" : "files") of --also failed" }
        return text
    }
}
