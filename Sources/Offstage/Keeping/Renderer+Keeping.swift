import Foundation

/// Pictures from before: looked for between a request's opening and the queue, kept after its drawing.
extension Renderer {
    var keeps: Bool { configuration.memory != nil || configuration.store != nil }

    /// As the other, for a host that paints in the same turn. It is no request, and nothing is counted.
    package func imagesAtOnce(for request: any DrawingRequest) -> [RenderedImage]? {
        guard keeps, let fingerprint = fingerprint(of: request),
            let images = imagesAtOnce(for: request, fingerprint), request.refusal(of: images[0].warnings) == nil
        else { return nil }
        return images
    }

    /// What is kept and needs no look at a disk; nil where there is no such thing.
    func imagesAtOnce(for request: any DrawingRequest, _ fingerprint: Fingerprint) -> [RenderedImage]? {
        guard let kept = inMemory(.pixels(of: request), request, fingerprint), kept[0].dependencies.isEmpty else {
            return nil
        }
        return kept
    }

    /// What is kept in memory or on disk and still right.
    ///
    /// - Parameter variant: the pixels, or a thumbnail's, which is found without the picture itself being touched.
    func keptImages(
        as variant: ImageVariant, for request: any DrawingRequest, _ fingerprint: Fingerprint
    ) async -> (images: [RenderedImage], event: RenderEvent.Kind)? {
        if let kept = inMemory(variant, request, fingerprint), await isCurrent(kept[0].dependencies, for: request) {
            return (kept, .hitInMemory)
        }
        guard let images = await onDisk(variant, request, fingerprint) else { return nil }
        remember(images, as: variant, fingerprint, request.identifier)
        return (images, .hitOnDisk)
    }

    private func inMemory(
        _ variant: ImageVariant, _ request: any DrawingRequest, _ fingerprint: Fingerprint
    ) -> [RenderedImage]? {
        guard let memory = configuration.memory else { return nil }
        let key = PictureKey(request.identifier, variant)
        if let kept = memory.value(for: key), kept.fingerprint == fingerprint { return used(kept, key) }
        // A picture that fits into the box is its own thumbnail.
        let whole = PictureKey(request.identifier, variant.whole)
        guard let box = variant.box, let kept = memory.value(for: whole),
            kept.fingerprint == fingerprint, kept.images.allSatisfy({ $0.fits(into: box) })
        else { return nil }
        return used(kept, whole)
    }

    /// A hit in memory is also a use of the stored picture. Otherwise the pictures that memory answers most often would be the
    /// first to be evicted from the disk.
    private func used(_ kept: KeptImages, _ key: PictureKey) -> [RenderedImage] {
        configuration.store?.touch(
            kept.images.map { PictureKey(key.identifier, variant: key.variant, part: $0.part) })
        return kept.images.map(\.fromMemory)
    }

    private func onDisk(
        _ variant: ImageVariant, _ request: any DrawingRequest, _ fingerprint: Fingerprint
    ) async -> [RenderedImage]? {
        guard let store = configuration.store else { return nil }
        let start = ContinuousClock.now
        let records = await store.current(variant.name, of: request.identifier, fingerprint)
        guard let first = records.first, await isCurrent(first.info.dependencies, for: request) else { return nil }
        return await store.images(of: records, for: request.identifier, since: start)
    }

    /// Whether the files that a drawing used are the same now.
    func isCurrent(_ dependencies: [Dependency], for request: any DrawingRequest) async -> Bool {
        for dependency in dependencies where await digest(of: dependency.path, for: request) != dependency.digest {
            return false
        }
        return true
    }

    /// Keeps pictures in memory. Thumbnails that are the pictures themselves are found as these.
    private func remember(
        _ images: [RenderedImage], as variant: ImageVariant, _ fingerprint: Fingerprint, _ identifier: String
    ) {
        let key = PictureKey(identifier, variant)
        if variant.box != nil, let full = configuration.memory?.value(for: PictureKey(identifier, variant.whole)),
            full.fingerprint == fingerprint, full.images.map(\.size) == images.map(\.size)
        {
            configuration.memory?.remove(key)
            return
        }
        configuration.memory?.insert(KeptImages(fingerprint: fingerprint, images: images), for: key)
    }

    /// Keeps what was drawn: in memory at once, on disk and as thumbnails soon; `finish` waits for that.
    ///
    /// - Parameters:
    ///   - variants: the pixels, thumbnails, or both.
    ///   - request: the number of the one that asked first, for events.
    ///   - claim: given back when others can find what is kept.
    func keep(
        _ images: [RenderedImage], as variants: [ImageVariant], _ fingerprint: Fingerprint, _ identifier: String,
        request: Int?, _ claim: DrawingClaim? = nil
    ) {
        guard images[0].warnings.areLasting else { return claim?.give() ?? () }
        let needsWork = variants.contains { $0.box != nil } || configuration.store != nil
        for variant in variants where variant.box == nil { remember(images, as: variant, fingerprint, identifier) }
        if !needsWork { return claim?.give() ?? () }
        let (events, store) = (queue.events, configuration.store)
        errands.run {
            defer { claim?.give() }
            var pictures: [(key: PictureKey, picture: StoredPicture)] = []
            for variant in variants {
                let images = variant.box.map { box in images.map { $0.fitted(into: box) } } ?? images
                if variant.box != nil { self.remember(images, as: variant, fingerprint, identifier) }
                // One that is too large for a PNG is in memory at most.
                guard store != nil, let encoded = try? images.map({ try $0.encoded(as: variant) }) else { continue }
                for (image, encoded) in zip(images, encoded) {
                    events.emit(.encoded, identifier, request: request)
                    pictures.append(
                        encoded.stored(image, as: variant, fingerprint, identifier, partCount: images.count))
                }
            }
            guard let store, !pictures.isEmpty, await store.store(pictures) else { return }
            events.emit(.stored, identifier, request: request)
        }
    }
}

extension EncodedImage {
    /// As a store keeps it.
    ///
    /// - Parameter partCount: of the drawing, where it was in parts.
    func stored(
        _ image: RenderedImage, as variant: ImageVariant, _ fingerprint: Fingerprint, _ identifier: String,
        partCount: Int
    ) -> (key: PictureKey, picture: StoredPicture) {
        let info = PictureInfo(
            fingerprint: fingerprint, dependencies: image.dependencies, format: variant.format.name, size: size,
            scale: image.scale, isOpaque: image.picture.isOpaque, warnings: image.warnings,
            partCount: image.part == nil ? nil : partCount, content: image.content)
        return (PictureKey(identifier, variant, part: image.part), StoredPicture(data: data, info: info))
    }
}

extension ImageStore {
    /// The pictures of records, decoded; nil where one is not there any more, or another has taken its place.
    func images(
        of records: [PictureRecord], for identifier: String, since start: ContinuousClock.Instant
    ) async -> [RenderedImage]? {
        let pictures = await pictures(for: records.map(\.key))
        var images: [RenderedImage] = []
        for record in records {
            guard let picture = pictures[record.key], picture.info == record.info,
                let pixmap = PNGDecoder.decode(picture.data, isOpaque: record.info.isOpaque)
            else { return nil }
            images.append(
                RenderedImage(
                    identifier: identifier, part: record.key.part, pixmap: pixmap, record.info,
                    duration: start.duration(to: .now)))
        }
        return images
    }

    /// A drawing's parts in order, or its one picture, with this fingerprint: under this identifier, or, for a whole picture,
    /// under another one, which saves the drawing. Empty where there is none.
    func current(_ variant: String, of identifier: String, _ fingerprint: Fingerprint) async -> [PictureRecord] {
        let own = await parts(of: identifier, variant: variant)
        if !own.isEmpty, own.allSatisfy({ $0.info.fingerprint == fingerprint }) { return own }
        return await record(fingerprint: fingerprint, variant: variant).map { [$0] } ?? []
    }
}
