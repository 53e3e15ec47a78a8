extension Renderer {
    /// Draws a request that has left the queue, and finishes its pictures.
    ///
    /// - Parameters:
    ///   - client: the client that submitted it first.
    ///   - job: the number of its request, for events.
    nonisolated(nonsending) static func draw(
        _ request: any DrawingRequest, of client: RenderClient?, in lane: EngineLane, _ events: EventHub, _ job: Int
    ) async -> Queue.State.Outcome {
        let start = ContinuousClock.now
        do throws(DrawingError) {
            let drawing = try await lane.draw(request, for: client)
            if let refusal = request.refusal(of: drawing.warnings) { throw refusal }
            let duration = start.duration(to: .now)
            let images =
                request.medium == .pixels && request.margins.areAsDrawn
                ? try pictures(for: request, drawing, duration)
                : try await picturesElsewhere(for: request, drawing, duration)
            events.emit(.drawn, request.identifier, request: job)
            return .success(images)
        } catch {
            return .failure(error)
        }
    }

    /// Runs off the engine's actor, which need not wait until the edges are trimmed and padded.
    @concurrent
    private static func picturesElsewhere(
        for request: any DrawingRequest, _ drawing: Drawing, _ duration: Duration
    ) async throws(DrawingError) -> [RenderedPicture] {
        try pictures(for: request, drawing, duration)
    }

    private static func pictures(
        for request: any DrawingRequest, _ drawing: Drawing, _ duration: Duration
    ) throws(DrawingError) -> [RenderedPicture] {
        var images: [RenderedPicture] = []
        for (index, picture) in drawing.pictures.enumerated() {
            let finished = try picture.finished(
                with: request.margins, scale: drawing.scale, background: drawing.background)
            images.append(
                RenderedPicture(
                    identifier: request.identifier, part: drawing.isInParts ? index + 1 : nil,
                    picture: finished.picture,
                    content: index < drawing.contents.count
                        ? finished.content(drawing.contents[index], scale: drawing.scale) : nil,
                    drawing: drawing, duration: duration))
        }
        return images
    }
}
