import Offstage

/// Plans the pages to draw ahead of a reader, in order. It draws nothing itself.
public struct PagePlan: Sendable, Hashable {
    /// A page of a set of documents.
    public struct Place: Sendable, Hashable {
        /// From 0.
        public var document: Int
        /// From 1.
        public var page: Int

        /// Makes a page reference.
        ///
        /// - Parameters:
        ///   - document: its index in the set.
        ///   - page: from 1.
        public init(document: Int, page: Int) {
            self.document = document
            self.page = page
        }
    }

    /// A picture to draw.
    public struct Step: Sendable, Hashable {
        public var place: Place
        public var variant: PageVariant
        /// Steps of equal priority run in order.
        public var priority: RenderPriority
    }

    /// The pictures in the order in which they are needed, each once.
    public private(set) var steps: [Step] = []

    /// The number of pages to look ahead.
    public struct Reach: Sendable, Hashable {
        /// The pages of each document that the overview draws. Default 3.
        public var overview = 3
        /// The number of pages to draw after the visible ones, in reading direction. Default 2.
        public var ahead = 2
        /// The number of pages to draw on the other side. Default 1.
        public var behind = 1
        /// True: after the last page of a document, the first pages of the next document are drawn ahead. Default
        /// false.
        public var crossesDocuments = false
        /// The number of thumbnails to draw on each side of the visible pages. Default 20.
        public var thumbnails = 20
        /// The variants to draw of each page, in order. Thumbnails follow all of them. Default only the annotated one.
        public var variants = [PageVariant.annotated]

        /// The default reach.
        public init() {}
    }

    /// The plan for a list of documents: the first page of each document, from the first visible one on, then the
    /// second pages and so on; their thumbnails last.
    ///
    /// - Parameters:
    ///   - pageCounts: the pages of each document; a document without pages is left out.
    ///   - first: the first visible document, from 0. Default 0. Earlier documents come last.
    ///   - reach: how far to look ahead. Default `Reach()`.
    /// - Returns: the plan; everything in it has a low priority.
    public static func overview(of pageCounts: [Int], from first: Int = 0, reach: Reach = Reach()) -> PagePlan {
        let first = min(max(0, first), pageCounts.count)
        let order = Array(first..<pageCounts.count) + Array(0..<first)
        var places: [Place] = []
        for page in 1...max(1, reach.overview) where reach.overview > 0 {
            for document in order where page <= pageCounts[document] {
                places.append(Place(document: document, page: page))
            }
        }
        var plan = PagePlan()
        plan.add(places, reach.fullVariants, .low)
        plan.add(places, [.thumbnail], .veryLow)
        return plan
    }

    /// The plan for reading a document: the visible pages, the next ones, the one before, and thumbnails, the nearest
    /// first.
    ///
    /// - Parameters:
    ///   - document: its index in the set.
    ///   - visible: the visible pages, from 1: one, or two side by side. Pages that do not exist are left out.
    ///   - pageCount: the number of the document's pages.
    ///   - travel: the direction of reading. Default forward.
    ///   - reach: how far to look ahead. Default `Reach()`.
    /// - Returns: the plan.
    public static func reading(
        _ document: Int, visible: ClosedRange<Int>, pageCount: Int, travel: Travel = .forward, reach: Reach = Reach()
    ) -> PagePlan {
        func places(_ pages: some Sequence<Int>) -> [Place] {
            pages.lazy.filter { (1...max(1, pageCount)).contains($0) && pageCount > 0 }
                .map { Place(document: document, page: $0) }
        }
        // Page numbers can be anything, so drop distant ones before counting.
        let (low, high) = (max(visible.lowerBound, 0), min(visible.upperBound, pageCount + 1))
        guard low <= high else { return PagePlan() }
        func after(_ count: Int) -> [Int] { (0..<max(0, count)).map { high + 1 + $0 } }
        func before(_ count: Int) -> [Int] { (0..<max(0, count)).map { low - 1 - $0 } }
        var plan = PagePlan()
        plan.add(places(low...high), reach.fullVariants, .veryHigh)
        switch travel {
        case .forward:
            plan.add(places(after(reach.ahead)), reach.fullVariants, .high)
            plan.add(places(before(reach.behind)), reach.fullVariants, .normal)
        case .backward:
            plan.add(places(before(reach.ahead)), reach.fullVariants, .high)
            plan.add(places(after(reach.behind)), reach.fullVariants, .normal)
        }
        let sides = zip(after(reach.thumbnails), before(reach.thumbnails)).flatMap { [$0, $1] }
        plan.add(places(Array(low...high) + sides), [.thumbnail], .veryLow)
        return plan
    }

    /// The plan for reading a document of a set. With `crossesDocuments`, it includes the beginning of the next
    /// document and the end of the previous one.
    ///
    /// - Parameters:
    ///   - document: its index in the set.
    ///   - visible: the visible pages, from 1.
    ///   - pageCounts: the number of pages of each document.
    ///   - travel: the direction of reading. Default forward.
    ///   - reach: how far to look ahead. Default `Reach()`.
    /// - Returns: the plan.
    public static func reading(
        _ document: Int, visible: ClosedRange<Int>, pageCounts: [Int], travel: Travel = .forward, reach: Reach = Reach()
    ) -> PagePlan {
        guard pageCounts.indices.contains(document) else { return PagePlan() }
        let count = pageCounts[document]
        var plan = reading(document, visible: visible, pageCount: count, travel: travel, reach: reach)
        guard reach.crossesDocuments else { return plan }
        let (ahead, behind) = travel == .forward ? (reach.ahead, reach.behind) : (reach.behind, reach.ahead)
        let after = min(visible.upperBound, count) + max(0, ahead) - count
        if after > 0,
            let next = (document + 1..<max(document + 1, pageCounts.count)).first(where: { pageCounts[$0] > 0 })
        {
            plan.insert(
                (1...min(after, pageCounts[next])).map { Place(document: next, page: $0) }, reach,
                travel == .forward ? .high : .normal)
        }
        let before = max(0, behind) - max(visible.lowerBound, 1) + 1
        if before > 0, let previous = (0..<document).last(where: { pageCounts[$0] > 0 }) {
            let last = pageCounts[previous]
            plan.insert(
                (0..<min(before, last)).map { Place(document: previous, page: last - $0) }, reach,
                travel == .backward ? .high : .normal)
        }
        return plan
    }

    /// Adds pages of another document after the steps of the same priority.
    private mutating func insert(_ places: [Place], _ reach: Reach, _ priority: RenderPriority) {
        var added = PagePlan()
        added.add(places, reach.fullVariants, priority)
        let place = steps.firstIndex { $0.priority < priority } ?? steps.endIndex
        steps.insert(contentsOf: added.steps, at: place)
        add(places, [.thumbnail], .veryLow)
    }

    private mutating func add(_ places: [Place], _ variants: [PageVariant], _ priority: RenderPriority) {
        for place in places {
            for variant in variants { steps.append(Step(place: place, variant: variant, priority: priority)) }
        }
    }
}

extension PagePlan.Reach {
    /// The variants other than thumbnails, which are planned separately.
    fileprivate var fullVariants: [PageVariant] { variants.filter { $0 != .thumbnail } }
}
