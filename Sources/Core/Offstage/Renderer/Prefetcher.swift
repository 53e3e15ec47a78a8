import Synchronization

/// The direction in which a list moves.
public enum Travel: Sendable {
    /// To later rows.
    case forward
    /// To earlier rows.
    case backward
}

/// Requests the pictures of a list's rows before they are visible.
///
/// The pictures go into the renderer's cache, where the next request for the same row finds them.
public final class Prefetcher: Sendable {
    private let renderer: Renderer
    private let lookAhead: Int
    private let group: String?
    private let thumbnail: PixelSize?
    private let request: @Sendable (String) -> (any DrawingRequest)?
    private let rows = Mutex(PrefetchedRows())

    /// - Parameters:
    ///   - renderer: draws and caches the pictures.
    ///   - lookAhead: the number of rows beyond the visible ones, in the direction of travel, that
    ///     `prefetch(_:around:)` requests; default none. Use fewer than the renderer's `maximumWaiting`, or the
    ///     farthest rows displace the nearest from the queue.
    ///   - group: the group of the requests, to cancel them with others; default nil.
    ///   - thumbnail: a box in device px for thumbnails of the rows, which are cached too, as in `RenderOptions.thumbnail`;
    ///     default none.
    ///   - request: the request for an identifier; nil for a row without a picture. Called on the thread that calls
    ///     `prefetch`, each time a row enters the range.
    public init(
        renderer: Renderer, lookAhead: Int = 0, group: String? = nil, thumbnail: PixelSize? = nil,
        request: @escaping @Sendable (String) -> (any DrawingRequest)?
    ) {
        precondition(lookAhead >= 0, "`lookAhead` must be 0 or more")
        self.renderer = renderer
        self.lookAhead = lookAhead
        self.group = group
        self.thumbnail = thumbnail
        self.request = request
    }

    deinit { stop() }

    /// Requests the visible rows at high priority, then the next rows in the direction of travel at low priority, the nearest
    /// first. Cancels its requests for all other rows.
    ///
    /// It reads only these identifiers, so a list of any length may be a lazy collection.
    ///
    /// - Parameters:
    ///   - identifiers: the identifiers of the whole list, in order.
    ///   - visible: the visible rows. Indices outside the list are ignored.
    ///   - travel: the direction in which the list moves.
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

    /// Requests rows that the host selects, for example whole screens if rows differ in height. Cancels its requests
    /// for all other rows.
    ///
    /// - Parameters:
    ///   - visible: requested at high priority; empty if the host requests these rows itself.
    ///   - ahead: requested at low priority, in this order.
    public func prefetch(visible: some Sequence<String>, ahead: some Sequence<String>) {
        prefetch(visible.map { ($0, RenderPriority.high) } + ahead.map { ($0, RenderPriority.low) })
    }

    /// Requests rows in an order, each at its priority. Cancels its requests for all other rows.
    package func prefetch(_ wanted: [(identifier: String, priority: RenderPriority)]) {
        let (arriving, staying, leaving) = rows.withLock { $0.move(to: wanted) }
        if !leaving.isEmpty { renderer.queue.cancel(requests: leaving) }
        for (number, priority) in staying { renderer.queue.setPriority(priority, ofRequest: number) }
        for visit in arriving { ask(for: visit) }
    }

    /// Cancels all its requests.
    public func stop() { prefetch(visible: [], ahead: []) }

    /// Call it without the lock: the host makes the request, which may be answered immediately.
    private func ask(for visit: PrefetchedRows.Visit) {
        guard let request = request(visit.identifier) else { return }
        let options = RenderOptions(priority: visit.priority, group: group, thumbnail: thumbnail)
        let number = renderer.submit(request, options) { _ in }
        // Another thread, or the host while it made the request, may have moved the row meanwhile.
        guard let priority = rows.withLock({ $0.note(number, for: visit) }) else {
            return renderer.queue.cancel(requests: [number])
        }
        if priority != visit.priority { renderer.queue.setPriority(priority, ofRequest: number) }
    }
}
