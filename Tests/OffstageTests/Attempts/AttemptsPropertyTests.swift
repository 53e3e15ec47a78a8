import SeededRandom
import Testing

@testable import Offstage

/// Random sequences of events in a process's life, and requests that are tried in processes that fail at random.
@Suite(.timeLimit(.minutes(15)))
struct AttemptsPropertyTests {
    private static let excess = LimitExcess(.memory, allowed: 1, measured: 2)
    private static let display = EngineUnavailable(problem: "no display", remedy: "start one")

    private static func cause(_ chance: inout SeededGenerator) -> ProcessLoss.Cause {
        [.crashed, .hung(seconds: 1), .overMemory(excess), .misbehaved("messages"), .unavailable(display)]
            .randomElement(using: &chance)!
    }

    @Test func aLifeGoesOneWayAndALostProcessIsNeverGivenWork() {
        for seed in Seed.some(500) {
            var chance = SeededGenerator(seed: seed)
            var life = ProcessLife()
            for _ in 0..<40 {
                let before = life
                var accepted = false
                switch Int.random(in: 0..<10, using: &chance) {
                case 0:
                    let isFirst = life.start()
                    #expect(isFirst == (before.state == .starting), "seed \(seed)")
                case 1...3 where life.work == .idle || !life.isUsable:
                    accepted = (try? life.begin(chance.oneIn(3) ? .written : .expected)) != nil
                case 4: life.commit()
                case 5: life.finish(mustLeave: chance.oneIn(2))
                case 6: life.left()
                case 7 where chance.oneIn(4): life.wear(.drawings)
                case 8 where chance.oneIn(6): life.lose(Self.cause(&chance))
                case 9 where chance.oneIn(6): chance.oneIn(2) ? life.close() : life.retire(.blank)
                default: break
                }
                #expect(Self.rank(life) >= Self.rank(before), "seed \(seed)")
                #expect(life.drawings == before.drawings + (accepted ? 1 : 0), "seed \(seed)")
                if !before.isUsable {
                    #expect(!accepted && !life.isUsable && !life.isFree, "seed \(seed)")
                    #expect(life.work == before.work || life.work == .idle, "seed \(seed)")
                }
                if let loss = before.loss { #expect(life.loss == loss, "seed \(seed)") }
                if life.isFree { #expect(life.work == .idle, "seed \(seed)") }
                if let loss = life.loss, before.loss == nil, loss.blame == .document {
                    guard case .drawing = before.work else {
                        Issue.record("blamed without a drawing, seed \(seed)")
                        return
                    }
                }
            }
        }
    }

    private static func rank(_ life: ProcessLife) -> Int {
        switch life.state {
        case .starting: 0
        case .ready: 1
        case .worn: 2
        case .retired: 3
        case .lost: 4
        case .closed: 5
        }
    }

    /// Draws one request after another, in processes that may also end by themselves. A document always behaves in the
    /// same way. If a document leaves its process hanging, the next drawing hangs.
    @Test func everyRequestIsAnsweredAndNobodyPaysForAnother() throws {
        for seed in Seed.some(500) {
            var chance = SeededGenerator(seed: seed)
            var pool = ProcessTrial(chance: SeededGenerator(seed: seed &+ 1))
            for _ in 0..<20 {
                let nature = ProcessTrial.Nature.allCases.randomElement(using: &chance)!
                var attempts = Attempts()
                var (count, onceMore, redraws, own, accidents) = (0, 0, 0, 0, 0)
                var answer: Result<Int, DrawingError>?
                while answer == nil {
                    count += 1
                    // 6 attempts for each of two pictures.
                    try #require(count <= 12, "seed \(seed)")
                    let isFresh = attempts.needFreshProcess
                    let (outcome, isOwn) = try pool.draw(nature, isFresh: isFresh)
                    if case .lost(let loss) = outcome {
                        own += isOwn ? 1 : 0
                        accidents += isOwn ? 0 : 1
                        // Not even a document that crashes is blamed for the hang of an earlier one.
                        if !isOwn { #expect(loss.blame == .nobody, "seed \(seed)") }
                    }
                    switch attempts.next(after: outcome) {
                    case .answer(let value, _): answer = .success(value)
                    case .giveUp(let error): answer = .failure(error)
                    case .alone: onceMore += 1
                    case .redraw:
                        redraws += 1
                        onceMore = 0
                    case .again: #expect(!isOwn, "seed \(seed)")
                    }
                    #expect(onceMore <= 2 && redraws <= 1, "seed \(seed)")
                }
                switch (nature, answer!) {
                case (.good, .success), (.blank, .success), (.crashes, .failure(.engineCrashed)): break
                case (.hangs, .failure(.engineHung)), (.fills, .failure(.overLimit)): break
                case (.wrong, .failure(.empty)), (.leavesAHang, .success): break
                // More processes ended by themselves than there are attempts.
                case (_, .failure(.engineFailed)) where accidents > Attempts.mostBlameless: break
                case (let nature, let answer):
                    Issue.record("\(nature): \(answer) after \(own) losses, \(accidents) accidents, seed \(seed)")
                }
            }
        }
    }
}
