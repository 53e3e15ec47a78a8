import Offstage
import OffstageWorkers

/// Draws PDF pages in jailed worker processes.
///
/// A thumbnail is drawn at its own small size, so even the largest page can have one. No process starts before the
/// first drawing.
public final class PageEngine: JailedEngine {
    let source: PageSource
    let workers: WorkerEngine<PageSource>
    let edits: EditSource
    /// Started by the first query about annotations.
    let editors: WorkerEngine<EditSource>
    private let running = RunningPages()
    public let capacity: Int

    /// Makes an engine.
    ///
    /// - Parameters:
    ///   - workers: the maximum number of concurrent drawings, each in its own process, at least 1. One more process is
    ///     kept in reserve.
    ///   - jail: the use of bubblewrap. Default `.wherePossible`.
    ///   - fresh: when a document gets a worker that has drawn nothing before. Default `.never`.
    public convenience init(
        workers: Int, jail: WorkerJail = .wherePossible, fresh: FreshWorkers = .never
    ) {
        self.init(PageSource(), workers: workers, jail: jail, fresh: fresh)
    }

    init(
        _ source: PageSource, workers: Int, jail: WorkerJail = .wherePossible, fresh: FreshWorkers = .never
    ) {
        self.source = source
        self.workers = WorkerEngine(source, workers: workers, jail: jail, fresh: fresh)
        edits = EditSource(pdfium: source.pdfium)
        editors = WorkerEngine(edits, workers: workers, jail: jail, fresh: fresh)
        capacity = self.workers.capacity
    }

    @MainActor public var restarts: Int { workers.restarts + editors.restarts }

    public func draw(_ request: DocumentPage) async throws(DrawingError) -> Drawing {
        // Check before waiting for a worker: an invalid request does not need one.
        let job = try source.job(for: request)
        let answer = try await running.run(request.place) { [workers, source] () async throws(DrawingError) in
            try await workers.value(of: job) { answer throws(DrawingError) in
                try source.drawing(from: answer, for: request)
            }
        }
        switch answer {
        case .success(let drawing): return drawing
        case .failure(let failure): throw source.error(for: failure, of: request)
        }
    }

    /// If all workers are drawing, or about to draw, ends the drawing of another page, so that this page can start at
    /// once with a spare worker. The other page's request fails with `.cancelled`.
    ///
    /// - Parameters:
    ///   - page: the page that is needed now.
    ///   - isWaiting: true until the page has its picture. Called on any thread.
    public func makeRoom(for page: DocumentPage, while isWaiting: @escaping @Sendable () -> Bool) {
        running.makeRoom(for: page.place, capacity: capacity, while: isWaiting)
    }

    public func fingerprint(of request: DocumentPage) -> Fingerprint? { source.fingerprint(of: request) }

    /// Returns the active protections, for `doctor`. Starts a worker if necessary, but draws nothing.
    ///
    /// - Returns: the protections of a worker.
    /// - Throws: the reason why no worker can start.
    public func protections() async throws(EngineUnavailable) -> WorkerProtections {
        // The worker program also starts without the library.
        if source.pdfium.library == nil { throw PDFium.missing }
        return try await workers.protections()
    }

    public func shutDown() async {
        await workers.shutDown()
        await editors.shutDown()
        source.documents.removeAll()
    }
}
