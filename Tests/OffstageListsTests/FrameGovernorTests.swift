import OffstageLists
import Testing

/// The number of drawings that may run beside a host's frames.
struct FrameGovernorTests {
    private let start = ContinuousClock.now

    private func at(_ milliseconds: Int) -> ContinuousClock.Instant { start.advanced(by: .milliseconds(milliseconds)) }

    @Test func framesInTimeLeaveAllDrawings() {
        var governor = FrameGovernor()
        for frame in 0..<100 { governor.noteFrame(late: .microseconds(2_900), isDrawing: true, at: at(16 * frame)) }
        #expect(governor.allowance == .all)
        #expect(governor.nextChange == nil)
    }

    @Test func aLateFrameStopsDrawingsAndTheyComeBackOneByOne() {
        var governor = FrameGovernor()
        governor.noteFrame(late: .milliseconds(5), isDrawing: true, at: at(0))
        #expect(governor.allowance == .none)
        #expect(governor.nextChange == at(150))
        governor.update(at: at(149))
        #expect(governor.allowance == .none)
        governor.update(at: at(150))
        #expect(governor.allowance == .one)
        governor.update(at: at(300))
        #expect(governor.allowance == .all)
        #expect(governor.nextChange == nil)
    }

    @Test func aNearlyLateFrameLeavesOneDrawing() {
        var governor = FrameGovernor()
        governor.noteFrame(late: .milliseconds(3), isDrawing: true, at: at(0))
        #expect(governor.allowance == .one)
        // Each late frame restarts the waiting time.
        governor.noteFrame(late: .milliseconds(4), isDrawing: true, at: at(100))
        governor.update(at: at(200))
        #expect(governor.allowance == .one)
        governor.update(at: at(250))
        #expect(governor.allowance == .all)
    }

    @Test func aNearlyLateFrameDoesNotEndAStop() {
        var governor = FrameGovernor()
        governor.noteFrame(late: .milliseconds(20), isDrawing: true, at: at(0))
        governor.noteFrame(late: .milliseconds(4), isDrawing: true, at: at(100))
        #expect(governor.allowance == .none)
        #expect(governor.nextChange == at(150))
    }

    /// A timer can fire late, so both changes may be due at once.
    @Test func anUpdateThatComesLateSkipsAStep() {
        var governor = FrameGovernor()
        governor.noteFrame(late: .milliseconds(20), isDrawing: true, at: at(0))
        governor.update(at: at(1_000))
        #expect(governor.allowance == .all)
    }

    /// A frame that is late while nothing is drawn is not the drawings' fault.
    @Test func theHostsOwnWorkDoesNotCount() {
        var governor = FrameGovernor()
        for frame in 0..<60 { governor.noteFrame(late: .milliseconds(4), isDrawing: false, at: at(16 * frame)) }
        #expect(governor.allowance == .all)
        // 4 ms are now the usual delay.
        governor.noteFrame(late: .microseconds(6_500), isDrawing: true, at: at(1_000))
        #expect(governor.allowance == .all)
        governor.noteFrame(late: .milliseconds(8), isDrawing: true, at: at(1_016))
        #expect(governor.allowance == .one)
        governor.noteFrame(late: .milliseconds(9), isDrawing: true, at: at(1_032))
        #expect(governor.allowance == .none)
        // A frame that is late while nothing is drawn does not prolong the stop either.
        governor.noteFrame(late: .milliseconds(30), isDrawing: false, at: at(1_100))
        #expect(governor.nextChange == at(1_182))
    }

    /// A frame that is 11 ms late counts as late, even if all frames are late.
    @Test func framesHaveToBeInTimeAnyway() {
        var governor = FrameGovernor()
        for frame in 0..<60 { governor.noteFrame(late: .milliseconds(40), isDrawing: false, at: at(16 * frame)) }
        governor.noteFrame(late: .milliseconds(11), isDrawing: true, at: at(1_000))
        #expect(governor.allowance == .none)
    }

    @Test func restAllowsEverything() {
        var governor = FrameGovernor()
        governor.noteFrame(late: .milliseconds(20), isDrawing: true, at: at(0))
        governor.rest()
        #expect(governor.allowance == .all)
        #expect(governor.nextChange == nil)
    }
}
