import Foundation
import Offstage
import Synchronization

/// Draws pages ahead of a reader, into a renderer's caches: in the overview, the first pages of each document, and in a
/// document, the visible page, the next ones and the previous one.
///
/// When a document is opened, all other requests are cancelled: the waiting ones, and a drawing in progress if it
/// occupies the last worker. A thumbnail is made from the page's picture, in memory or in the store.
public final class PageTurner: Sendable {
    private let renderer: Renderer
    private let engine: PageEngine?
    private let box: PixelSize
    private let request: @Sendable (PagePlan.Place, PageVariant) -> DocumentPage?
    private let state: Mutex<State>
    private let group = "page turner \(UUID().uuidString)"

    private struct Picture: Hashable {
        var place: PagePlan.Place
        var variant: PageVariant
    }

    private struct State {
        var tasks: [Picture: RenderTask<[RenderedPicture]>] = [:]
        /// The requests of the tasks, because a page may later be requested at another size.
        var keys: [Picture: DocumentPage.CoalescingKey] = [:]
        /// Draws thumbnails one at a time.
        var thumbnails: Task<Void, Never>?
        /// Incremented with each plan, so that a slow call for an older plan has no effect.
        var number = 0
        var pageCounts: [Int]
        var reach: PagePlan.Reach
    }

    /// Makes a page turner.
    ///
    /// - Parameters:
    ///   - renderer: draws and caches the pictures. Its engines include a `PageEngine`.
    ///   - pageCounts: the number of pages of each document in the set.
    ///   - thumbnail: the box of thumbnails, device px, at least 1 × 1. Default 256 × 256.
    ///   - reach: how far to look ahead. Default `PagePlan.Reach()`.
    ///   - request: returns the request for a page, never for a thumbnail, or nil to skip the page. Called on any
    ///     thread.
    public init(
        renderer: Renderer, pageCounts: [Int], thumbnail: PixelSize = PixelSize(width: 256, height: 256),
        reach: PagePlan.Reach = PagePlan.Reach(),
        request: @escaping @Sendable (PagePlan.Place, PageVariant) -> DocumentPage?
    ) {
        self.renderer = renderer
        engine = renderer.engine()
        state = Mutex(State(pageCounts: pageCounts, reach: reach))
        box = PixelSize(width: max(1, thumbnail.width), height: max(1, thumbnail.height))
        self.request = request
    }

    deinit { follow(PagePlan()) }

    private var reach: PagePlan.Reach { state.withLock { $0.reach } }

    /// The variants to draw of each page, in order. A change applies from the next call on.
    public var variants: [PageVariant] {
        get { reach.variants }
        set { state.withLock { $0.reach.variants = newValue } }
    }

    /// The request for a picture in the current plan; nil if the plan does not contain it.
    ///
    /// - Parameters:
    ///   - place: a page.
    ///   - variant: not a thumbnail.
    public func task(for place: PagePlan.Place, _ variant: PageVariant) -> RenderTask<[RenderedPicture]>? {
        state.withLock { $0.tasks[Picture(place: place, variant: variant)] }
    }

    /// Draws the first pages of each document, for a list of documents.
    ///
    /// - Parameter first: the first visible document, from 0. Default 0.
    public func showOverview(from first: Int = 0) { follow(.overview(of: pageCounts, from: first, reach: reach)) }

    /// The number of pages of each document in the set. A change applies from the next call on.
    public var pageCounts: [Int] {
        get { state.withLock { $0.pageCounts } }
        set { state.withLock { $0.pageCounts = newValue } }
    }

    /// Draws the visible pages of a document at once, then those around them. Cancels everything else. Call this when a
    /// document is opened, for each turn of a page, and for a jump.
    ///
    /// - Parameters:
    ///   - document: its index in the set.
    ///   - pages: the visible pages, from 1: one, or two side by side.
    ///   - travel: the direction of reading. Default forward.
    /// - Returns: the drawings of the existing visible pages, in order, each in the first variant of the reach.
    @discardableResult
    public func show(
        document: Int, pages: ClosedRange<Int>, travel: Travel = .forward
    ) -> [RenderTask<[RenderedPicture]>] {
        let pageCounts = pageCounts
        guard pageCounts.indices.contains(document) else {
            follow(PagePlan())
            return []
        }
        let reach = reach
        let plan = PagePlan.reading(
            document, visible: pages, pageCounts: pageCounts, travel: travel, reach: reach)
        let tasks = follow(plan)
        return plan.steps.filter { $0.priority == .veryHigh && $0.variant == reach.variants.first }
            .compactMap { tasks[Picture(place: $0.place, variant: $0.variant)] }
    }

    /// Cancels everything.
    public func stop() { follow(PagePlan()) }

    /// - Returns: the requests of the plan.
    @discardableResult
    private func follow(_ plan: PagePlan) -> [Picture: RenderTask<[RenderedPicture]>] {
        let full = plan.steps.filter { $0.variant != .thumbnail }
        let wanted = Dictionary(
            full.map { (Picture(place: $0.place, variant: $0.variant), $0.priority) }
        ) { first, _ in first }
        let (number, old) = state.withLock { state in
            state.number += 1
            let old = state.tasks.filter { wanted[$0.key] == nil && !$0.value.isOver }
            // A finished request is made again: its picture is in a cache, unless it failed or was evicted.
            state.tasks = state.tasks.filter { wanted[$0.key] != nil && !$0.value.isOver }
            state.keys = state.keys.filter { state.tasks[$0.key] != nil }
            state.thumbnails?.cancel()
            state.thumbnails = nil
            return (state.number, old)
        }
        let requests = full.compactMap { step in request(step.place, step.variant).map { (step, $0) } }
        // Only the visible pages are submitted here, because this may be the host's main thread.
        for (step, page) in requests where step.priority == .veryHigh { submit(step, page, number) }
        renderer.cancel(old.values)
        // Do this after the cancellations. Otherwise, another waiting page would start in the freed slot.
        if let (step, page) = requests.first, step.priority == .veryHigh,
            let task = task(for: step.place, step.variant)
        {
            engine?.makeRoom(for: page) { [weak task] in task?.isOver == false }
        }
        let ahead = requests.filter { $0.0.priority != .veryHigh }
        let thumbnails = plan.steps.filter { $0.variant == .thumbnail }.map(\.place)
        let task: Task<Void, Never>? =
            thumbnails.isEmpty && ahead.isEmpty
            ? nil
            : Task { [weak self] in
                for (step, page) in ahead { self?.submit(step, page, number) }
                _ = await self?.makeThumbnails(of: thumbnails)
            }
        return state.withLock { state in
            if state.number == number { state.thumbnails = task } else { task?.cancel() }
            return state.tasks
        }
    }

    private func submit(_ step: PagePlan.Step, _ page: DocumentPage, _ number: Int) {
        let picture = Picture(place: step.place, variant: step.variant)
        let (old, isSame) = state.withLock { ($0.tasks[picture], $0.keys[picture] == page.coalescingKey) }
        if let old {
            if isSame { return old.setPriority(step.priority) }
            old.cancel()
        }
        let options = RenderOptions(priority: step.priority, group: group, thumbnail: box)
        let task = renderer.task(for: page, options: options)
        let isLate = state.withLock { state in
            if state.number != number { return true }
            state.tasks[picture] = task
            state.keys[picture] = page.coalescingKey
            return false
        }
        if isLate { task.cancel() }
    }

    /// Makes thumbnails, from the pages' pictures if they are cached.
    private func makeThumbnails(of places: [PagePlan.Place]) async {
        let options = RenderOptions(priority: .veryLow, group: group)
        for place in places {
            if Task.isCancelled { return }
            guard let page = request(place, reach.variants.first ?? .annotated) else { continue }
            _ = try? await renderer.thumbnail(for: page, fittingInto: box, options: options)
        }
    }
}
