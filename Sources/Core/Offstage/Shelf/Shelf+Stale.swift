/// Pictures of an earlier state of their source, for callers that request them with `RenderOptions.showsStale`.
extension Shelf {
    /// A picture in memory that is certainly of an earlier state, so no file has to be compared.
    func stalePictureAtOnce(for keyed: KeyedRequest) -> RenderedPicture? {
        guard let kept = memory?.value(for: .pixels(of: keyed.request)), kept.fingerprint != keyed.fingerprint else {
            return nil
        }
        return usable(kept.images[0].fromMemory, keyed)
    }

    /// The picture that memory or the store has under the identifier, if it is out of date.
    func stalePicture(for keyed: KeyedRequest) async -> RenderedPicture? {
        let key = PictureKey.pixels(of: keyed.request)
        if let kept = memory?.value(for: key) {
            if kept.fingerprint == keyed.fingerprint, await keyed.isCurrent(kept.images[0].dependencies) { return nil }
            return usable(kept.images[0].fromMemory, keyed)
        }
        let start = ContinuousClock.now
        guard let store, let record = await store.parts(of: key.identifier, variant: key.variant).first else {
            return nil
        }
        if record.info.fingerprint == keyed.fingerprint, await keyed.isCurrent(record.info.dependencies) { return nil }
        let files = await store.files(of: [record])
        let images = files.flatMap { [record].decoded($0, for: keyed.identifier, since: start) }
        return images.flatMap { usable($0[0], keyed) }
    }

    /// Nil if the picture lacks something and the request asks for a complete one.
    private func usable(_ image: RenderedPicture, _ keyed: KeyedRequest) -> RenderedPicture? {
        keyed.request.refusal(of: image.warnings) == nil ? image : nil
    }
}
