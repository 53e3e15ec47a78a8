import Offstage

/// The items that will be seen, in the order in which to draw them.
package struct SightPlan: Equatable {
    package struct Entry: Equatable {
        package var item: Int
        package var priority: RenderPriority
    }

    /// Contains each item once. An item that leaves the screen before it could be drawn is left out.
    package private(set) var entries: [Entry] = []

    package init() {}

    /// The time from a request to its picture, in seconds. An item that leaves the screen sooner is not worth drawing.
    private static let latency = 0.04
    /// The points in time that the plan considers, seconds.
    private static let times = [latency, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1]
    /// Above this speed, in screens per second, an item is visible for fewer than two frames.
    private static let fastest = 40.0

    /// - Parameters:
    ///   - top: the top of the screen in the layout, px.
    ///   - height: the height of the screen, px.
    ///   - screens: the number of screens to look ahead beyond the end of the movement.
    package init(
        _ layout: some VerticalLayout, _ forecast: ScrollForecast, top: Double, height: Int, travel: Travel,
        screens: Double
    ) {
        var known: Set<Int> = []
        func add(_ items: some Sequence<Int>, _ priority: RenderPriority) {
            for item in items where known.insert(item).inserted {
                entries.append(Entry(item: item, priority: priority))
            }
        }
        func inOrder(_ items: Range<Int>) -> [Int] { travel == .forward ? Array(items) : items.reversed() }
        let page = Double(height)
        var (end, previous) = (top, Double?.none)
        for time in Self.times where abs(forecast.velocity(after: time)) <= Self.fastest * page {
            end = min(max(top + forecast.distance(in: time), 0), Double(max(0, layout.total - height)))
            let way = min(previous ?? end, end)...max(previous ?? end, end)
            let seen = layout.items(from: Int(way.lowerBound), to: Int(way.upperBound.rounded(.up)) + height)
            previous = end
            add(inOrder(seen), time <= 0.1 ? .high : time <= 0.3 ? .normal : .low)
            if end == top { break }
        }
        let last = ListWindow(layout, top: Int(end), height: height, travel: travel, screens: screens)
        // At rest, keep one slot free for the next movement, which may be a jump.
        let priority = end == top ? RenderPriority.veryLow : .low
        add(inOrder(last.near), priority)
        add(last.aheadInOrder, priority)
    }
}
