/// The front of the library: a request goes in, its picture comes out.
///
/// It may be used from any task and thread. Requests wait in a queue and are drawn as the engine has room.
public final class Renderer<E: Engine>: Sendable {
    private let engine: E
    private let queue: RenderQueue

    /// - Parameter engine: what draws; the renderer shuts it down in `finish`.
    public init(engine: E) {
        self.engine = engine
        self.queue = RenderQueue(width: engine.capacity)
    }

    /// The picture for a request; the first, where the request asks for several parts.
    ///
    /// Cancelling the calling task withdraws the request: it throws `.cancelled` at once, and a drawing that had begun is
    /// finished and dropped.
    public func image(for request: E.Request) async throws(RenderError) -> RenderedImage {
        try await images(for: request)[0]
    }

    /// The pictures for a request: one, or one a part, from one drawing; in the order of the parts.
    public func images(for request: E.Request) async throws(RenderError) -> [RenderedImage] {
        let engine = engine
        let outcome = await queue.run { () -> Result<[RenderedImage], DrawingError> in
            let start = ContinuousClock.now
            do throws(DrawingError) {
                let drawing = try await engine.draw(request)
                return .success(try Self.images(for: request, drawing, start.duration(to: .now)))
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let images): return images
        case .failure(let error): throw RenderError(identifier: request.identifier, reason: error)
        case nil: throw RenderError(identifier: request.identifier, reason: .cancelled)
        }
    }

    private static func images(
        for request: E.Request, _ drawing: Drawing, _ duration: Duration
    ) throws(DrawingError) -> [RenderedImage] {
        var images: [RenderedImage] = []
        for pixmap in drawing.pixmaps {
            let finished: Pixmap
            do throws(FileError) {
                finished = try pixmap.finished(
                    with: request.margins, scale: drawing.scale, background: drawing.background)
            } catch {
                throw .spoolFailed(error)
            }
            images.append(
                RenderedImage(
                    identifier: request.identifier, part: drawing.isInParts ? images.count + 1 : nil,
                    pixmap: finished, drawing: drawing, duration: duration))
        }
        return images
    }

    /// Ends the engine and the processes it started. Call it when every request has its answer; none may follow.
    public func finish() async {
        await engine.shutDown()
    }
}
