import Offstage
import Testing

@testable import OffstagePages

/// The positions of pages in a window, and the targets of page turns.
struct PageReadingTests {
    private func layout(_ pages: [PageLayout.Page], _ change: (inout PageLayout) -> Void = { _ in }) -> PageLayout {
        var layout = PageLayout(width: 800, height: 600)
        layout.gap = 0
        change(&layout)
        layout.place(pages)
        return layout
    }

    @Test func pagesFit() {
        let page = PageLayout.Page(number: 1, width: 300, height: 400)
        #expect(layout([page]).pages[0].box == .init(x: 175, y: 0, width: 450, height: 600))
        #expect(layout([page]) { $0.scaling = .fitWidth }.pages[0].box.width == 800)
        let both = layout([page, .init(number: 2, width: 300, height: 400)]).pages
        #expect(both.map(\.box.width) == [400, 400])
        #expect(both.map(\.box.x) == [0, 400])
        // Pages of different heights are centred beside each other.
        let mixed = layout([page, .init(number: 2, width: 300, height: 200)]).pages
        #expect(mixed[1].box.y - mixed[0].box.y == 134)
    }

    @Test func marginsAreOutsideTheWindow() {
        let part = PagePart(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
        let layout = layout([.init(number: 1, width: 400, height: 300, part: part)])
        #expect(layout.pages[0].box == .init(x: -400, y: -300, width: 1600, height: 1200))
        #expect(layout.pages[0].clip == .init(x: 0, y: 0, width: 800, height: 600))
        #expect(layout.place(atX: 400, y: 300)?.x == 0.5)
    }

    @Test func panStaysOnThePage() {
        let layout = layout([.init(number: 1, width: 400, height: 300)]) {
            $0.zoom = 2
            $0.pan = (1e9, -5)
        }
        #expect(layout.pan == (800, 0))
        #expect(layout.mostPan == (800, 600))
    }

    @Test func strangeSizesHaveAPlace() {
        for (width, height) in [(0.0, 0.0), (.nan, 5), (1e30, 1e-30), (-4, .infinity)] {
            let box = layout([.init(number: 1, width: width, height: height)]).pages[0].box
            #expect(box.width.isFinite && box.height.isFinite && box.x.isFinite)
        }
    }

    private func movement(
        _ counts: [Int], _ spread: PageSpread = .single, halves: Bool = false, crosses: Bool = true
    ) -> PageMovement {
        PageMovement(pageCounts: counts, spread: spread, turnsHalves: halves, crossesDocuments: crosses)
    }

    /// Turning pages to the end and back passes through the same positions.
    @Test(arguments: PageSpread.allCases, [true, false])
    func turnsLeadThereAndBack(_ spread: PageSpread, _ halves: Bool) {
        let movement = movement([5, 0, 1, 4], spread, halves: halves)
        var (place, path) = (PagePosition(), [PagePosition()])
        while let next = movement.next(place) {
            #expect(movement.clamped(next) == next)
            path.append(next)
            place = next
            if path.count > 50 { break }
        }
        #expect(Set(path.flatMap { place in movement.visible(place).map { "\(place.document) \($0)" } }).count == 10)
        var back = [place]
        while let previous = movement.previous(back[0]) {
            back.insert(previous, at: 0)
            if back.count > 50 { break }
        }
        #expect(back == path)
    }

    @Test func placesThatDoNotExist() {
        #expect(movement([]).clamped(PagePosition()) == nil)
        #expect(movement([0, 0]).clamped(PagePosition()) == nil)
        #expect(movement([0, 3]).clamped(PagePosition(document: 0, page: -5)) == PagePosition(document: 1, page: 1))
        #expect(movement([2]).clamped(PagePosition(document: .max, page: .max)) == PagePosition(page: 2))
        #expect(movement([2, 2], crosses: false).next(PagePosition(page: 2)) == nil)
        #expect(movement([2, 2], crosses: false).previous(PagePosition(document: 1)) == nil)
    }

    @Test func thePlanContinuesInTheNextDocument() {
        var reach = PagePlan.Reach()
        reach.thumbnails = 0
        func places(_ page: Int, _ travel: Travel = .forward) -> [String] {
            let plan = PagePlan.reading(
                1, visible: page...page, pageCounts: [4, 3, 5], travel: travel, reach: reach)
            return plan.steps.filter { $0.variant != .thumbnail }.map { "\($0.place.document).\($0.place.page)" }
        }
        reach.crossesDocuments = true
        #expect(places(3) == ["1.3", "2.1", "2.2", "1.2"])
        #expect(places(2) == ["1.2", "1.3", "2.1", "1.1"])
        #expect(places(1) == ["1.1", "1.2", "1.3", "0.4"])
        #expect(places(1, .backward) == ["1.1", "0.4", "0.3", "1.2"])
        reach.crossesDocuments = false
        #expect(places(3) == ["1.3", "1.2"])
    }
}
