import Foundation
import Offstage
import Synchronization

/// The suspensions of a service's clients, with their owners. A client ends its own; an operator can see and end all of them.
package final class Suspensions: Sendable {
    package struct Suspension: Sendable {
        package let identifier: String
        /// The client's name for the queue; empty for a program that has the service to itself.
        package let owner: String
        /// The time at which it expires.
        package let end: Date
        let lease: SuspensionLease
    }

    /// The maximum number of suspensions at once.
    package static let limit = 1000

    private let all = Mutex<[String: Suspension]>([:])

    package init() {}

    /// The suspensions that have not ended, sorted by the time at which they expire.
    package var active: [Suspension] {
        all.withLock { $0.values.filter(\.lease.isActive) }.sorted { $0.end < $1.end }
    }

    /// Adds a suspension that has begun.
    ///
    /// - Returns: its identifier; nil if there are too many suspensions: then this one's lease is ended.
    @discardableResult
    func add(_ lease: SuspensionLease, of owner: String, seconds: Double) -> String? {
        let identifier = UUID().uuidString.lowercased()
        let isAdded = all.withLock { all in
            all = all.filter(\.value.lease.isActive)
            if all.count >= Self.limit { return false }
            all[identifier] = Suspension(
                identifier: identifier, owner: owner, end: Date(timeIntervalSinceNow: seconds), lease: lease)
            return true
        }
        if isAdded { return identifier }
        lease.end()
        return nil
    }

    /// - Returns: false if it does not exist, or has expired.
    func end(_ identifier: String) -> Bool {
        guard let one = all.withLock({ $0.removeValue(forKey: identifier) }), one.lease.isActive else { return false }
        one.lease.end()
        return true
    }

    /// Ends the suspensions of all clients.
    ///
    /// - Returns: their identifiers.
    @discardableResult
    package func endAll() -> [String] {
        let ended = all.withLock { all in
            defer { all = [:] }
            return all
        }
        for one in ended.values { one.lease.end() }
        return Array(ended.keys)
    }
}
