import Foundation
import Offstage
import PageSamples
import Testing

@testable import OffstagePages

struct PageTurnerTests {
    private static let fit = FitBox(width: 200, height: 100)

    /// Each page has its own grey, which depends on its document and number.
    private static func document(_ number: Int, pages: Int) -> PageDocument {
        TestPDF(
            pages: (1...pages).map { page in
                .init(content: "\(Double(10 * number + page) / 255) g 0 0 200 100 re f")
            }
        ).document
    }

    private func grey(_ place: PagePlan.Place) -> RGB { RGB(10 * place.document + place.page) * 0x010101 }

    @MainActor private func renderer(workers: Int = 1) -> Renderer {
        var configuration = RendererConfiguration()
        configuration.memory = CachedPictures.cache()
        return Renderer(engines: [PageEngine(workers: workers)], configuration: configuration)
    }

    @Test func theVisiblePageAndItsNeighboursAreDrawn() async throws {
        let renderer = await renderer()
        let documents = (0..<3).map { Self.document($0, pages: 9) }
        let turner = PageTurner(renderer: renderer, pageCounts: [9, 9, 9]) { place, variant in
            DocumentPage(
                documents[place.document], page: place.page, fit: Self.fit, variant: variant,
                identifier: "\(place.document).\(place.page)")
        }
        // The steps of a reader: the overview, then a document, then page turns and a jump.
        turner.showOverview()
        for (document, page) in [(2, 1), (2, 2), (2, 3), (1, 9), (0, 5), (0, 4)] {
            let visible = turner.show(document: document, pages: page...page)
            #expect(visible.count == 1)
            let picture = try #require(try await visible.first?.picture)
            #expect(picture.pixmap.color(50, 50) == grey(.init(document: document, page: page)))
        }
        // The next pages are in memory once they have been drawn.
        for page in [5, 6, 3] {
            let place = PagePlan.Place(document: 0, page: page)
            let request = DocumentPage(
                documents[0], page: page, fit: Self.fit, identifier: "0.\(page)")
            let picture = try await renderer.picture(for: request).pixmap
            #expect(picture.color(50, 50) == grey(place))
        }
        let drawn = renderer.counters.drawn
        _ = try await turner.show(document: 0, pages: 5...5).first?.picture
        #expect(renderer.counters.drawn <= drawn + 1)
        #expect(turner.show(document: 7, pages: 1...1).isEmpty)
        #expect(turner.show(document: 0, pages: 99...99).isEmpty)
        turner.stop()
        await renderer.finish(.cancelled)
    }

    /// A drawing that never ends is cancelled when the reader opens another page.
    @Test func openingEndsWhatIsBeingDrawn() async throws {
        let renderer = await renderer()
        let slow = TestPDF(String(repeating: "0 0 200 100 re f ", count: 100_000)).document
        let wanted = Self.document(1, pages: 1)
        let turner = PageTurner(renderer: renderer, pageCounts: [1, 1]) { place, variant in
            var page = DocumentPage(
                place.document == 0 ? slow : wanted, page: place.page, fit: Self.fit, variant: variant,
                identifier: "\(place.document)")
            page.budget.processorSeconds = 100_000
            page.budget.seconds = 100_000
            if place.document == 0 { page.fit = FitBox(width: 4000, height: 2000) }
            return page
        }
        let first = try #require(turner.show(document: 0, pages: 1...1).first)
        while renderer.runningCount == 0 { await Task.yield() }
        let picture = try await turner.show(document: 1, pages: 1...1).first?.picture
        #expect(picture?.pixmap.color(50, 50) == grey(.init(document: 1, page: 1)))
        await #expect(throws: RenderError.self) { try await first.picture }
        turner.stop()
        await renderer.finish(.cancelled)
    }

    /// A drawing that had already left the queue when the page was opened takes the only worker a moment later.
    @Test(arguments: [true, false]) func aDrawingThatIsAboutToBeginGivesWay(isWaiting: Bool) async throws {
        let running = RunningPages()
        let places = (0..<2).map { DocumentPage(Self.document($0, pages: 1)).place }
        running.makeRoom(for: places[1], capacity: 1) { isWaiting }
        // Only one drawing is cancelled: nothing indicates that the next drawing is in the way, too.
        for isInTheWay in [isWaiting, false] {
            let wasCancelled = try await running.run(places[0]) { () async throws(DrawingError) in
                // Without the cancellation, the drawing never ends.
                while isInTheWay, !Task.isCancelled { await Task.yield() }
                return Task.isCancelled
            }
            #expect(wasCancelled == isInTheWay)
        }
    }

    /// Hundreds of pages are waiting, and the page that the reader opens is drawn next.
    @Test func openingGoesBeforeHundredsThatWait() async throws {
        let renderer = await renderer(workers: 2)
        let documents = (0..<200).map { Self.document($0 % 20, pages: 3) }
        let turner = PageTurner(renderer: renderer, pageCounts: Array(repeating: 3, count: 200)) { place, variant in
            DocumentPage(
                documents[place.document], page: place.page, fit: FitBox(width: 1000 + place.document, height: 500),
                variant: variant, identifier: "\(place.document).\(place.page)")
        }
        turner.showOverview()
        while renderer.waitingCount < 500 { await Task.yield() }
        let events = renderer.events(buffering: 100_000)
        let task = try #require(turner.show(document: 150, pages: 2...2).first)
        var others = 0
        for await event in events {
            guard case .started = event.kind else { continue }
            if event.identifier == "150.2" { break }
            others += 1
        }
        // Only pages that had already left the queue are drawn before it.
        #expect(others <= 2)
        _ = try await task.picture
        turner.stop()
        await renderer.finish(.cancelled)
    }
}
