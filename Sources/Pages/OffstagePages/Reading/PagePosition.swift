/// A reader's position in a set of documents.
public struct PagePosition: Sendable, Hashable {
    /// From 0.
    public var document: Int
    /// The first visible page, from 1.
    public var page: Int
    /// True after a half-page turn. The upper half of the next page is above the lower half of this one.
    public var isHalf = false

    /// Makes a position.
    ///
    /// - Parameters:
    ///   - document: its index in the set. Default 0.
    ///   - page: from 1. Default 1.
    public init(document: Int = 0, page: Int = 1) { (self.document, self.page) = (document, page) }
}

/// The number of pages that a reader sees at a time.
public enum PageSpread: String, Sendable, Hashable, CaseIterable {
    /// One.
    case single
    /// Two side by side: 1 and 2, 3 and 4.
    case double
    /// Two side by side, as in a bound book: the first page alone, then 2 and 3, 4 and 5.
    case book

    /// The first page of the spread that shows a page.
    package func first(of page: Int) -> Int {
        switch self {
        case .single: page
        case .double: page - (page + 1) % 2
        case .book: page < 2 ? page : page - page % 2
        }
    }

    /// The last page of the spread that begins with a page.
    fileprivate func last(from first: Int) -> Int {
        switch self {
        case .single: first
        case .double: first + 1
        case .book: first < 2 ? first : first + 1
        }
    }
}

/// Movement through a set of documents. It draws nothing.
package struct PageMovement: Sendable {
    package var pageCounts: [Int]
    package var spread: PageSpread
    /// True: each turn advances by half a page.
    package var turnsHalves: Bool
    /// True: the last page of a document is followed by the first page of the next one.
    package var crossesDocuments: Bool

    package init(pageCounts: [Int], spread: PageSpread, turnsHalves: Bool, crossesDocuments: Bool) {
        (self.pageCounts, self.spread) = (pageCounts, spread)
        (self.turnsHalves, self.crossesDocuments) = (turnsHalves, crossesDocuments)
    }

    private func count(_ document: Int) -> Int { pageCounts.indices.contains(document) ? pageCounts[document] : 0 }

    /// The nearest existing position; nil if there are no pages at all.
    package func clamped(_ position: PagePosition) -> PagePosition? {
        let withPages = pageCounts.indices.filter { pageCounts[$0] > 0 }
        let document = withPages.min {
            abs($0.distance(to: position.document)) < abs($1.distance(to: position.document))
        }
        guard let document else { return nil }
        let page = min(max(position.page, 1), count(document))
        var clamped = PagePosition(document: document, page: spread.first(of: page))
        clamped.isHalf = position.isHalf && turnsHalves && spread == .single && page < count(document)
        return clamped
    }

    /// The visible pages at an existing position.
    package func visible(_ position: PagePosition) -> ClosedRange<Int> {
        let last = position.isHalf ? position.page + 1 : spread.last(from: position.page)
        return position.page...max(position.page, min(last, count(position.document)))
    }

    /// The position after one turn forward; nil at the end.
    package func next(_ position: PagePosition) -> PagePosition? {
        var next = position
        if turnsHalves, spread == .single, !position.isHalf, position.page < count(position.document) {
            next.isHalf = true
            return next
        }
        next.isHalf = false
        next.page = spread.last(from: position.page) + 1
        if next.page <= count(position.document) { return next }
        guard crossesDocuments,
            let document = (position.document + 1..<max(position.document + 1, pageCounts.count))
                .first(where: { count($0) > 0 })
        else { return nil }
        return PagePosition(document: document)
    }

    /// The position after one turn back; nil at the beginning.
    package func previous(_ position: PagePosition) -> PagePosition? {
        var previous = position
        if position.isHalf {
            previous.isHalf = false
            return previous
        }
        if position.page > 1 {
            previous.page = spread.first(of: position.page - 1)
            previous.isHalf = turnsHalves && spread == .single
            return previous
        }
        guard crossesDocuments, let document = (0..<max(0, position.document)).last(where: { count($0) > 0 }) else {
            return nil
        }
        return PagePosition(document: document, page: spread.first(of: count(document)))
    }
}
