import Offstage
import OffstageGTK
import OffstagePages

/// Measures the time from the opening of a document until the drawing of its page begins, while hundreds of pages wait.
struct PageOpenings {
    private let books: [PageBook]
    private let renderer: Renderer

    /// The number of documents in a large library, and the number of pages of each that are drawn ahead.
    private static let documents = 300
    private static let pages = 3
    private static let times = 10

    init(_ books: [PageBook], _ renderer: Renderer) { (self.books, self.renderer) = (books, renderer) }

    /// - Returns: milliseconds.
    func measure() async -> [Double] {
        var times: [Double] = []
        for round in 0..<Self.times {
            let turner = turner(round)
            turner.showOverview()
            while renderer.waitingCount < 500 { await Task.yield() }
            let place = PagePlan.Place(document: Self.documents - 1, page: 2)
            let events = renderer.events(buffering: 100_000)
            let start = ContinuousClock.now
            turner.show(document: place.document, pages: place.page...place.page)
            for await event in events where event.kind == .started && event.identifier == Self.name(place, round) {
                times.append(start.duration(to: event.time) / .milliseconds(1))
                break
            }
            turner.stop()
        }
        return times
    }

    /// - Parameter round: each round has its own names and sizes, so nothing is cached.
    private func turner(_ round: Int) -> PageTurner {
        PageTurner(
            renderer: renderer, pageCounts: Array(repeating: Self.pages, count: Self.documents)
        ) { [books] place, variant in
            let book = books[place.document % books.count]
            return DocumentPage(
                book.document, page: min(place.page, book.pages.count),
                fit: FitBox(width: 600 + place.document, height: 5_000 + Self.pages * round + place.page),
                variant: variant, identifier: Self.name(place, round))
        }
    }

    private static func name(_ place: PagePlan.Place, _ round: Int) -> String {
        "opening \(round).\(place.document).\(place.page)"
    }
}
