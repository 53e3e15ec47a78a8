import Foundation

/// Files of one drawing: cached, or drawn, encoded and stored.
extension Renderer {
    /// The files of a whole picture, if memory has them all, at the request's scale, and no other file has to be compared. It is the
    /// first step of `files(for:as:options:)`, for a caller that answers in the same turn of its loop.
    public func filesAtOnce(
        for request: any DrawingRequest, as variants: [FileVariant], options: RenderOptions = RenderOptions()
    ) -> [RenderedFiles]? {
        guard shelf.files != nil, options.usesCache, let keyed = keyed(request) else { return nil }
        return filesAtOnce(for: keyed, as: variants)
    }

    /// Like `filesAtOnce(for:as:options:)`, for a caller that has the fingerprint.
    package func filesAtOnce(for keyed: KeyedRequest, as variants: [FileVariant]) -> [RenderedFiles]? {
        let variants = variants.map { $0.resolved(for: keyed.request) }
        guard variants.allSatisfy({ $0.scale == keyed.request.scale && $0.format.medium == .pixels }),
            let found = shelf.filesAtOnce(for: keyed, as: variants), let files = found.usable
        else { return nil }
        shelf.report(found, of: keyed.identifier)
        return files
    }

    /// The files of a request's drawing at one scale.
    ///
    /// - Parameter variants: at least one, all at the request's scale, no two of the same name.
    func filesOfOneDrawing(
        for request: any DrawingRequest, as variants: [FileVariant], options: RenderOptions, _ control: RequestControl
    ) async throws(RenderError) -> [RenderedFiles] {
        let keyed = shelf.store == nil ? nil : keyed(request)
        var sharesWork = options.usesCache && options.storesResult
        while true {
            if options.usesCache, let keyed, let found = await shelf.files(for: keyed, as: variants) {
                shelf.report(found, of: request.identifier)
                do throws(DrawingError) { return try found.outcome.get() } catch {
                    throw RenderError(identifier: request.identifier, reason: error)
                }
            }
            var job = Job()
            job.isForFiles = true
            if let keyed, let store = shelf.store, sharesWork {
                job.variants = variants
                let claim = DrawingClaim(store.drawingLocks, for: keyed.fingerprint, as: variants)
                job.lastLook = LastLook(claim: claim, shared: shelf.sharedWork(keyed, as: variants)) { [shelf] in
                    await shelf.files(for: keyed, as: variants).map { _ in .success([]) }
                }
            }
            defer { job.lastLook?.give() }
            let images = try await pictures(for: request, options, job, control)
            if images.isEmpty {
                // Others have stored the files meanwhile, so the next lookup finds them. It does not if this request joined
                // one for other files.
                sharesWork = false
                continue
            }
            let (share, waited) = await filesRoom.share(images.memory)
            defer { withExtendedLifetime(share) {} }
            // Requests that share a drawing also share its files, if those of another request are ready by now.
            let hasJoined = job.lastLook.map { !$0.claim.isHeld } ?? false
            if waited || hasJoined, sharesWork, let keyed,
                let files = await shelf.files(for: keyed, as: variants)?.usable
            {
                return files.map(\.asDrawn)
            }
            do throws(EncodingError) {
                return try await Self.encoded(
                    images, as: variants, for: request, options.storesResult ? keyed : nil, shelf, recentFiles)
            } catch {
                throw RenderError(identifier: request.identifier, reason: .encodingFailed(error))
            }
        }
    }

    /// Off the caller's thread: it takes time in proportion to the pixels.
    ///
    /// - Parameter keyed: to store and cache the files; nil if they are not.
    @concurrent
    private static func encoded(
        _ images: [RenderedPicture], as variants: [FileVariant], for request: any DrawingRequest,
        _ keyed: KeyedRequest?, _ shelf: Shelf, _ recentFiles: RecentFiles
    ) async throws(EncodingError) -> [RenderedFiles] {
        var all: [RenderedFiles] = []
        var pictures: [(key: PictureKey, picture: StoredPicture)] = []
        for image in images {
            let start = ContinuousClock.now
            var files: [RenderedFiles.File] = []
            for variant in variants {
                let encoded = try await recentFiles.file(of: image, as: variant)
                let data = encoded.data
                shelf.events.emit(.encoded, request.identifier, request: nil)
                files.append(
                    RenderedFiles.File(
                        size: encoded.size, scale: image.scale, byteCount: data.count, pages: encoded.pages,
                        content: Digest(of: data), dataAtOnce: data
                    ) { data })
                guard let keyed, image.warnings.areLasting else { continue }
                pictures.append(encoded.stored(image, as: variant, keyed, partCount: images.count))
            }
            all.append(
                RenderedFiles(
                    part: image.part, scale: image.scale, warnings: image.warnings, content: image.content,
                    isCached: false, duration: image.duration + start.duration(to: .now), files: files))
        }
        for index in pictures.indices { pictures[index].picture.info.extra = request.extra }
        if let keyed { shelf.share(pictures, keyed) }
        if let store = shelf.store, !pictures.isEmpty, await store.store(pictures) {
            shelf.events.emit(.stored, request.identifier, request: nil)
        }
        if let keyed, images.count == 1 { shelf.remember(all[0], of: images[0], keyed, as: variants) }
        if let keyed { shelf.withdrawLater(images[0], keyed, pictures.map(\.key)) }
        return all
    }
}
