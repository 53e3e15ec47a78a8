/// Measures a web process's memory while it draws, and notices its end. A drawing that takes less than one interval costs nothing.
///
/// WebKit's own limit is not enough: the web process checks it between two tasks, which an endless script never reaches.
@MainActor
final class MemoryWatch {
    /// The time between two measurements, in seconds. Memory grows by at most about 3 GB per second.
    private static let interval = 0.1

    private var timer: LoopTimer?

    /// - Parameter report: called with the bytes once they exceed `limit`, and with 0 once the process has ended, until `stop`.
    func start(_ process: WebProcess?, limit: Int, report: @escaping (Int) -> Void) {
        guard let process else { return }
        // The timer has a higher priority than frames, so the limit also applies in a loop that is always busy.
        timer = LoopTimer(seconds: Self.interval, repeats: true) {
            let memory = process.memory
            if memory > limit || memory == 0 { report(memory) }
        }
    }

    func stop() { timer = nil }
}
