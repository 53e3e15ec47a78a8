/// The memory for the lines of one client, and for their results until the client has read them. All sessions of a
/// client share it.
package protocol LineMemory: Sendable {
    /// Reserves memory.
    ///
    /// - Returns: nil if the client's share is used up.
    func reserve(_ bytes: Int) -> (any LineReservation)?
}

/// Reserved memory. It becomes free when the reservation is released.
package protocol LineReservation: AnyObject, Sendable {
    /// Reserves more.
    ///
    /// - Returns: false if the client's share is used up. The reservation is then unchanged.
    func grow(by bytes: Int) -> Bool
}

/// The memory of a program that has the service to itself, without a limit.
package struct UnlimitedLineMemory: LineMemory {
    private final class Reservation: LineReservation {
        func grow(by bytes: Int) -> Bool { true }
    }

    private static let reservation = Reservation()

    package init() {}

    package func reserve(_ bytes: Int) -> (any LineReservation)? { Self.reservation }
}
