import COffstageInk
import Foundation
import Offstage
import OffstageImages
import OffstagePages
import OffstageWorkers

/// Draws pages of ink in jailed worker processes. Nothing starts before the first drawing.
///
/// If the background is a PDF page or an image, that source's engine draws it below the ink. `OverlaidRequest` draws a
/// page of ink over a picture of any other source.
public final class InkEngine: OverlayEngine, JailedEngine {
    let source: InkSource
    let workers: WorkerEngine<InkSource>
    let backgrounds: InkBackgrounds
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
        let backgrounds = InkBackgrounds(workers: workers, jail: jail, fresh: fresh)
        self.init(InkSource(), backgrounds, workers: workers, jail: jail, fresh: fresh)
    }

    init(
        _ source: InkSource, _ backgrounds: InkBackgrounds, workers: Int, jail: WorkerJail = .wherePossible,
        fresh: FreshWorkers = .never
    ) {
        self.source = source
        self.backgrounds = backgrounds
        self.workers = WorkerEngine(source, workers: workers, jail: jail, fresh: fresh)
        capacity = self.workers.capacity
    }

    @MainActor public var restarts: Int { workers.restarts }

    public func draw(_ request: InkDrawing) async throws(DrawingError) -> Drawing {
        guard request.content == .thumbnail else { return try await drawPage(request) }
        // Drawn at the size of the box, so that thin lines stay thin.
        var small = request
        small.content = .annotated
        small.fit = request.thumbnail
        small.clip = nil
        return try await drawPage(small)
    }

    private func drawPage(_ request: InkDrawing) async throws(DrawingError) -> Drawing {
        let first = try await value(of: source.job(for: request), request) {
            [source] answer throws(DrawingError) -> FirstAnswer in
            if answer.pixmap != nil { return .drawing(try source.drawing(from: answer, for: request)) }
            guard let report = InkReport(answer.report), let page = report.pages.first?.page else {
                throw .untrueAnswer("the worker sent neither a picture nor a page")
            }
            return .needsOthers(page, hasImages: report.needsImages, answer.trust)
        }
        switch first {
        case .drawing(let drawing): return drawing
        case .needsOthers(let page, let hasImages, let trust):
            let isAlone = request.content == .ink
            let background = isAlone ? InkBackgroundDrawing() : try await self.background(of: page, request)
            let hasPictures = hasImages && request.content != .plain
            let images = hasPictures ? try await pictures(of: request, pixels: page.pixels(request)) : InkPictures()
            var drawing = try await draw(
                source.job(for: request, backdrop: background.pixmap, pictures: images.pictures, draws: true), request)
            drawing.warnings += background.warnings
            drawing.dependencies = background.dependencies
            drawing.trust += background.trust + images.trust + [trust]
            return drawing
        }
    }

    private enum FirstAnswer {
        case drawing(Drawing)
        /// The page's background or images on it are files in other formats, which other engines draw.
        case needsOthers(InkPage, hasImages: Bool, DrawingTrust)
    }

    /// Draws a job.
    func draw(_ job: WorkerJob, _ request: InkDrawing) async throws(DrawingError) -> Drawing {
        try await value(of: job, request) { [source] answer throws(DrawingError) in
            try source.drawing(from: answer, for: request)
        }
    }

    /// Draws ink over pictures of any type. Each picture is as wide as the ink's page; the second picture gets the
    /// second page. A picture without a matching page is unchanged.
    public func draw(_ request: InkDrawing, over drawing: Drawing) async throws(DrawingError) -> Drawing {
        var (request, drawing) = (request, drawing)
        (request.fit, request.clip) = (nil, nil)
        for (index, picture) in drawing.pictures.enumerated() where request.content != .plain {
            guard case .pixels(let pixmap) = picture else {
                throw .invalidRequest("ink over another picture can only be pixels; use a format such as PNG")
            }
            switch try await draw(request, over: pixmap) {
            case .success(let ink):
                drawing.pictures[index] = ink.pictures[0]
                drawing.trust += ink.trust
                for warning in ink.warnings where !drawing.warnings.contains(warning) {
                    drawing.warnings.append(warning)
                }
            case .failure(let failure) where failure.code == OFFSTAGE_INK_NO_PAGE.rawValue: break
            case .failure(let failure): throw InkFailure.above(source.error(for: failure, of: request))
            }
            request.page += 1
        }
        return drawing
    }

    /// Draws ink over one picture.
    private func draw(
        _ request: InkDrawing, over pixmap: Pixmap
    ) async throws(DrawingError) -> Result<Drawing, WorkerFailure> {
        let first = try await workers.value(
            of: source.job(for: request, backdrop: pixmap, draws: false, stretches: true)
        ) { [source] answer throws(DrawingError) -> FirstAnswer in
            if answer.pixmap != nil { return .drawing(try source.drawing(from: answer, for: request)) }
            guard let page = InkReport(answer.report)?.pages.first?.page else {
                throw .untrueAnswer("the worker sent neither a picture nor a page")
            }
            return .needsOthers(page, hasImages: true, answer.trust)
        }
        switch first {
        case .failure(let failure): return .failure(failure)
        case .success(.drawing(let drawing)): return .success(drawing)
        case .success(.needsOthers(let page, _, let trust)):
            let pixels = Double(pixmap.size.width) / Double(page.width)
            let images = try await pictures(of: request, pixels: pixels)
            let job = try source.job(
                for: request, backdrop: pixmap, pictures: images.pictures, draws: true, stretches: true)
            let result = try await workers.value(of: job) { [source] answer throws(DrawingError) in
                try source.drawing(from: answer, for: request)
            }
            return result.map { drawing in
                var drawing = drawing
                drawing.trust += images.trust + [trust]
                return drawing
            }
        }
    }

    private func background(of page: InkPage, _ request: InkDrawing) async throws(DrawingError) -> InkBackgroundDrawing
    {
        let file: InkFileReference
        switch page.background {
        case .paper: return InkBackgroundDrawing()
        case .document(let reference, _), .image(let reference): file = reference
        }
        var found = InkBackgroundDrawing()
        let attached = try await attachment(request)
        var data = attached?.data
        if data == nil {
            (data, found) = request.document.backgroundFile(file, limit: request.limits.budget.documentBytes)
        }
        guard let data else { return found }
        let drawing = try await backgrounds.draw(data, under: page, request)
        found.pixmap = drawing.pixmap
        found.trust = drawing.trust + (attached.map { [$0.trust] } ?? [])
        found.warnings += drawing.warnings
        return found
    }

    /// The file inside the document; nil if the document is not a container, or lacks the file.
    private func attachment(
        _ request: InkDrawing
    ) async throws(DrawingError) -> (data: Data, trust: DrawingTrust)? {
        var options = offstage_ink_options()
        options.page = UInt32(clamping: request.page - 1)
        var job = try source.job(OFFSTAGE_INK_ATTACHMENT, options, request.document, request.limits)
        job.budget.pixels = request.document.mostAttachmentPixels(request.limits)
        let result = try await workers.value(of: job) { answer throws(DrawingError) in
            (data: try answer.bytes(), trust: answer.trust)
        }
        switch result {
        case .success(let attachment): return attachment
        case .failure(let failure) where failure.code == OFFSTAGE_INK_NO_ATTACHMENT.rawValue: return nil
        case .failure(let failure): throw InkFailure.error(for: failure, page: request.page)
        }
    }

    private func value<Value: Sendable>(
        of job: WorkerJob, _ request: InkDrawing,
        _ make: @escaping @Sendable (WorkerAnswer) throws(DrawingError) -> Value
    ) async throws(DrawingError) -> Value {
        switch try await workers.value(of: job, make) {
        case .success(let value): return value
        case .failure(let failure): throw source.error(for: failure, of: request)
        }
    }

    public func fingerprint(of request: InkDrawing) -> Fingerprint? { source.fingerprint(of: request) }

    public func digest(of path: String, for request: InkDrawing) async -> Digest? {
        request.document.digest(ofBackground: path)
    }

    /// The active protections, for `doctor`. Starts a worker if necessary, but no drawing.
    ///
    /// - Returns: the protections of a worker.
    /// - Throws: the reason why no worker can start.
    public func protections() async throws(EngineUnavailable) -> WorkerProtections { try await workers.protections() }

    public func shutDown() async {
        await workers.shutDown()
        await backgrounds.shutDown()
    }
}

extension WorkerAnswer {
    /// The bytes sent instead of a picture, which follow their count. Untrusted.
    func bytes() throws(DrawingError) -> Data {
        guard let pixmap else { throw .untrueAnswer("the worker sent no file") }
        var data = Data(capacity: 4 * pixmap.size.width * pixmap.size.height)
        for y in 0..<pixmap.size.height { pixmap.withRow(y) { data.append(contentsOf: $0) } }
        guard let count = data.head(UInt64.self), count <= UInt64(data.count - MemoryLayout<UInt64>.size) else {
            throw .untrueAnswer("the worker sent a truncated file")
        }
        return Data(data.dropFirst(MemoryLayout<UInt64>.size).prefix(Int(count)))
    }
}
