import Foundation

/// Files of one drawing: cached, or drawn, encoded and stored.
extension Renderer {
    /// The files of a whole picture, if they are all in memory at the request's scale and no other file has to be
    /// compared. This is the first step of `files(for:as:options:)`, for a caller that answers in the same turn of its
    /// loop.
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
    /// - Parameters:
    ///   - variants: at least one, all at the request's scale, no two of the same name.
    ///   - needed: the variants without which there is no picture. If another one cannot be made, its reason is in `failures`.
    func filesOfOneDrawing(
        for request: any DrawingRequest, as variants: [FileVariant], needing needed: [FileVariant],
        options: RenderOptions, _ control: RequestControl
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
            if options.usesCache, let keyed, needed.count < variants.count,
                let files = await cachedFiles(for: keyed, as: variants, needing: needed)
            {
                return files
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
                // Others have stored the files meanwhile, so the next lookup finds them. It does not find them if this
                // request joined one for other files.
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
            do throws(DrawingError) {
                return try await Self.encoded(
                    images, as: variants, needing: needed, for: request, options.storesResult ? keyed : nil, shelf,
                    recentFiles)
            } catch {
                throw RenderError(identifier: request.identifier, reason: error)
            }
        }
    }

    /// The cached files of a picture that is too large for all other requested formats; nil if it has to be drawn.
    private func cachedFiles(
        for keyed: KeyedRequest, as variants: [FileVariant], needing needed: [FileVariant]
    ) async -> [RenderedFiles]? {
        let limited = variants.indices.filter { variants[$0].limit != nil && !needed.contains(variants[$0]) }
        let rest = variants.indices.filter { !limited.contains($0) }
        guard !limited.isEmpty, let whole = rest.firstIndex(where: { variants[$0].box == nil }),
            let found = await shelf.files(for: keyed, as: rest.map { variants[$0] }), var files = found.usable
        else { return nil }
        for part in files.indices {
            for index in limited {
                guard let error = variants[index].excess(of: files[part].files[whole].size) else { return nil }
                files[part].failures[index] = error
            }
        }
        shelf.report(found, of: keyed.identifier)
        return files
    }

    /// Runs off the caller's thread, because it takes time in proportion to the pixels.
    ///
    /// - Parameters:
    ///   - needed: the variants whose error is thrown.
    ///   - keyed: the request whose files are stored and cached; nil for none.
    @concurrent
    private static func encoded(
        _ images: [RenderedPicture], as variants: [FileVariant], needing needed: [FileVariant],
        for request: any DrawingRequest, _ keyed: KeyedRequest?, _ shelf: Shelf, _ recentFiles: RecentFiles
    ) async throws(DrawingError) -> [RenderedFiles] {
        var all: [RenderedFiles] = []
        var pictures: [(key: PictureKey, picture: StoredPicture)] = []
        for image in images {
            let start = ContinuousClock.now
            var files: [RenderedFiles.File] = []
            var failures: [Int: DrawingError] = [:]
            for (index, variant) in variants.enumerated() {
                let encoded: EncodedPicture
                do throws(DrawingError) {
                    encoded = try await file(of: image, as: variant, recentFiles)
                } catch {
                    if needed.contains(variant) { throw error }
                    failures[index] = error
                    continue
                }
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
                    isCached: false, duration: image.duration + start.duration(to: .now), files: files,
                    failures: failures))
        }
        for index in pictures.indices { pictures[index].picture.info.extra = request.extra }
        if let keyed { shelf.share(pictures, keyed) }
        if let store = shelf.store, !pictures.isEmpty, await store.store(pictures) {
            shelf.events.emit(.stored, request.identifier, request: nil)
        }
        if let keyed, images.count == 1, all[0].failures.isEmpty {
            shelf.remember(all[0], of: images[0], keyed, as: variants)
        }
        if let keyed { shelf.withdrawLater(images[0], keyed, pictures.map(\.key)) }
        return all
    }

    @concurrent
    private static func file(
        of image: RenderedPicture, as variant: FileVariant, _ recentFiles: RecentFiles
    ) async throws(DrawingError) -> EncodedPicture {
        if variant.format.medium == .pixels, let excess = variant.excess(of: image.size) { throw excess }
        do throws(EncodingError) {
            return try await recentFiles.file(of: image, as: variant)
        } catch { throw .encodingFailed(error) }
    }
}

extension FileVariant {
    /// The error for a picture that is too large for the format; nil if it is not.
    fileprivate func excess(of size: PixelSize) -> DrawingError? {
        guard let limit, max(size.width, size.height) > limit.side else { return nil }
        return .tooLargeForFormat(measured: size, limit: limit)
    }
}

extension DrawingError {
    /// True if a file of another format or scale may still be possible.
    package var isOfTheFile: Bool {
        switch self {
        case .encodingFailed, .tooLargeForFormat, .tooLarge, .tooManyPixels: true
        default: false
        }
    }
}
