import Foundation

/// Measures delays of the main loop, as the lateness of a sleep of two milliseconds.
@MainActor
final class LoopWatch {
    private var late: [Double] = []
    private var task: Task<Void, Never>?

    init() {
        task = Task { [weak self] in
            while !Task.isCancelled {
                let start = ContinuousClock.now
                try? await Task.sleep(for: .milliseconds(2))
                self?.late.append((start.duration(to: .now) - .milliseconds(2)) / .milliseconds(1))
            }
        }
    }

    /// The delay in milliseconds.
    func end() -> String {
        task?.cancel()
        let sorted = late.sorted()
        if sorted.isEmpty { return "main loop: no tick" }
        func part(_ part: Double) -> String { String(format: "%.1f", sorted[Int(Double(sorted.count - 1) * part)]) }
        return "main loop late, ms: median \(part(0.5)), p99 \(part(0.99)), p99.9 \(part(0.999)), at most \(part(1))"
    }
}
