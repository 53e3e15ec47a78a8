import Synchronization

/// Tracks whether the pictures of a drawing process can be trusted.
///
/// A document's code can take over the process that draws it, and then change the pictures of the next documents. The
/// host notices at the earliest when the process does something that no drawing needs. From then on, nothing that the
/// process has drawn can be trusted, and every cache that keeps some of it removes it.
///
/// The process's host owns it, and calls `lose` or `settle` when the process is gone.
package final class DrawingTrust: Sendable {
    private enum State {
        case believed([@Sendable () -> Void])
        case lost
        /// The process is gone, and nothing was wrong with it.
        case settled
    }

    private let state = Mutex(State.believed([]))

    package init() {}

    package var isLost: Bool { state.withLock { if case .lost = $0 { true } else { false } } }

    /// Registers what to do when the trust is lost: at once if it is already lost, and never if the process is gone.
    ///
    /// - Parameter action: called once, on any thread. Released when the process is gone.
    package func onLoss(_ action: @escaping @Sendable () -> Void) {
        let isLost = state.withLock { state in
            switch state {
            case .believed(var actions):
                // Avoids copying the array: a process can have drawn thousands of pictures.
                state = .settled
                actions.append(action)
                state = .believed(actions)
                return false
            case .lost: return true
            case .settled: return false
            }
        }
        if isLost { action() }
    }

    /// Records that the process did something that no drawing needs.
    package func lose() {
        let actions = state.withLock { state in
            guard case .believed(let actions) = state else { return [@Sendable () -> Void]() }
            state = .lost
            return actions
        }
        for action in actions { action() }
    }

    /// Records that the process is gone, so nothing more can be learned about it.
    package func settle() {
        state.withLock { if case .believed = $0 { $0 = .settled } }
    }
}
