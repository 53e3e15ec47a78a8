import Testing

@testable import OffstageService

struct DrawingPaceTests {
    @Test func whoHasToWaitIsToldForHowLong() {
        let pace = DrawingPace()
        #expect(pace.seconds(toDraw: 1000, width: 2) == 1, "nothing is known yet")
        pace.note(.milliseconds(100))
        #expect(pace.seconds(toDraw: 0, width: 2) == 1)
        #expect(pace.seconds(toDraw: 100, width: 2) == 5)
        #expect(pace.seconds(toDraw: 101, width: 1) == 11)
        #expect(pace.seconds(toDraw: 1_000_000, width: 1) == 300)
        for _ in 0..<60 { pace.note(.milliseconds(20)) }
        #expect(pace.seconds(toDraw: 100, width: 1) == 3)
    }
}
