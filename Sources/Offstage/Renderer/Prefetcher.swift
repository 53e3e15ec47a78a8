import Synchronization

/// Which way a list is going.
public enum Travel: Sendable {
    /// To later rows.
    case forward
    /// To earlier rows.
    case backward
}

/// Has the rows of a list drawn before they come into sight.
///
/// It keeps no pictures: what it has drawn is found by whoever asks for the same next.
public final class Prefetcher: Sendable {
    private let renderer: Renderer
    private let lookAhead: Int
    private let group: String?
    private let thumbnail: PixelSize?
    private let request: @Sendable (String) -> (any DrawingRequest)?
    private let rows = Mutex(PrefetchedRows())

    /// - Parameters:
    ///   - renderer: draws and keeps the pictures.
    ///   - lookAhead: how many rows beyond the visible ones, on the side of travel, `prefetch(_:around:)` asks for; default
    ///     none. Fewer than the renderer's
    ///     `maximumWaiting`, where it has one, or the nearest of them are dropped for the farthest.
    ///   - group: of the requests, to cancel them with others; default nil.
    ///   - thumbnail: device px of a box that thumbnails of the rows are made for and kept, as `RenderOptions.thumbnail`;
    ///     default none.
    ///   - request: what to draw for an identifier; nil for a row that has no picture. Called on the thread that calls
    ///     `prefetch`, once for each time that a row comes into the range.
    public init(
        renderer: Renderer, lookAhead: Int = 0, group: String? = nil, thumbnail: PixelSize? = nil,
        request: @escaping @Sendable (String) -> (any DrawingRequest)?
    ) {
        precondition(lookAhead >= 0, "`lookAhead` has to be 0 or more")
        self.renderer = renderer
        self.lookAhead = lookAhead
        self.group = group
        self.thumbnail = thumbnail
        self.request = request
    }

    deinit { stop() }

    /// Asks for the visible rows at high priority, then for the next ones in the direction of travel at low priority, the
    /// nearest first. Rows that it asked for before and that are in neither part now are cancelled.
    ///
    /// It looks at no more rows than these, so a list of any length may be a lazy collection.
    ///
    /// - Parameters:
    ///   - identifiers: the whole list's, in its order.
    ///   - visible: which of them are in sight; what lies outside the list is ignored.
    ///   - travel: the direction in which the list moves; rows that come next are asked for.
    public func prefetch<Rows: RandomAccessCollection>(
        _ identifiers: Rows, around visible: Range<Int>, travel: Travel = .forward
    ) where Rows.Element == String, Rows.Index == Int {
        let visible = visible.clamped(to: identifiers.startIndex..<identifiers.endIndex)
        let ahead =
            switch travel {
            case .forward: Array(identifiers[visible.upperBound...].prefix(lookAhead))
            case .backward: Array(identifiers[..<visible.lowerBound].suffix(lookAhead).reversed())
            }
        prefetch(visible: identifiers[visible], ahead: ahead)
    }

    /// As the other, for a host that knows itself how far to look ahead: by screens, where rows differ in height.
    ///
    /// - Parameters:
    ///   - visible: asked for at high priority; none where the host asks for these itself.
    ///   - ahead: asked for at low priority, in this order.
    public func prefetch(visible: some Sequence<String>, ahead: some Sequence<String>) {
        let wanted = visible.map { ($0, RenderPriority.high) } + ahead.map { ($0, RenderPriority.low) }
        let (arriving, staying, leaving) = rows.withLock { $0.move(to: wanted) }
        for number in leaving { renderer.queue.cancel(request: number) }
        for (number, priority) in staying { renderer.queue.setPriority(priority, ofRequest: number) }
        for visit in arriving { ask(for: visit) }
    }

    /// Cancels all that it asked for.
    public func stop() { prefetch(visible: [], ahead: []) }

    /// Not under the lock: the request is the host's to make, and may be answered at once.
    private func ask(for visit: PrefetchedRows.Visit) {
        guard let request = request(visit.identifier) else { return }
        let options = RenderOptions(priority: visit.priority, group: group, thumbnail: thumbnail)
        let number = renderer.submit(request, options) { _ in }
        // The row may have moved meanwhile, if another thread says so or the host did while it made the request.
        guard let priority = rows.withLock({ $0.note(number, for: visit) }) else {
            return renderer.queue.cancel(request: number)
        }
        if priority != visit.priority { renderer.queue.setPriority(priority, ofRequest: number) }
    }
}
