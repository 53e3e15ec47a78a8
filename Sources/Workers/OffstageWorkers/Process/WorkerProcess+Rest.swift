import COffstageSystem
import Dispatch
import Foundation

/// The state of a worker between two jobs.
struct WorkerRest {
    /// True while its process is stopped.
    var isStopped = false
    /// The number of rests, so that an old timer does not affect a new rest.
    var count = 0
}

/// An idle worker is stopped: code that took it over can then do nothing, and uses no processor time.
extension WorkerProcess {
    /// The time after which an idle worker is stopped. Within it, the next job begins without a delay.
    private static let patience = DispatchTimeInterval.milliseconds(100)

    /// Stops the worker unless another job begins soon.
    func beginRest() {
        let count = rest.withLock { rest in
            rest.count += 1
            return rest.count
        }
        queue.asyncAfter(deadline: .now() + Self.patience) { [weak self] in self?.stop(count) }
    }

    /// The maximum time that all threads of a process take to stop.
    private static let moment = DispatchTimeInterval.milliseconds(20)

    private func stop(_ count: Int) {
        guard let ends = ends.withLock({ $0 }), rest.withLock({ $0.count == count }) else { return }
        if offstage_stop_process(ends.handle.number) == 0 { rest.withLock { $0.isStopped = true } }
        queue.asyncAfter(deadline: .now() + Self.moment) { [weak self] in self?.look(count) }
    }

    /// Checks the worker's actions since its answer; now that it is stopped, it can do nothing more.
    private func look(_ count: Int) {
        guard let ends = ends.withLock({ $0 }), rest.withLock({ $0.count == count }) else { return }
        let isSilent = ends.connection.isSilent
        // A process that has ended leaves nothing to read.
        if isSilent, held() <= recycling.memory { return }
        life.withLock { $0.wear(.memory) }
        kill()
        if process.reap() == SIGSYS || !isSilent { trust.lose() }
    }

    /// Continues the worker.
    ///
    /// - Returns: false if it has ended.
    func endRest(_ ends: Ends) -> Bool {
        let wasStopped = rest.withLock { rest in
            rest.count += 1
            defer { rest.isStopped = false }
            return rest.isStopped
        }
        return !wasStopped || offstage_continue_process(ends.handle.number) == 0
    }
}
