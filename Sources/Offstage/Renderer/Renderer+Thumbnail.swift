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
        let (keyed, variant) = (shelf.holdsPictures ? keyed(request) : nil, ImageVariant.thumbnail(of: request, box))
        if options.usesCache, let keyed, let found = await shelf.pictures(for: keyed, as: variant) {
            shelf.report(found, of: request.identifier)
            do throws(DrawingError) { return try found.outcome.get()[0] } catch {
                throw RenderError(identifier: request.identifier, reason: error)
            }
        }
        var full = options
        full.thumbnail = nil
        let images = await Self.fitted(try await images(for: request, options: full), into: box)
        if options.storesResult, let keyed { shelf.keep(images, as: [variant], keyed, request: nil) }
        return images[0]
    }

    /// What `updates(for:)` can give before the picture.
    func thumbnailAtHand(for request: any DrawingRequest, _ options: RenderOptions) async -> RenderedImage? {
        if let box = options.thumbnail, options.usesCache, shelf.holdsPictures, let keyed = keyed(request),
            let found = await shelf.pictures(for: keyed, as: .thumbnail(of: request, box)), let images = found.usable
        {
            return images[0]
        }
        return await configuration.thumbnails?.thumbnail(for: request)
    }

    /// Off the caller's thread: it takes time in proportion to the pixels.
    @concurrent
    private nonisolated static func fitted(_ images: [RenderedImage], into box: PixelSize) async -> [RenderedImage] {
        images.map { $0.fitted(into: box) }
    }
}
