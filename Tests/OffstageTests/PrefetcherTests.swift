import Offstage
import Testing

@Suite(.timeLimit(.minutes(15)))
struct PrefetcherTests {
    private let engine = FakeEngine()
    private let renderer: Renderer
    private let list = (0..<20).map { "\($0)" }
    private let asked = Record<String>()

    init() {
        renderer = Renderer(engine: engine)
        renderer.isSuspended = true
    }

    private func prefetcher(lookAhead: Int) -> Prefetcher {
        Prefetcher(renderer: renderer, lookAhead: lookAhead, group: "list") { [asked] identifier in
            asked.note(identifier)
            return identifier == "13" ? nil : FakeRequest(identifier: identifier)
        }
    }

    private func drawn() async -> [String] {
        renderer.isSuspended = false
        await renderer.finish()
        return await engine.started.entries
    }

    @Test func visibleRowsComeFirstThenThoseOnTheSideOfTravel() async {
        let prefetcher = prefetcher(lookAhead: 3)
        prefetcher.prefetch(list, around: 5..<8)
        _ = renderer.ask(for: "between")
        #expect(await drawn() == ["5", "6", "7", "between", "8", "9", "10"])
    }

    @Test func backwardsTheNearestIsTheOneAbove() async {
        let prefetcher = prefetcher(lookAhead: 3)
        prefetcher.prefetch(list, around: 5..<7, travel: .backward)
        #expect(await drawn() == ["5", "6", "4", "3", "2"])
    }

    @Test func whatLeavesTheRangeIsCancelledAndWhatComesIntoSightRises() async {
        let prefetcher = prefetcher(lookAhead: 2)
        prefetcher.prefetch(list, around: 0..<2)
        prefetcher.prefetch(list, around: 2..<4)
        #expect(renderer.counters.cancelled == 2)
        prefetcher.prefetch(list, around: 3..<5)
        #expect(await drawn() == ["3", "4", "5", "6"])
        #expect(asked.entries == ["0", "1", "2", "3", "4", "5", "6"])
    }

    @Test func whatFallsOutOfSightIntoTheLookAheadSinks() async {
        let prefetcher = prefetcher(lookAhead: 2)
        prefetcher.prefetch(list, around: 4..<6)
        prefetcher.prefetch(list, around: 6..<8, travel: .backward)
        #expect(await drawn() == ["6", "7", "4", "5"])
    }

    @Test func aRowThatIsDrawnIsNotAskedForAgainWhileItIsInTheRange() async throws {
        let prefetcher = prefetcher(lookAhead: 1)
        prefetcher.prefetch(list, around: 0..<2)
        renderer.isSuspended = false
        await engine.finished.wait(for: 3)
        prefetcher.prefetch(list, around: 0..<2)
        prefetcher.prefetch(list, around: 1..<3)
        await engine.finished.wait(for: 4)
        #expect(asked.entries == ["0", "1", "2", "3"])
        // The row left the range and is back.
        prefetcher.prefetch(list, around: 0..<2)
        #expect(asked.entries == ["0", "1", "2", "3", "0"])
        await renderer.finish()
    }

    @Test func theEndsOfTheListAndRowsWithoutAPictureAreNoTrouble() async {
        let prefetcher = prefetcher(lookAhead: 5)
        prefetcher.prefetch([], around: 3..<9)
        prefetcher.prefetch(list, around: 30..<40)
        // The range is beyond the end of the list.
        #expect(asked.entries == [])
        prefetcher.prefetch(list, around: 12..<99)
        #expect(await drawn() == ["12", "14", "15", "16", "17", "18", "19"])
    }

    @Test func stoppingOrLettingItGoCancelsAll() async {
        do {
            let prefetcher = prefetcher(lookAhead: 2)
            prefetcher.prefetch(list, around: 0..<2)
            prefetcher.stop()
            #expect(renderer.counters.cancelled == 4)
            prefetcher.prefetch(list, around: 0..<2)
        }
        #expect(renderer.counters.cancelled == 8)
        #expect(await drawn() == [])
    }

    @Test func aLongListCostsNoMoreThanAShortOne() async {
        let looked = Record<Int>()
        let prefetcher = prefetcher(lookAhead: 2)
        let rows = (0..<1_000_000_000).lazy.map { row in
            looked.note(row)
            return "\(row)"
        }
        prefetcher.prefetch(rows, around: 500_000_000..<500_000_002)
        #expect(Set(looked.entries) == Set(500_000_000..<500_000_004))
        #expect(await drawn() == ["500000000", "500000001", "500000002", "500000003"])
    }

    @Test func aHostMayNameTheRowsItself() async {
        let prefetcher = prefetcher(lookAhead: 0)
        prefetcher.prefetch(visible: ["4"], ahead: ["9", "1"])
        prefetcher.prefetch(visible: [], ahead: ["1", "4", "2"])
        #expect(asked.entries == ["4", "9", "1", "2"])
        #expect(renderer.counters.cancelled == 1)
        #expect(await drawn() == ["4", "1", "2"])
    }

    @Test func itsRequestsAreInItsGroup() async {
        let prefetcher = prefetcher(lookAhead: 2)
        prefetcher.prefetch(list, around: 0..<2)
        renderer.cancel(group: "list")
        #expect(renderer.counters.cancelled == 4)
        #expect(await drawn() == [])
    }
}
