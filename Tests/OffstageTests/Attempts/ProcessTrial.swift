import SeededRandom
import Testing

@testable import Offstage

/// Draws harmful documents in one process after the other, each with its own `ProcessLife`. Some processes end by
/// themselves.
struct ProcessTrial {
    /// The effect of a document on its process.
    enum Nature: CaseIterable { case good, blank, crashes, hangs, fills, wrong, leavesAHang }

    var chance: SeededGenerator
    private var life = ProcessLife()
    private var isHung = false

    init(chance: SeededGenerator) { self.chance = chance }

    /// - Returns: the outcome, and whether this document caused a loss.
    mutating func draw(_ nature: Nature, isFresh: Bool) throws(ProcessLoss) -> (Attempts.Outcome<Int>, isOwn: Bool) {
        if !life.isUsable || isFresh && life.drawings > 0 {
            life = ProcessLife()
            isHung = false
        }
        if chance.oneIn(3) { _ = life.start() }
        // The process ended while it was idle, and the pool has not noticed.
        if chance.oneIn(8) { life.lose(.crashed) }
        let document: ProcessLife.Document =
            life.drawings > 0 && !isHung && chance.oneIn(3) ? .written : .expected
        do throws(ProcessLoss) { try life.begin(document) } catch {
            #expect(!life.isUsable)
            return (.lost(error), false)
        }
        defer { life.finish(mustLeave: false) }
        if isHung {
            life.lose(.hung(seconds: 1))
            return (.lost(life.loss!), false)
        }
        if chance.oneIn(8) {
            life.lose(.crashed)
            return (.lost(life.loss!), false)
        }
        _ = life.start()
        // A document that may do harm is loaded by a navigation, so that it can be distinguished from the previous
        // one.
        if nature != .good, life.work == .drawing(.written) {
            life.finish(mustLeave: false)
            try life.begin(.expected)
        }
        life.commit()
        let cause: ProcessLoss.Cause
        switch nature {
        case .good: return (.drawn(1, isBlank: false), false)
        case .blank:
            life.retire(.blank)
            return (.drawn(1, isBlank: true), false)
        case .wrong: return (.failed(.empty), false)
        case .leavesAHang:
            isHung = true
            return (.drawn(1, isBlank: false), false)
        case .crashes: cause = .crashed
        case .hangs: cause = .hung(seconds: 1)
        case .fills: cause = .overMemory(LimitExcess(.memory, allowed: 1, measured: 2))
        }
        life.lose(cause)
        return (.lost(life.loss!), true)
    }
}
