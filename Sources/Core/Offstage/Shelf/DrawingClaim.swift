import Foundation
import Synchronization

/// The lock for drawing something for a store, held from before the drawing until it is stored. Others that need the
/// same drawing, in this process or another, wait for the lock and then find the picture.
final class DrawingClaim: Sendable {
    /// The longest wait for another process's lock, longer than a drawing takes. After it, draw anyway: a stopped
    /// process must not block others. The work may then be done twice.
    static let patience = Duration.seconds(30)
    private static let longestStep = Duration.milliseconds(32)

    /// The lock's offset.
    let number: Int
    private let locks: DrawingLocks
    private let isTaken = Mutex(false)

    /// - Parameter variants: the stored files of the drawing: two claims with different files cannot use each other's
    ///   work.
    init(_ locks: DrawingLocks, for fingerprint: Fingerprint, as variants: [FileVariant]) {
        self.locks = locks
        var digester = Digester()
        digester.add(fingerprint.digest)
        for variant in variants { digester.addField(variant.name) }
        // The lock's offset in a file, and the one after it.
        number = digester.finish().withBytes { Int($0.load(as: UInt64.self) >> 2) }
    }

    deinit { give() }

    /// Returns when the lock is taken, or after `patience`. It blocks no thread: the system does not report when such a
    /// lock is released, so this polls.
    func take(by clock: any Clock<Duration>) async {
        var waited = Duration.zero
        var step = Duration.milliseconds(2)
        while waited < Self.patience {
            if locks.take(number) { return isTaken.withLock { $0 = true } }
            try? await clock.sleep(for: step)
            waited += step
            step = min(step * 2, Self.longestStep)
        }
    }

    /// True from the time at which the lock is taken until it is released.
    var isHeld: Bool { isTaken.withLock { $0 } }

    /// Releases the lock. Has no effect on a lock that is not taken.
    func give() {
        let wasTaken = isTaken.withLock { isTaken in
            defer { isTaken = false }
            return isTaken
        }
        if wasTaken { locks.give(number) }
    }
}

/// The second lookup, when a job is about to be drawn: another process may have drawn the picture since the first
/// lookup, or be drawing it now.
struct LastLook: Sendable {
    let claim: DrawingClaim
    /// The claim among machines; nil for a store that only one machine uses.
    var shared: SharedWork?
    /// The answer, if others have stored it; nil if it has to be drawn.
    let look: @Sendable () async -> Result<[RenderedPicture], DrawingError>?

    /// Waits for the right to draw, and looks the picture up again.
    ///
    /// - Returns: the answer, with all rights given back; nil if it has to be drawn.
    func take(by clock: any Clock<Duration>) async -> Result<[RenderedPicture], DrawingError>? {
        await claim.take(by: clock)
        if let outcome = await look() {
            claim.give()
            return outcome
        }
        guard let shared else { return nil }
        let answer = await shared.claim()
        if answer == .dead {
            claim.give()
            return .failure(.engineCrashed)
        }
        guard answer == .stored, let outcome = await look() else { return nil }
        give()
        return outcome
    }

    /// Gives back all rights to draw.
    func give(_ failure: DrawingError? = nil) {
        claim.give()
        shared?.give(failure)
    }
}

/// The key of equal work in a renderer's queue.
struct DrawingKey: Hashable, Sendable {
    let request: SharedKey
    /// True if the work accepts pictures that others have drawn meanwhile, which may differ from its own drawing.
    let looksAgain: Bool
    /// Files that another process may have stored meanwhile. If it has, this drawing produces no pixels for further files.
    let variants: [FileVariant]
}
