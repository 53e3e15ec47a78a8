import Testing

@testable import Offstage

/// Tests each row of the table in the comment on `ProcessLife`.
@Suite(.timeLimit(.minutes(15)))
struct ProcessLifeTests {
    private static let loss = ProcessLoss(.crashed, blame: .nobody, isAlone: true)

    /// One process in each state, idle.
    private static func processes() -> [(name: String, life: ProcessLife)] {
        var (ready, worn, retired, lost, closed) = (ready(), ready(), ready(), ready(), ready())
        worn.wear(.memory)
        retired.retire(.blank)
        lost.lose(.crashed)
        closed.close()
        return [
            ("starting", ProcessLife()), ("ready", ready), ("worn", worn), ("retired", retired), ("lost", lost),
            ("closed", closed),
        ]
    }

    private static func ready() -> ProcessLife {
        var life = ProcessLife()
        _ = life.start()
        return life
    }

    /// The states after an event, in the order of the table.
    private func states(after event: (inout ProcessLife) -> Void) -> [ProcessLife.State] {
        Self.processes().map { _, life in
            var life = life
            event(&life)
            return life.state
        }
    }

    @Test func aStartMakesReadyOnce() {
        let states = states { _ = $0.start() }
        #expect(
            states == [.ready, .ready, .worn(.memory), .retired(.blank), .lost(Self.loss), .closed(after: nil)])
        var life = ProcessLife()
        let isFirst = [life.start(), life.start()]
        #expect(isFirst == [true, false])
    }

    @Test func wearNeedsAUsableProcessAndTheFirstReasonStays() {
        let states = states { $0.wear(.drawings) }
        #expect(
            states == [
                .worn(.drawings), .worn(.drawings), .worn(.memory), .retired(.blank), .lost(Self.loss),
                .closed(after: nil),
            ])
    }

    @Test func aRetirementNeedsAUsableProcess() {
        let states = states { $0.retire(.history) }
        #expect(
            states == [
                .retired(.history), .retired(.history), .retired(.history), .retired(.blank), .lost(Self.loss),
                .closed(after: nil),
            ])
    }

    @Test func theFirstLossStays() {
        let second = ProcessLoss(.hung(seconds: 5), blame: .nobody, isAlone: true)
        let states = states { $0.lose(.hung(seconds: 5)) }
        #expect(
            states == [
                .lost(second), .lost(second), .lost(second), .lost(second), .lost(Self.loss), .closed(after: nil),
            ])
    }

    @Test func aClosedProcessKnowsItsLoss() {
        let closed = ProcessLife.State.closed(after: nil)
        let states = states { $0.close() }
        #expect(states == [closed, closed, closed, closed, .closed(after: Self.loss), closed])
    }

    @Test func onlyAUsableProcessIsGivenWork() {
        for (name, process) in Self.processes() {
            var life = process
            let isUsable = ["starting", "ready", "worn"].contains(name)
            #expect(life.isUsable == isUsable, "\(name)")
            #expect(life.isFree == ["ready", "worn"].contains(name), "\(name)")
            #expect((life.refusal == nil) == isUsable, "\(name)")
            if isUsable {
                #expect(throws: Never.self, "\(name)") { try life.begin(.expected) }
                #expect(life.work == .drawing(.expected))
            } else {
                #expect(throws: Self.loss, "\(name)") { try life.begin(.expected) }
                #expect(life == process, "\(name)")
            }
        }
    }

    /// If the display is lost and the process with it, the request gets an error about the display.
    @Test func aRefusalHasTheCauseOfTheLoss() {
        let reason = EngineUnavailable(problem: "no display", remedy: "start one")
        var life = Self.ready()
        life.lose(.unavailable(reason))
        life.close()
        #expect(throws: ProcessLoss(.unavailable(reason), blame: .nobody, isAlone: true)) {
            try life.begin(.expected)
        }
    }

    @Test func theWorkOfOneDrawing() throws {
        var life = Self.ready()
        life.commit()
        life.finish(mustLeave: true)
        life.left()
        #expect(life.work == .idle)
        try life.begin(.expected)
        #expect(!life.isFree)
        life.commit()
        #expect(life.work == .drawing(.committed))
        life.left()
        #expect(life.work == .drawing(.committed))
        life.finish(mustLeave: false)
        #expect(life.work == .idle)
        try life.begin(.written)
        life.commit()
        #expect(life.work == .drawing(.written))
        life.finish(mustLeave: true)
        #expect(life.work == .leaving)
        #expect(life.isUsable && !life.isFree)
        life.left()
        #expect(life.isFree)
        #expect(life.drawings == 2)
    }

    /// The process is replaced in any case.
    @Test func aLostProcessLeavesNoDocument() throws {
        var life = Self.ready()
        try life.begin(.expected)
        life.lose(.crashed)
        life.commit()
        #expect(life.work == .drawing(.expected))
        life.finish(mustLeave: true)
        #expect(life.work == .idle)
    }
}
