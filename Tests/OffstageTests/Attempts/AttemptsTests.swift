import Testing

@testable import Offstage

/// Tests each row of the table in the comment on `Attempts`.
@Suite(.timeLimit(.minutes(15)))
struct AttemptsTests {
    private typealias Outcome = Attempts.Outcome<String>
    private typealias Next = Attempts.Next<String>

    private static let excess = LimitExcess(.memory, allowed: 1, measured: 2)
    private static let display = EngineUnavailable(problem: "no display", remedy: "start one")
    private static func lost(
        _ cause: ProcessLoss.Cause, _ blame: ProcessLoss.Blame = .document, isAlone: Bool = false
    ) -> Outcome { .lost(ProcessLoss(cause, blame: blame, isAlone: isAlone)) }
    /// The process had not seen the document yet.
    private static let early = lost(.crashed, .nobody)
    /// The process had drawn other documents before.
    private static let crash = lost(.crashed)
    private static let crashAlone = lost(.crashed, isAlone: true)

    /// The next step after each outcome in a sequence of attempts at one request.
    private func steps(_ outcomes: Outcome...) -> [Next] {
        var attempts = Attempts()
        return outcomes.map { outcome in attempts.next(after: outcome) }
    }

    @Test func aPictureIsTheAnswer() {
        #expect(steps(.drawn("a", isBlank: false)) == [.answer("a", isBlank: false)])
    }

    @Test func aBlankPictureIsDrawnTwice() {
        let blank = Outcome.drawn("a", isBlank: true)
        #expect(steps(blank, .drawn("b", isBlank: false)) == [.redraw, .answer("b", isBlank: false)])
        #expect(steps(blank, .drawn("b", isBlank: true)) == [.redraw, .answer("b", isBlank: true)])
        #expect(
            steps(Self.crash, blank, Self.crashAlone, .drawn("b", isBlank: true))
                == [.alone, .redraw, .alone, .answer("b", isBlank: true)])
    }

    @Test func anErrorOfTheDocumentIsTheAnswer() {
        #expect(steps(.failed(.empty)) == [.giveUp(.empty)])
        #expect(steps(Self.early, Self.crash, .failed(.empty)) == [.again, .alone, .giveUp(.empty)])
    }

    /// Even a crash of a process that drew nothing else may be an accident.
    @Test func aCrashIsTriedUntilItHasCrashedAloneTwice() {
        #expect(
            steps(Self.crash, .drawn("a", isBlank: false)) == [.alone, .answer("a", isBlank: false)])
        #expect(
            steps(Self.crash, Self.crashAlone, .drawn("a", isBlank: false))
                == [.alone, .alone, .answer("a", isBlank: false)])
        #expect(
            steps(Self.crash, Self.crashAlone, Self.crashAlone) == [.alone, .alone, .giveUp(.engineCrashed)])
        #expect(steps(Self.crashAlone, Self.crashAlone) == [.alone, .giveUp(.engineCrashed)])
    }

    @Test func aCrashBeforeTheCommitDoesNotUseUpTheOnceMore() {
        #expect(
            steps(Self.early, Self.early, Self.early, Self.crashAlone, Self.crashAlone)
                == [.again, .again, .again, .alone, .giveUp(.engineCrashed)])
    }

    /// The error must not blame the document, because no process lived long enough to load it.
    @Test func processesThatAllEndEarlyEndTheRequest() throws {
        for first in [[], [Self.crash]] {
            var attempts = Attempts()
            for outcome in first { _ = attempts.next(after: outcome) }
            for _ in 0..<3 { #expect(attempts.next(after: Self.early) == .again) }
            guard case .giveUp(.engineFailed) = attempts.next(after: Self.early) else {
                Issue.record("\(first.count)")
                continue
            }
        }
    }

    @Test func aHangIsTriedAgainOnlyWhereAnOlderDocumentHung() {
        #expect(steps(Self.lost(.hung(seconds: 5))) == [.giveUp(.engineHung(seconds: 5))])
        let older = Self.lost(.hung(seconds: 5), .nobody)
        #expect(steps(older, older, older, older) == [.again, .again, .again, .giveUp(.engineHung(seconds: 5))])
    }

    @Test func memoryThatOthersFilledIsTriedOnceMore() {
        let shared = Self.lost(.overMemory(Self.excess))
        let own = Self.lost(.overMemory(Self.excess), isAlone: true)
        #expect(steps(own) == [.giveUp(.overLimit(Self.excess))])
        #expect(steps(shared, own) == [.alone, .giveUp(.overLimit(Self.excess))])
        #expect(steps(shared, .drawn("a", isBlank: false)) == [.alone, .answer("a", isBlank: false)])
        #expect(steps(shared, Self.crashAlone, Self.crashAlone) == [.alone, .alone, .giveUp(.engineCrashed)])
        #expect(steps(Self.crash, own) == [.alone, .giveUp(.overLimit(Self.excess))])
    }

    @Test func aDocumentThatMisbehavesAndALostDisplayAreNotTriedAgain() {
        #expect(steps(Self.lost(.misbehaved("messages"))) == [.giveUp(.engineFailed("messages"))])
        let display = Self.lost(.unavailable(Self.display), .nobody)
        #expect(steps(display) == [.giveUp(.unavailable(Self.display))])
        #expect(steps(Self.early, display) == [.again, .giveUp(.unavailable(Self.display))])
    }

    /// The second attempt shows which document is to blame.
    @Test func afterALossTheProcessIsFresh() {
        var attempts = Attempts()
        #expect(!attempts.needFreshProcess)
        _ = attempts.next(after: Self.early)
        #expect(attempts.needFreshProcess)
        attempts = Attempts()
        _ = attempts.next(after: Self.crash)
        #expect(attempts.needFreshProcess)
        _ = attempts.next(after: .drawn("a", isBlank: true))
        #expect(!attempts.needFreshProcess)
    }
}
