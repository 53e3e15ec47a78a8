import Testing

@testable import Offstage

/// Conditions under which a successor must replace a process.
@Suite(.timeLimit(.minutes(15)))
struct RecyclingLimitTests {
    private let recycling = Recycling(drawings: 100, memory: 1000)

    private func wear(
        _ count: Int, milliseconds: Int = 1, usesManyFonts: Bool = false, memory: Int? = 0
    ) -> (wear: ProcessLife.Wear?, looks: Int) {
        var looks = 0
        let wear = recycling.wear(
            after: count, time: .milliseconds(milliseconds), usesManyFonts: usesManyFonts
        ) {
            looks += 1
            return memory
        }
        return (wear, looks)
    }

    @Test func drawings() {
        #expect(wear(99).wear == nil)
        #expect(wear(100).wear == .drawings)
        #expect(wear(101).wear == .drawings)
    }

    @Test func fonts() {
        #expect(wear(1, usesManyFonts: true).wear == .fonts)
        #expect(wear(100, usesManyFonts: true).wear == .drawings)
    }

    @Test func memoryAfterEvery64thAndAfterLongDrawings() {
        #expect(wear(63, memory: 1001) == (nil, 0))
        #expect(wear(64, memory: 1001) == (.memory, 1))
        #expect(wear(64, memory: 1000) == (nil, 1))
        #expect(wear(64, memory: nil) == (nil, 1))
        #expect(wear(1, milliseconds: 200, memory: 1001) == (nil, 0))
        #expect(wear(1, milliseconds: 201, memory: 1001) == (.memory, 1))
    }
}
