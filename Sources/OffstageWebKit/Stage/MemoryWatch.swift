/// Looks at a web process's memory, and whether it is there, while it draws. A drawing that is over sooner costs nothing.
///
/// Not WebKit's own limit: the web process looks at that between two tasks, to which a loop in script never comes.
@MainActor
final class MemoryWatch {
    /// Seconds. Memory grows by some 3 GB a second at most.
    private static let interval = 0.1

    private var timer: LoopTimer?

    /// - Parameter report: called with the bytes once they are more than `limit`, and with 0 once the process is gone, unless
    ///   stopped.
    func start(_ process: WebProcess?, limit: Int, report: @escaping (Int) -> Void) {
        guard let process else { return }
        // Before the frames: it is a limit that holds in a loop that is always busy, too.
        timer = LoopTimer(seconds: Self.interval, repeats: true) {
            let memory = process.memory
            if memory > limit || memory == 0 { report(memory) }
        }
    }

    func stop() { timer = nil }
}
