import Offstage
import OffstageWorkers

/// Draws PDF pages in jailed worker processes.
///
/// A page without annotations is drawn once for its plain and its annotated picture, and a thumbnail is scaled from the page's
/// picture: the engine keeps its last drawings for a request of another variant. Nothing starts before the first drawing.
public final class PageEngine: JailedEngine {
    let source: PageSource
    let workers: WorkerEngine<PageSource>
    let edits: EditSource
    /// Start with the first question about annotations.
    let editors: WorkerEngine<EditSource>
    private let recent: RecentPages
    private let running = RunningPages()
    public let capacity: Int

    /// Makes an engine.
    ///
    /// - Parameters:
    ///   - workers: the most drawings at a time, each in its own process, at least 1. One more process is kept in reserve.
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
        recent = RecentPages(places: capacity + 4)
    }

    @MainActor public var restarts: Int { workers.restarts + editors.restarts }

    public func draw(_ request: DocumentPage) async throws(DrawingError) -> Drawing {
        if request.variant != .thumbnail { return try await page(request).drawing }
        var full = request
        full.variant = .annotated
        return try await page(full).drawing.reduced(to: request)
    }

    private func page(_ request: DocumentPage) async throws(DrawingError) -> PageDrawing {
        // Before the place, which has no meaning for a wrong request.
        let job = try source.job(for: request)
        return try await recent.drawing(of: request.place, request.variant) { () async throws(DrawingError) in
            let answer = try await running.run(request.place) { [workers] () async throws(DrawingError) in
                try await workers.value(of: job) { answer throws(DrawingError) in try PageDrawing(answer, for: request)
                }
            }
            switch answer {
            case .success(let drawing): return drawing
            case .failure(let failure): throw source.error(for: failure, of: request)
            }
        }
    }

    /// Ends a drawing of another page if all workers have one, so that this page's can begin at once: a spare worker is ready.
    /// The request of the other page fails with `.cancelled`.
    ///
    /// - Parameter page: that somebody waits for.
    public func makeRoom(for page: DocumentPage) { running.makeRoom(for: page.place, capacity: capacity) }

    public func fingerprint(of request: DocumentPage) -> Fingerprint? { source.fingerprint(of: request) }

    /// The protections in force, for `doctor`. Starts a worker if necessary, and no drawing.
    ///
    /// - Returns: the protections of a worker.
    /// - Throws: the reason for which no worker can start here.
    public func protections() async throws(EngineUnavailable) -> WorkerProtections {
        // The worker program starts without the library, too.
        if source.pdfium.library == nil { throw PDFium.missing }
        return try await workers.protections()
    }

    public func shutDown() async {
        await workers.shutDown()
        await editors.shutDown()
        source.documents.removeAll()
    }
}

extension Drawing {
    /// A thumbnail, with links and places at its own size.
    fileprivate func reduced(to request: DocumentPage) -> Drawing {
        guard let full = pixmaps.first else { return self }
        func pixels(_ side: Int) -> Int { max(1, Int((Double(side) * request.scale).rounded())) }
        let box = PixelSize(width: pixels(request.thumbnail.width), height: pixels(request.thumbnail.height))
        let small = full.fitted(into: box)
        var drawing = Drawing(pixmaps: [small], scale: scale, background: background, warnings: warnings)
        let (x, y) = (
            Double(small.size.width) / Double(full.size.width), Double(small.size.height) / Double(full.size.height)
        )
        drawing.contents = contents.map { $0.stretched(x, y) }
        drawing.trust = trust
        return drawing
    }
}

extension PictureContent {
    fileprivate func stretched(_ x: Double, _ y: Double) -> PictureContent {
        var content = self
        for index in content.areas.indices {
            content.areas[index].x *= x
            content.areas[index].width *= x
            content.areas[index].y *= y
            content.areas[index].height *= y
        }
        return content
    }
}
