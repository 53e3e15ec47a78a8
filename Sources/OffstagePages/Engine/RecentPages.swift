import Offstage

/// The last drawings of an engine, from which it answers requests for another variant of the same page.
actor RecentPages {
    private struct Page {
        var drawings: [PageVariant: PageDrawing] = [:]
        /// Nil until the page has been drawn once.
        var hasAnnotations: Bool?
        var underWay: Set<PageVariant> = []
        var waiting: [CheckedContinuation<Void, Never>] = []

        /// The drawing for a variant, or the one that has the same pixels.
        func drawing(_ variant: PageVariant) -> PageDrawing? {
            drawings[variant] ?? (hasAnnotations == false ? drawings.values.first : nil)
        }

        /// Forgets the drawings of processes that can no longer be trusted.
        mutating func forgetUntrusted() {
            drawings = drawings.filter { !$0.value.drawing.trust.contains(where: \.isLost) }
        }

        var bytes: Int {
            drawings.values.reduce(0) { $0 + $1.drawing.pixmaps.reduce(0) { $0 + 4 * $1.size.width * $1.size.height } }
        }
    }

    /// The most bytes of pixels.
    private static let mostBytes = 32 << 20

    private var pages: [DocumentPage.Place: Page] = [:]
    /// The least recently used place first.
    private var order: [DocumentPage.Place] = []
    private let places: Int

    /// - Parameter places: the most pages to remember.
    init(places: Int) { self.places = places }

    /// The drawing of a page, made now if none is there.
    ///
    /// A second variant waits while the first one is drawn, which may turn out to be the same.
    ///
    /// - Parameter draw: makes a drawing.
    func drawing(
        of place: DocumentPage.Place, _ variant: PageVariant,
        draw: @Sendable () async throws(DrawingError) -> PageDrawing
    ) async throws(DrawingError) -> PageDrawing {
        use(place)
        while var page = pages[place] {
            page.forgetUntrusted()
            pages[place] = page
            if let drawing = page.drawing(variant) { return drawing }
            let mayBeMade = page.underWay.contains(variant) || !page.underWay.isEmpty && page.hasAnnotations != true
            guard mayBeMade else { break }
            await withCheckedContinuation { pages[place]?.waiting.append($0) }
            use(place)
        }
        pages[place]?.underWay.insert(variant)
        do throws(DrawingError) {
            let drawing = try await draw()
            finish(place, variant) { page in
                page.drawings[variant] = drawing
                page.hasAnnotations = drawing.hasAnnotations
            }
            return drawing
        } catch {
            finish(place, variant) { _ in }
            throw error
        }
    }

    private func use(_ place: DocumentPage.Place) {
        if pages[place] == nil { pages[place] = Page() }
        order.removeAll { $0 == place }
        order.append(place)
    }

    private func finish(_ place: DocumentPage.Place, _ variant: PageVariant, _ change: (inout Page) -> Void) {
        if var page = pages[place] {
            change(&page)
            page.underWay.remove(variant)
            let waiting = page.waiting
            page.waiting = []
            pages[place] = page
            for one in waiting { one.resume() }
        }
        trim()
    }

    /// Forgets the pages that nobody draws, the least recently used first.
    private func trim() {
        var bytes = pages.values.reduce(0) { $0 + $1.bytes }
        for place in order where order.count > places || bytes > Self.mostBytes {
            guard let page = pages[place], page.underWay.isEmpty, page.waiting.isEmpty else { continue }
            bytes -= page.bytes
            pages[place] = nil
            order.removeAll { $0 == place }
        }
    }
}
