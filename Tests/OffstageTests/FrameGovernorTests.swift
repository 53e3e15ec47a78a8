import Offstage
import Testing

/// The number of drawings beside a host's frames.
struct FrameGovernorTests {
    private let start = ContinuousClock.now

    private func at(_ milliseconds: Int) -> ContinuousClock.Instant { start.advanced(by: .milliseconds(milliseconds)) }

    @Test func framesInTimeLeaveAllDrawings() {
        var governor = FrameGovernor()
        for frame in 0..<100 { governor.noteFrame(late: .microseconds(2_900), at: at(16 * frame)) }
        #expect(governor.allowance == .all)
        #expect(governor.nextChange == nil)
    }

    @Test func aLateFrameStopsDrawingsAndTheyComeBackOneByOne() {
        var governor = FrameGovernor()
        governor.noteFrame(late: .milliseconds(5), at: at(0))
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
        governor.noteFrame(late: .milliseconds(3), at: at(0))
        #expect(governor.allowance == .one)
        // Each such frame begins the time anew.
        governor.noteFrame(late: .milliseconds(4), at: at(100))
        governor.update(at: at(200))
        #expect(governor.allowance == .one)
        governor.update(at: at(250))
        #expect(governor.allowance == .all)
    }

    @Test func aNearlyLateFrameDoesNotEndAStop() {
        var governor = FrameGovernor()
        governor.noteFrame(late: .milliseconds(20), at: at(0))
        governor.noteFrame(late: .milliseconds(4), at: at(100))
        #expect(governor.allowance == .none)
        #expect(governor.nextChange == at(150))
    }

    /// A timer can be late: both changes may be due at once.
    @Test func anUpdateThatComesLateSkipsAStep() {
        var governor = FrameGovernor()
        governor.noteFrame(late: .milliseconds(20), at: at(0))
        governor.update(at: at(1_000))
        #expect(governor.allowance == .all)
    }

    @Test func restAllowsEverything() {
        var governor = FrameGovernor()
        governor.noteFrame(late: .milliseconds(20), at: at(0))
        governor.rest()
        #expect(governor.allowance == .all)
        #expect(governor.nextChange == nil)
    }
}
