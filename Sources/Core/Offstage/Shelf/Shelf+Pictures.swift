import Foundation

extension Shelf {
    /// A request's pictures, or a thumbnail of each, if they are in memory and no file has to be compared.
    func picturesAtOnce(for keyed: KeyedRequest, as variant: FileVariant) -> Found<[RenderedPicture]>? {
        guard let images = inMemory(variant, keyed), images[0].dependencies.isEmpty else { return nil }
        return Found(images, .hitInMemory, images[0].warnings, for: keyed.request)
    }

    /// A request's pictures, or a thumbnail of each, from memory or the store.
    ///
    /// - Parameter variant: the variant of the pixels, or of a thumbnail, which is found without the picture itself.
    func pictures(for keyed: KeyedRequest, as variant: FileVariant) async -> Found<[RenderedPicture]>? {
        if let images = inMemory(variant, keyed), await keyed.isCurrent(images[0].dependencies) {
            return Found(images, .hitInMemory, images[0].warnings, for: keyed.request)
        }
        var images = await onDisk(variant, keyed)
        if images == nil, await fetch([variant], keyed) { images = await onDisk(variant, keyed) }
        guard let images else { return nil }
        return Found(images, .hitOnDisk, images[0].warnings, for: keyed.request)
    }

    /// Does not compare the files that the drawing read.
    func inMemory(_ variant: FileVariant, _ keyed: KeyedRequest) -> [RenderedPicture]? {
        let whole = PictureKey(keyed.identifier, variant.whole)
        // A picture that fits into the box is its own thumbnail.
        if let kept = memory?.value(for: whole), kept.fingerprint == keyed.fingerprint,
            variant.box.map({ box in kept.images.allSatisfy { $0.fits(into: box) } }) ?? true
        {
            return used(kept.images.map(\.fromMemory), whole)
        }
        let key = PictureKey(keyed.identifier, variant)
        guard variant.box != nil, let kept = thumbnails?.value(for: key), kept.fingerprint == keyed.fingerprint,
            let images = kept.decoded(for: keyed.identifier)
        else { return nil }
        return used(images, key)
    }

    /// A hit in memory is also a use of the stored picture. Otherwise, the pictures that are most often found in memory
    /// would be the first to be evicted from the disk.
    private func used(_ images: [RenderedPicture], _ key: PictureKey) -> [RenderedPicture] {
        store?.touch(images.map { PictureKey(key.identifier, variant: key.variant, part: $0.part) })
        return images
    }

    private func onDisk(_ variant: FileVariant, _ keyed: KeyedRequest) async -> [RenderedPicture]? {
        guard let store else { return nil }
        let start = ContinuousClock.now
        let records = await store.look(without: []) { (look) throws(SQLiteError) in
            try look.current(variant.name, of: keyed.identifier, keyed.fingerprint)
        }
        guard let first = records.first, await keyed.isCurrent(first.info.dependencies),
            let files = await store.files(of: records),
            let images = records.decoded(files, for: keyed.identifier, since: start)
        else { return nil }
        if variant.box == nil { remember(images, keyed) } else { remember(files, as: variant, keyed) }
        return images
    }

    private func remember(_ images: [RenderedPicture], _ keyed: KeyedRequest) {
        memory?.insert(
            CachedPictures(fingerprint: keyed.fingerprint, images: images),
            for: .pixels(of: keyed.request, keyed.identifier))
    }

    /// Caches thumbnails in memory.
    private func remember(_ files: [StoredPicture], as variant: FileVariant, _ keyed: KeyedRequest) {
        thumbnails?.insert(CachedThumbnails(keyed.fingerprint, files), for: PictureKey(keyed.identifier, variant))
    }

    /// Caches the pictures of a drawing: in memory immediately; on disk and as thumbnails soon, which `errands.finish` waits for.
    ///
    /// - Parameters:
    ///   - variants: the pixels, thumbnails, or both.
    ///   - number: the number of the first request, for events.
    ///   - claim: released when others can find the pictures.
    func keep(
        _ images: [RenderedPicture], as variants: [FileVariant], _ keyed: KeyedRequest, request number: Int?,
        _ claim: LastLook? = nil
    ) {
        guard images[0].warnings.areLasting else { return claim?.give() ?? () }
        if variants.contains(where: { $0.box == nil }) { remember(images, keyed) }
        withdrawLater(
            images[0], keyed,
            variants.flatMap { variant in
                // In memory, all parts are under one key.
                [PictureKey(keyed.identifier, variant)]
                    + images.map { PictureKey(keyed.identifier, variant, part: $0.part) }
            })
        let needsWork = store != nil || thumbnails != nil && variants.contains { $0.box != nil }
        if !needsWork { return claim?.give() ?? () }
        errands.run {
            defer { claim?.give() }
            var pictures: [(key: PictureKey, picture: StoredPicture)] = []
            for variant in variants where store != nil || variant.box != nil {
                let images = variant.box.map { box in images.map { $0.fitted(into: box) } } ?? images
                // A picture that is too large for its format is cached in memory at most.
                guard let encoded = try? images.map({ try $0.encoded(as: variant) }) else { continue }
                let files = zip(images, encoded).map { $1.stored($0, as: variant, keyed, partCount: images.count) }
                if variant.box != nil { remember(files.map(\.picture), as: variant, keyed) }
                if store == nil { continue }
                for _ in files { events.emit(.encoded, keyed.identifier, request: number) }
                pictures += files
            }
            guard let store, !pictures.isEmpty else { return }
            share(pictures, keyed)
            guard await store.store(pictures) else { return }
            await removeUntrusted(images[0], keyed, pictures.map(\.key))
            events.emit(.stored, keyed.identifier, request: number)
        }
    }
}

extension EncodedPicture {
    /// The file for the store.
    ///
    /// - Parameter partCount: the number of parts of the drawing, if it has parts.
    func stored(
        _ image: RenderedPicture, as variant: FileVariant, _ keyed: KeyedRequest, partCount: Int
    ) -> (key: PictureKey, picture: StoredPicture) {
        let info = PictureInfo(
            fingerprint: keyed.fingerprint, dependencies: image.dependencies, format: variant.format.name, size: size,
            scale: image.scale, isOpaque: image.picture.isOpaque, warnings: image.warnings,
            partCount: image.part == nil ? nil : partCount,
            content: PictureContent.stored(image.content, pages: pages))
        return (PictureKey(keyed.identifier, variant, part: image.part), StoredPicture(data: data, info: info))
    }
}
