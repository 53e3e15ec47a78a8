import Foundation

/// A picture's file as it is kept in memory: for a service that gives the same file again and again.
public struct KeptFile: Sendable {
    let fingerprint: Digest
    let dependencies: [Dependency]
    let warnings: [DrawingWarning]
    let content: PictureContent?
    /// Device px.
    let size: PixelSize
    let scale: Double
    let data: Data
    /// Of the bytes.
    let digest: Digest

    /// Bytes that it takes: what an `ImageCache` goes by.
    public var byteCount: Int { data.count + (content?.byteCount ?? 0) + 512 }

    /// A cache of them, least recently used first to leave.
    public static func cache(limits: ImageCacheLimits = ImageCacheLimits()) -> ImageCache<KeptFile> {
        ImageCache(limits: limits) { $0.byteCount }
    }

    init(
        _ file: RenderedFiles.File, data: Data, fingerprint: Fingerprint, dependencies: [Dependency],
        warnings: [DrawingWarning], content: PictureContent?
    ) {
        self.fingerprint = fingerprint.digest
        self.dependencies = dependencies
        self.warnings = warnings
        self.content = content
        (size, scale, self.data, digest) = (file.size, file.scale, data, file.content)
    }
}

extension Renderer {
    /// The files of a whole picture, all at the request's scale, where memory has them and no disk has to be looked at; nil
    /// where there is no such thing. It is the first step of `files(for:as:options:)`, for a caller who answers in the same turn.
    public func filesAtOnce(
        for request: any DrawingRequest, as variants: [ImageVariant], options: RenderOptions = RenderOptions()
    ) -> [RenderedFiles]? {
        guard configuration.files != nil, options.usesCache, let fingerprint = fingerprint(of: request) else {
            return nil
        }
        return filesAtOnce(for: request, as: variants, fingerprint)
    }

    /// As the other, for a caller who knows the fingerprint.
    package func filesAtOnce(
        for request: any DrawingRequest, as variants: [ImageVariant], _ fingerprint: Fingerprint
    ) -> [RenderedFiles]? {
        let variants = variants.map { $0.resolved(for: request) }
        guard variants.allSatisfy({ $0.scale == request.scale && $0.format.medium == .pixels }),
            let kept = filesInMemory(for: request, as: variants, fingerprint),
            kept.allSatisfy(\.dependencies.isEmpty), request.refusal(of: kept[0].warnings) == nil
        else { return nil }
        return give(kept, to: request, as: variants)
    }

    /// As the other, where files that the drawing used may have to be looked at.
    func currentFilesInMemory(
        for request: any DrawingRequest, as variants: [ImageVariant], _ fingerprint: Fingerprint
    ) async -> [RenderedFiles]? {
        guard let kept = filesInMemory(for: request, as: variants, fingerprint) else { return nil }
        for one in kept { guard await isCurrent(one.dependencies, for: request) else { return nil } }
        if request.refusal(of: kept[0].warnings) != nil { return nil }
        return give(kept, to: request, as: variants)
    }

    /// Keeps a whole picture's file.
    func remember(_ file: KeptFile, of identifier: String, as variant: ImageVariant) {
        configuration.files?.insert(file, for: PictureKey(identifier, variant))
    }

    private func filesInMemory(
        for request: any DrawingRequest, as variants: [ImageVariant], _ fingerprint: Fingerprint
    ) -> [KeptFile]? {
        guard let files = configuration.files else { return nil }
        var kept: [KeptFile] = []
        for variant in variants {
            guard let file = files.value(for: PictureKey(request.identifier, variant)),
                file.fingerprint == fingerprint.digest
            else { return nil }
            kept.append(file)
        }
        return kept
    }

    private func give(
        _ kept: [KeptFile], to request: any DrawingRequest, as variants: [ImageVariant]
    ) -> [RenderedFiles] {
        queue.events.emit(.hitInMemory, request.identifier, request: nil)
        // What is used here is not to leave the disk first.
        configuration.store?.touch(variants.map { PictureKey(request.identifier, $0) })
        return [RenderedFiles(kept)]
    }
}

extension RenderedFiles {
    fileprivate init(_ kept: [KeptFile]) {
        self.init(
            part: nil, scale: kept[0].scale, warnings: kept[0].warnings, content: kept[0].content, isKept: true,
            duration: .zero,
            files: kept.map { one in
                File(
                    size: one.size, scale: one.scale, byteCount: one.data.count, content: one.digest,
                    dataAtOnce: one.data
                ) { one.data }
            })
    }
}
