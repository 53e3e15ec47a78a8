/// Thumbnails for lists, made from full pictures and cached beside them.
extension Renderer {
    /// A thumbnail of a request's picture; of the first, if the request asks for several parts.
    ///
    /// A valid cached thumbnail is returned without drawing or decoding the full picture. Otherwise the thumbnail is made from the
    /// picture that `picture(for:)` returns, and cached.
    ///
    /// - Parameters:
    ///   - request: the request for the full picture.
    ///   - box: device px, at least 1 × 1. The thumbnail fits into it, has the picture's proportions, and is never enlarged.
    ///   - options: the same as for `picture(for:)`. If `usesCache` is false, the picture is drawn; if `storesResult` is false,
    ///     nothing is cached.
    /// - Throws: the same errors as `picture(for:)`.
    public func thumbnail(
        for request: any DrawingRequest, fittingInto box: PixelSize, options: RenderOptions = RenderOptions()
    ) async throws(RenderError) -> RenderedPicture {
        let (keyed, variant) = (shelf.holdsPictures ? keyed(request) : nil, FileVariant.thumbnail(of: request, box))
        if options.usesCache, let keyed, let found = await shelf.pictures(for: keyed, as: variant) {
            shelf.report(found, of: request.identifier)
            do throws(DrawingError) { return try found.outcome.get()[0] } catch {
                throw RenderError(identifier: request.identifier, reason: error)
            }
        }
        var full = options
        full.thumbnail = nil
        let images = await Self.fitted(try await pictures(for: request, options: full), into: box)
        if options.storesResult, let keyed { shelf.keep(images, as: [variant], keyed, request: nil) }
        return images[0]
    }

    /// Returns a request's thumbnail from memory, decoded, for a host that paints it in the same frame. Takes a
    /// fraction of a millisecond. The thumbnail comes from `RenderOptions.thumbnail` or `loadThumbnails`.
    ///
    /// It matches the current request, but the files that the drawing read are not compared.
    ///
    /// - Parameters:
    ///   - request: the request for the full picture.
    ///   - box: device px, at least 1 × 1.
    public func thumbnailAtOnce(for request: any DrawingRequest, fittingInto box: PixelSize) -> RenderedPicture? {
        keyed(request).flatMap { shelf.thumbnailAtOnce(for: $0, box) }
    }

    /// Loads the stored thumbnails of a size into memory, in the background, the latest first, until the memory is
    /// full. A list calls it when it starts, so that each row that was ever drawn shows at least its thumbnail in the
    /// first frame.
    ///
    /// - Parameters:
    ///   - box: the box of `RenderOptions.thumbnail`, device px.
    ///   - scale: device px per CSS px of the requests.
    public func loadThumbnails(fittingInto box: PixelSize, scale: Double) {
        if isFinished { return }
        shelf.loadThumbnails(.thumbnail(box, scale: scale)) { [weak self] in self?.isFinished ?? true }
    }

    /// The thumbnail for `updates(for:)`, from memory or the store.
    package func thumbnailAtHand(for request: any DrawingRequest, _ options: RenderOptions) async -> RenderedPicture? {
        if let box = options.thumbnail, options.usesCache, shelf.holdsPictures, let keyed = keyed(request),
            let found = await shelf.pictures(for: keyed, as: .thumbnail(of: request, box)), let images = found.usable
        {
            return images[0]
        }
        return await configuration.thumbnails?.thumbnail(for: request)
    }

    /// Runs off the caller's thread, because it takes time in proportion to the pixels.
    @concurrent
    private nonisolated static func fitted(_ images: [RenderedPicture], into box: PixelSize) async -> [RenderedPicture]
    {
        images.map { $0.fitted(into: box) }
    }
}
