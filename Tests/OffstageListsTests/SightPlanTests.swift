import Foundation
import Offstage
import Testing

@testable import OffstageLists

/// The items to draw first.
@Suite struct SightPlanTests {
    /// Rows of 10 px in a viewport of 100 px.
    private let rows = RowHeights(count: 1_000, estimate: 10)

    private func glide(_ velocity: Double) -> ScrollForecast {
        var forecast = ScrollForecast()
        let now = ContinuousClock.now
        for frame in 0..<6 {
            forecast.note(
                velocity / 60, page: 100, isHeld: false, at: now.advanced(by: .microseconds(frame * 16_667)))
        }
        return forecast
    }

    private func plan(_ forecast: ScrollForecast, top: Double = 5_000, travel: Travel = .forward) -> SightPlan {
        SightPlan(rows, forecast, top: top, height: 100, travel: travel, screens: 2)
    }

    @Test func atRest() {
        let plan = plan(ScrollForecast())
        #expect(plan.entries.prefix(10).map(\.item) == Array(500..<510))
        #expect(plan.entries.prefix(10).allSatisfy { $0.priority == .high })
        // Half a viewport on each side, then two viewports in the direction of travel.
        #expect(Set(plan.entries[10..<20].map(\.item)) == Set(495..<500).union(510..<515))
        #expect(plan.entries[20...].map(\.item) == Array(515..<530))
        #expect(plan.entries[10...].allSatisfy { $0.priority == .veryLow })
        #expect(
            self.plan(ScrollForecast(), travel: .backward).entries[20...].map(\.item) == Array((480..<495).reversed()))
    }

    @Test func itemsThatLeaveAtOnceAreLeftOut() {
        let plan = plan(glide(2_000))
        let items = plan.entries.map(\.item)
        #expect(!items.contains(500) && items.contains(515), "\(items)")
        // The movement ends 500 px further.
        #expect(items.contains(555) && Set(items).count == items.count)
        // Rows are drawn in the order in which they appear.
        let first = items.prefix { $0 > 505 }
        #expect(first.count > 40 && Array(first) == first.sorted())
        #expect(plan.entries[0].priority == .high && plan.entries.last?.priority == .low)
    }

    @Test func backwards() {
        let items = plan(glide(-2_000), travel: .backward).entries.map(\.item)
        #expect(!items.contains(509) && items.contains(460))
    }

    /// Rows that would pass too fast to be seen are not drawn; the last ones are.
    @Test func tooFast() {
        let items = plan(glide(30_000), top: 0).entries.map(\.item)
        #expect(!items.contains(50) && items.contains(720), "\(items)")
    }

    @Test(arguments: [4_000.0, -4_000])
    func theEndsOfTheList(velocity: Double) {
        let top = velocity > 0 ? 9_850.0 : 50
        let items = plan(glide(velocity), top: top, travel: velocity > 0 ? .forward : .backward).entries.map(\.item)
        #expect(Set(items).isSubset(of: Set(0..<1_000)))
        #expect(items.contains(velocity > 0 ? 999 : 0))
        let none = SightPlan(
            RowHeights(count: 0, estimate: 10), glide(velocity), top: 0, height: 100, travel: .forward, screens: 2)
        #expect(none.entries.isEmpty)
    }
}
