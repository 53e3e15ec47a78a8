import Offstage
import OffstageLists

/// Requests the pictures of items that will be seen and have no slot yet, and prepares items that are not ready.
@MainActor
final class LookAhead {
    /// The items in the order in which to draw them.
    private var entries: [SightPlan.Entry] = []
    private let source: any ListSource
    private let request: (Int) -> (any DrawingRequest)?
    private let becameReady: () -> Void
    private var prefetcher: Prefetcher?
    /// The items passed to the prefetcher, by identifier.
    private var itemsAhead: [String: Int] = [:]
    /// Prepares items one at a time.
    private var readying: Task<Void, Never>?

    /// - Parameters:
    ///   - request: the request for an item's picture.
    ///   - becameReady: called when an item that was not ready has been prepared.
    init(
        renderer: Renderer, source: any ListSource, options: PictureSlots.Options,
        request: @escaping (Int) -> (any DrawingRequest)?, becameReady: @escaping () -> Void
    ) {
        self.source = source
        self.request = request
        self.becameReady = becameReady
        prefetcher = Prefetcher(renderer: renderer, group: options.group, thumbnail: options.thumbnail) {
            [weak self] identifier in
            MainActor.assumeIsolated { self?.request(ahead: identifier) }
        }
    }

    /// Requests items. Cancels earlier requests for other items.
    func request(_ entries: [SightPlan.Entry]) {
        guard let prefetcher else { return }
        self.entries = entries
        itemsAhead = [:]
        var wanted: [(identifier: String, priority: RenderPriority)] = []
        for entry in entries where source.isReady(at: entry.item) {
            let identifier = source.identifier(at: entry.item)
            wanted.append((identifier, entry.priority))
            itemsAhead[identifier] = entry.item
        }
        prefetcher.prefetch(wanted)
        makeReady()
    }

    private func request(ahead identifier: String) -> (any DrawingRequest)? { itemsAhead[identifier].flatMap(request) }

    /// Prepares items one at a time, so that each is requested as soon as it is ready.
    private func makeReady() {
        guard readying == nil, nextUnready != nil else { return }
        readying = Task { [weak self, source] in
            while let item = self?.nextUnready {
                let identifier = source.identifier(at: item)
                await source.makeReady(at: item)
                if Task.isCancelled { return }
                self?.becameReady()
                // If an item was ready and has become unready again, stop: retrying might never end. The item may have
                // another number by now.
                guard self != nil, item < source.rowCount, source.identifier(at: item) == identifier else { break }
                if !source.isReady(at: item) { break }
            }
            self?.readying = nil
        }
    }

    private var nextUnready: Int? {
        entries.lazy.map(\.item).first { $0 < self.source.rowCount && !self.source.isReady(at: $0) }
    }

    /// Cancels all requests.
    func cancel() { prefetcher?.stop() }

    /// Cancels all requests, and makes no more.
    func close() {
        prefetcher?.stop()
        prefetcher = nil
        readying?.cancel()
        readying = nil
    }
}
