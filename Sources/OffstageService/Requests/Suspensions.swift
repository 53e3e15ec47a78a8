import Offstage
import Synchronization

/// The suspensions of clients' sessions, with their owners. A session ends its own; an operator can see and end all of them.
package final class Suspensions: Sendable {
    package struct Suspension: Sendable {
        /// The client's name for the queue; empty for a program that has the service to itself.
        package let owner: String
        package let lease: SuspensionLease
    }

    private let all = Mutex<[Suspension]>([])

    package init() {}

    /// The suspensions that have not ended.
    package var active: [Suspension] { all.withLock { $0.filter(\.lease.isActive) } }

    func add(_ lease: SuspensionLease, of owner: String) {
        all.withLock { all in
            all.removeAll { !$0.lease.isActive }
            all.append(Suspension(owner: owner, lease: lease))
        }
    }

    /// Ends the suspensions of all clients.
    package func endAll() {
        for one in all.withLock({ all in
            defer { all = [] }
            return all
        }) { one.lease.end() }
    }
}
