import Offstage
import Testing

@testable import OffstagePages

struct PagePlanTests {
    /// An entry as `document.page`, with a `t` for a thumbnail.
    private func names(_ plan: PagePlan) -> [String] {
        plan.steps.map {
            "\($0.place.document).\($0.place.page)" + ($0.variant == .thumbnail ? "t" : $0.variant == .plain ? "p" : "")
        }
    }

    @Test func anOverviewBeginsWithTheFirstPages() {
        #expect(
            names(.overview(of: [5, 1, 2, 0])) == [
                "0.1", "1.1", "2.1", "0.2", "2.2", "0.3", "0.1t", "1.1t", "2.1t", "0.2t", "2.2t", "0.3t",
            ])
        var reach = PagePlan.Reach()
        reach.overview = 1
        reach.variants = [.annotated, .plain]
        #expect(
            names(.overview(of: [5, 5, 5], from: 1, reach: reach)) == [
                "1.1", "1.1p", "2.1", "2.1p", "0.1", "0.1p", "1.1t", "2.1t", "0.1t",
            ])
        reach.overview = 0
        #expect(names(.overview(of: [5], reach: reach)).isEmpty)
        #expect(names(.overview(of: [])).isEmpty)
        for first in [Int.min, -1, 9, .max] { #expect(PagePlan.overview(of: [1, 1], from: first).steps.count == 4) }
    }

    @Test func readingBeginsWithTheVisiblePage() {
        var reach = PagePlan.Reach()
        reach.thumbnails = 2
        let plan = PagePlan.reading(7, visible: 5...5, pageCount: 10, reach: reach)
        #expect(names(plan) == ["7.5", "7.6", "7.7", "7.4", "7.5t", "7.6t", "7.4t", "7.7t", "7.3t"])
        #expect(
            plan.steps.map(\.priority) == [.veryHigh, .high, .high, .normal] + Array(repeating: .veryLow, count: 5))
        let back = PagePlan.reading(7, visible: 5...5, pageCount: 10, travel: .backward, reach: reach)
        #expect(names(back).prefix(4) == ["7.5", "7.4", "7.3", "7.6"])
    }

    @Test func twoPagesAreVisibleSideBySide() {
        var reach = PagePlan.Reach()
        reach.thumbnails = 0
        #expect(
            names(.reading(0, visible: 2...3, pageCount: 5, reach: reach)) == [
                "0.2", "0.3", "0.4", "0.5", "0.1", "0.2t", "0.3t",
            ])
    }

    @Test func pagesThatDoNotExistAreLeftOut() {
        var reach = PagePlan.Reach()
        reach.thumbnails = 1
        #expect(names(.reading(0, visible: 1...1, pageCount: 1, reach: reach)) == ["0.1", "0.1t"])
        #expect(names(.reading(0, visible: 1...2, pageCount: 1, reach: reach)) == ["0.1", "0.1t"])
        for pages in [Int.min...Int.min, Int.max...Int.max, 9...9, -5...(-5)] {
            for step in PagePlan.reading(0, visible: pages, pageCount: 3, reach: reach).steps {
                #expect((1...3).contains(step.place.page))
            }
        }
        #expect(PagePlan.reading(0, visible: Int.min...Int.max, pageCount: 2).steps.count == 4)
        #expect(PagePlan.reading(0, visible: 1...1, pageCount: 0).steps.isEmpty)
    }
}
