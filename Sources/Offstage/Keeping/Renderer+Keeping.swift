import Foundation

/// Pictures from before: looked for between a request's opening and the queue, kept after its drawing.
extension Renderer {
    var keeps: Bool { configuration.memory != nil || configuration.store != nil }

    /// What is kept and needs no look at a disk; nil where there is no such thing.
    func imagesAtOnce(for request: E.Request, _ fingerprint: Fingerprint) -> [RenderedImage]? {
        guard let kept = inMemory(request, fingerprint), kept.images[0].dependencies.isEmpty else { return nil }
        return kept.images
    }

    /// What is kept in memory or on disk and still right.
    func keptImages(
        for request: E.Request, _ fingerprint: Fingerprint
    ) async -> (images: [RenderedImage], event: RenderEvent.Kind)? {
        if let kept = inMemory(request, fingerprint), await isCurrent(kept.images[0].dependencies, for: request) {
            return (kept.images, .hitInMemory)
        }
        guard let images = await onDisk(request, fingerprint) else { return nil }
        configuration.memory?.insert(
            KeptImages(fingerprint: fingerprint, images: images), for: .pixels(of: request.identifier))
        return (images, .hitOnDisk)
    }

    private func inMemory(_ request: E.Request, _ fingerprint: Fingerprint) -> KeptImages? {
        guard let kept = configuration.memory?.value(for: .pixels(of: request.identifier)),
            kept.fingerprint == fingerprint
        else { return nil }
        return kept
    }

    private func onDisk(_ request: E.Request, _ fingerprint: Fingerprint) async -> [RenderedImage]? {
        guard let store = configuration.store else { return nil }
        let start = ContinuousClock.now
        let records = await store.current(
            PictureKey.pixels(of: request.identifier).variant, of: request.identifier, fingerprint)
        guard let first = records.first, await isCurrent(first.info.dependencies, for: request) else { return nil }
        return await store.images(of: records, for: request.identifier, since: start)
    }

    /// Whether the files that a drawing used are the same now.
    func isCurrent(_ dependencies: [Dependency], for request: E.Request) async -> Bool {
        for dependency in dependencies where await engine.digest(of: dependency.path, for: request) != dependency.digest
        {
            return false
        }
        return true
    }

    /// Keeps what was drawn: in memory at once, on disk soon; `finish` waits for that.
    func keep(_ images: [RenderedImage], _ fingerprint: Fingerprint, _ identifier: String, request: Int) {
        guard images[0].warnings.areLasting else { return }
        configuration.memory?.insert(
            KeptImages(fingerprint: fingerprint, images: images), for: .pixels(of: identifier))
        guard let store = configuration.store else { return }
        let events = queue.events
        errands.run {
            var pictures: [(key: PictureKey, picture: StoredPicture)] = []
            for image in images {
                guard let data = try? image.encoded() else { return }
                events.emit(.encoded, identifier, request: request)
                let variant = PictureKey.pixels(of: identifier).variant
                let info = PictureInfo(
                    fingerprint, image, format: "png", size: image.size,
                    partCount: image.part == nil ? nil : images.count)
                pictures.append(
                    (PictureKey(identifier, variant: variant, part: image.part), StoredPicture(data: data, info: info)))
            }
            if await store.store(pictures) { events.emit(.stored, identifier, request: request) }
        }
    }
}

extension PictureInfo {
    init(_ fingerprint: Fingerprint, _ image: RenderedImage, format: String, size: PixelSize, partCount: Int?) {
        self.init(
            fingerprint: fingerprint, dependencies: image.dependencies, format: format, size: size,
            scale: image.scale, isOpaque: image.pixmap.isOpaque, warnings: image.warnings, partCount: partCount)
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
