import Testing

@testable import OffstageLists

@Suite struct ListWindowTests {
    /// Rows of 10 px in a viewport of 100 px.
    private let heights = RowHeights(count: 1_000, estimate: 10)

    @Test func aheadIsOnTheSideOfTravel() {
        let down = ListWindow(heights, top: 5_000, height: 100, travel: .forward, screens: 2)
        #expect(down.visible == 500..<510)
        #expect(down.near == 495..<515)
        // Two viewport heights below the visible rows, without the nearest rows.
        #expect(down.aheadInOrder == Array(515..<530))
        let up = ListWindow(heights, top: 5_000, height: 100, travel: .backward, screens: 2)
        #expect(up.near == 495..<515)
        #expect(up.aheadInOrder == Array(480..<495).reversed())
    }

    @Test func rowsInSightInPartCount() {
        #expect(ListWindow(heights, top: 5, height: 100, travel: .forward, screens: 0).visible == 0..<11)
    }

    @Test func theEndsOfTheList() {
        let end = ListWindow(heights, top: 9_900, height: 100, travel: .forward, screens: 3)
        #expect(end.visible == 990..<1_000)
        #expect(end.near == 985..<1_000)
        #expect(end.aheadInOrder == [])
        #expect(ListWindow(heights, top: 0, height: 100, travel: .backward, screens: 3).aheadInOrder == [])
        let none = ListWindow(RowHeights(count: 0, estimate: 10), top: 0, height: 100, travel: .forward, screens: 3)
        #expect(none.visible.isEmpty && none.near.isEmpty && none.aheadInOrder == [])
    }

    /// Items of 10 px, three per line.
    private struct Grid: VerticalLayout {
        let count = 300
        let total = 1_000

        func top(of item: Int) -> Int { item / 3 * 10 }
        func bottom(of item: Int) -> Int { top(of: item) + 10 }

        func items(from top: Int, to bottom: Int) -> Range<Int> {
            let lines = max(0, top / 10)..<min(100, (bottom + 9) / 10)
            return 3 * lines.lowerBound..<3 * lines.upperBound
        }
    }

    @Test func aGridHasWholeLines() {
        let window = ListWindow(Grid(), top: 505, height: 100, travel: .backward, screens: 1)
        #expect(window.visible == 150..<183)
        #expect(window.near == 135..<198)
        #expect(window.aheadInOrder == Array(120..<135).reversed())
    }
}
