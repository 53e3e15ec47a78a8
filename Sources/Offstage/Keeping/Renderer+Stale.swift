/// Pictures of an older state of their source, for who asks for them by `RenderOptions.showsStale`.
extension Renderer {
    /// What memory has that was surely made of something else: that needs no look at a file.
    func staleImageAtOnce(for request: any DrawingRequest, _ options: RenderOptions) -> RenderedImage? {
        guard options.showsStale, options.usesCache,
            let kept = configuration.memory?.value(for: .pixels(of: request)),
            let fingerprint = fingerprint(of: request), kept.fingerprint != fingerprint
        else { return nil }
        return answer(kept.images[0].fromMemory, to: request)
    }

    /// What memory or the disk has under the identifier and is not right any more; nil for a picture that is right, which
    /// comes as such.
    func staleImage(for request: any DrawingRequest, _ options: RenderOptions) async -> RenderedImage? {
        guard options.showsStale, options.usesCache, let fingerprint = fingerprint(of: request) else {
            return nil
        }
        let key = PictureKey.pixels(of: request)
        if let kept = configuration.memory?.value(for: key) {
            if kept.fingerprint == fingerprint, await isCurrent(kept.images[0].dependencies, for: request) {
                return nil
            }
            return answer(kept.images[0].fromMemory, to: request)
        }
        let start = ContinuousClock.now
        guard let store = configuration.store,
            let record = await store.parts(of: key.identifier, variant: key.variant).first
        else { return nil }
        if record.info.fingerprint == fingerprint, await isCurrent(record.info.dependencies, for: request) {
            return nil
        }
        let images = await store.images(of: [record], for: request.identifier, since: start)
        return images.flatMap { answer($0[0], to: request) }
    }

    /// One that lacks something is not shown to who wants all.
    private func answer(_ image: RenderedImage, to request: any DrawingRequest) -> RenderedImage? {
        request.refusal(of: image.warnings) == nil ? image : nil
    }
}
