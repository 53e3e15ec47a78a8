import Foundation

extension Shelf {
    /// A request's pictures, or a thumbnail of each, if memory has them and no file has to be compared.
    func picturesAtOnce(for keyed: KeyedRequest, as variant: FileVariant) -> Found<[RenderedPicture]>? {
        guard let images = inMemory(variant, keyed), images[0].dependencies.isEmpty else { return nil }
        return Found(images, .hitInMemory, images[0].warnings, for: keyed.request)
    }

    /// A request's pictures, or a thumbnail of each, from memory or the store.
    ///
    /// - Parameter variant: the pixels; or a thumbnail's, which is found without the picture itself.
    func pictures(for keyed: KeyedRequest, as variant: FileVariant) async -> Found<[RenderedPicture]>? {
        if let images = inMemory(variant, keyed), await keyed.isCurrent(images[0].dependencies) {
            return Found(images, .hitInMemory, images[0].warnings, for: keyed.request)
        }
        guard let images = await onDisk(variant, keyed) else { return nil }
        remember(images, as: variant, keyed)
        return Found(images, .hitOnDisk, images[0].warnings, for: keyed.request)
    }

    private func inMemory(_ variant: FileVariant, _ keyed: KeyedRequest) -> [RenderedPicture]? {
        guard let memory else { return nil }
        let key = PictureKey(keyed.identifier, variant)
        if let kept = memory.value(for: key), kept.fingerprint == keyed.fingerprint { return used(kept, key) }
        // A picture that fits into the box is its own thumbnail.
        let whole = PictureKey(keyed.identifier, variant.whole)
        guard let box = variant.box, let kept = memory.value(for: whole), kept.fingerprint == keyed.fingerprint,
            kept.images.allSatisfy({ $0.fits(into: box) })
        else { return nil }
        return used(kept, whole)
    }

    /// A hit in memory is also a use of the stored picture. Otherwise the pictures that memory answers most often would be the
    /// first to be evicted from the disk.
    private func used(_ kept: CachedPictures, _ key: PictureKey) -> [RenderedPicture] {
        store?.touch(kept.images.map { PictureKey(key.identifier, variant: key.variant, part: $0.part) })
        return kept.images.map(\.fromMemory)
    }

    private func onDisk(_ variant: FileVariant, _ keyed: KeyedRequest) async -> [RenderedPicture]? {
        guard let store else { return nil }
        let start = ContinuousClock.now
        let records = await store.look(without: []) { (look) throws(SQLiteError) in
            try look.current(variant.name, of: keyed.identifier, keyed.fingerprint)
        }
        guard let first = records.first, await keyed.isCurrent(first.info.dependencies) else { return nil }
        return await store.images(of: records, for: keyed.identifier, since: start)
    }

    /// Caches pictures in memory. Thumbnails that are the pictures themselves are found as these.
    private func remember(_ images: [RenderedPicture], as variant: FileVariant, _ keyed: KeyedRequest) {
        let key = PictureKey(keyed.identifier, variant)
        if variant.box != nil, let full = memory?.value(for: PictureKey(keyed.identifier, variant.whole)),
            full.fingerprint == keyed.fingerprint, full.images.map(\.size) == images.map(\.size)
        {
            memory?.remove(key)
            return
        }
        memory?.insert(CachedPictures(fingerprint: keyed.fingerprint, images: images), for: key)
    }

    /// Caches the pictures of a drawing: in memory immediately; on disk and as thumbnails soon, which `errands.finish` waits for.
    ///
    /// - Parameters:
    ///   - variants: the pixels, thumbnails, or both.
    ///   - number: of the first request, for events.
    ///   - claim: released when others can find the pictures.
    func keep(
        _ images: [RenderedPicture], as variants: [FileVariant], _ keyed: KeyedRequest, request number: Int?,
        _ claim: DrawingClaim? = nil
    ) {
        guard images[0].warnings.areLasting else { return claim?.give() ?? () }
        let needsWork = variants.contains { $0.box != nil } || store != nil
        for variant in variants where variant.box == nil { remember(images, as: variant, keyed) }
        if !needsWork { return claim?.give() ?? () }
        errands.run {
            defer { claim?.give() }
            var pictures: [(key: PictureKey, picture: StoredPicture)] = []
            for variant in variants {
                let images = variant.box.map { box in images.map { $0.fitted(into: box) } } ?? images
                if variant.box != nil { remember(images, as: variant, keyed) }
                // One that is too large for a PNG file is in memory at most.
                guard store != nil, let encoded = try? images.map({ try $0.encoded(as: variant) }) else { continue }
                for (image, encoded) in zip(images, encoded) {
                    events.emit(.encoded, keyed.identifier, request: number)
                    pictures.append(encoded.stored(image, as: variant, keyed, partCount: images.count))
                }
            }
            guard let store, !pictures.isEmpty, await store.store(pictures) else { return }
            events.emit(.stored, keyed.identifier, request: number)
        }
    }
}

extension EncodedPicture {
    /// The file for the store.
    ///
    /// - Parameter partCount: of the drawing, if it was in parts.
    func stored(
        _ image: RenderedPicture, as variant: FileVariant, _ keyed: KeyedRequest, partCount: Int
    ) -> (key: PictureKey, picture: StoredPicture) {
        let info = PictureInfo(
            fingerprint: keyed.fingerprint, dependencies: image.dependencies, format: variant.format.name, size: size,
            scale: image.scale, isOpaque: image.picture.isOpaque, warnings: image.warnings,
            partCount: image.part == nil ? nil : partCount, content: image.content)
        return (PictureKey(keyed.identifier, variant, part: image.part), StoredPicture(data: data, info: info))
    }
}
