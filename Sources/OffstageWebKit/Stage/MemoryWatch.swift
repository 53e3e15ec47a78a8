import CWebKitGTK

/// Looks at a web process's memory, and whether it is there, while it draws. A drawing that is over sooner costs nothing.
///
/// Not WebKit's own limit: the web process looks at that between two tasks, to which a loop in script never comes.
@MainActor
final class MemoryWatch {
    /// Milliseconds. Memory grows by some 3 GB a second at most.
    private static let interval: guint = 100

    private var source: guint = 0
    private var look: (() -> Void)?

    /// - Parameter report: called with the bytes once they are more than `limit`, and with 0 once the process is gone, unless
    ///   stopped.
    func start(_ process: WebProcess?, limit: Int, report: @escaping (Int) -> Void) {
        guard let process else { return }
        look = {
            let memory = process.memory
            if memory > limit || memory == 0 { report(memory) }
        }
        source = g_timeout_add(
            Self.interval,
            { data in
                onMainActor(data!) { object($0, as: MemoryWatch.self).look?() }
                return 1  // G_SOURCE_CONTINUE
            }, unretained(self))
    }

    func stop() {
        if source != 0 { g_source_remove(source) }
        source = 0
        look = nil
    }
}
