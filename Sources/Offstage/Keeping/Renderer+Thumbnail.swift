/// Small pictures for lists, made of the full ones and kept beside them.
extension Renderer {
    /// A thumbnail of a request's picture; the first, where the request asks for several parts.
    ///
    /// It comes from memory or disk without the full picture being drawn or decoded, where it is kept and still right. Else
    /// the picture is got as by `image(for:)`, and the thumbnail made of it and kept.
    ///
    /// - Parameters:
    ///   - request: of the picture.
    ///   - box: device px, at least 1 × 1; the thumbnail fits into it, in the picture's proportions, and is never enlarged.
    ///   - options: as of `image(for:)`; `usesCache` false draws, `storesResult` false keeps nothing.
    /// - Throws: as `image(for:)`.
    public func thumbnail(
        for request: any DrawingRequest, fittingInto box: PixelSize, options: RenderOptions = RenderOptions()
    ) async throws(RenderError) -> RenderedImage {
        let fingerprint = keeps ? fingerprint(of: request) : nil
        if let fingerprint, options.usesCache,
            let (images, event) = await keptImages(as: .thumbnail(of: request, box), for: request, fingerprint)
        {
            if let reason = request.refusal(of: images[0].warnings) {
                throw RenderError(identifier: request.identifier, reason: reason)
            }
            queue.events.emit(event, request.identifier, request: nil)
            return images[0]
        }
        var full = options
        full.thumbnail = nil
        let images = await Self.fitted(try await images(for: request, options: full), into: box)
        if let fingerprint, options.storesResult {
            keep(images, as: [.thumbnail(of: request, box)], fingerprint, request.identifier, request: nil)
        }
        return images[0]
    }

    /// What `updates(for:)` can give before the picture.
    func thumbnailAtHand(for request: any DrawingRequest, _ options: RenderOptions) async -> RenderedImage? {
        if let box = options.thumbnail, options.usesCache, keeps, let fingerprint = fingerprint(of: request),
            let image = await keptImages(as: .thumbnail(of: request, box), for: request, fingerprint)?.images[0],
            request.refusal(of: image.warnings) == nil
        {
            return image
        }
        return await configuration.thumbnails?.thumbnail(for: request)
    }

    /// Off the caller's thread: it takes time in proportion to the pixels.
    @concurrent
    private nonisolated static func fitted(_ images: [RenderedImage], into box: PixelSize) async -> [RenderedImage] {
        images.map { $0.fitted(into: box) }
    }
}
