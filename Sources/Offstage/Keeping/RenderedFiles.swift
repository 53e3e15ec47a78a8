import Foundation

/// The files that were made of one picture, or that are kept from before.
public struct RenderedFiles: Sendable {
    /// Which of several parts that the request asked for, from 1; nil for a whole picture.
    public let part: Int?
    /// Device px to a CSS px, of the first file.
    public let scale: Double
    /// Of all drawings that the files needed.
    public internal(set) var warnings: [DrawingWarning]
    /// What stands in the picture, of the first drawing; nil where the request did not ask for it.
    public let content: PictureContent?
    /// True: nothing was drawn for it.
    public internal(set) var isKept: Bool
    /// From the start of the drawing, after any waiting, to the files' last byte; or that of the look-up. The sum, where the
    /// files needed several drawings.
    public internal(set) var duration: Duration
    /// In the order of the variants.
    public internal(set) var files: [File]

    /// False where the picture lacks something that its author put there; `warnings` says what.
    public var isComplete: Bool { !warnings.contains(where: \.code.isDefect) }

    public struct File: Sendable {
        /// Device px; a thumbnail's own.
        public let size: PixelSize
        /// Device px to a CSS px; a thumbnail's is that of the picture it was made of.
        public let scale: Double
        public let byteCount: Int
        /// Of the bytes: a file that has the same is this one.
        public let content: Digest
        /// The bytes where they are in memory; nil where they have to be read.
        public let dataAtOnce: Data?
        private let bytes: @Sendable () async -> Data?

        init(
            size: PixelSize, scale: Double, byteCount: Int, content: Digest, dataAtOnce: Data? = nil,
            bytes: @escaping @Sendable () async -> Data?
        ) {
            (self.size, self.scale, self.byteCount, self.content) = (size, scale, byteCount, content)
            self.dataAtOnce = dataAtOnce
            self.bytes = bytes
        }

        /// The bytes; nil where they are not kept any more, or damaged: the picture has to be drawn then.
        public func data() async -> Data? { await bytes() }
    }
}

extension Renderer {
    /// The files of a request's drawing at one scale.
    ///
    /// - Parameter variants: at least one, all at the request's scale, no two of the same name.
    func filesOfOneDrawing(
        for request: any DrawingRequest, as variants: [ImageVariant], options: RenderOptions,
        _ control: RequestControl
    ) async throws(RenderError) -> [RenderedFiles] {
        let store = configuration.store
        let fingerprint = store == nil ? nil : fingerprint(of: request)
        var sharesWork = options.usesCache && options.storesResult
        while true {
            if let fingerprint, options.usesCache,
                let kept = await currentFilesInMemory(for: request, as: variants, fingerprint)
            {
                return kept
            }
            if let store, let fingerprint, options.usesCache,
                let kept = await keptFiles(for: request, as: variants, fingerprint, in: store)
            {
                queue.events.emit(.hitOnDisk, request.identifier, request: nil)
                guard let reason = request.refusal(of: kept[0].warnings) else { return kept }
                throw RenderError(identifier: request.identifier, reason: reason)
            }
            var job = Job()
            if let store, let fingerprint, sharesWork {
                job.variants = variants
                job.lastLook = LastLook(claim: DrawingClaim(store.drawingLocks, for: fingerprint, as: variants)) {
                    [weak self] in
                    await self?.keptFiles(for: request, as: variants, fingerprint, in: store).map { _ in [] }
                }
            }
            defer { job.lastLook?.claim.give() }
            let images = try await images(for: request, options, job, control)
            if images.isEmpty {
                // Others have stored the files meanwhile: they are found at the beginning, but for what joined somebody
                // else's request and whose own are not.
                sharesWork = false
                continue
            }
            let keeping = options.storesResult ? store : nil
            do throws(EncodingError) {
                let files = try await Self.encoded(
                    images, as: variants, fingerprint, request.identifier, request.extra, keeping, queue.events)
                if let fingerprint, keeping != nil { remember(files, images, of: request, as: variants, fingerprint) }
                return files
            } catch {
                throw RenderError(identifier: request.identifier, reason: .encodingFailed(error))
            }
        }
    }

    private func keptFiles(
        for request: any DrawingRequest, as variants: [ImageVariant], _ fingerprint: Fingerprint, in store: ImageStore
    ) async -> [RenderedFiles]? {
        let start = ContinuousClock.now
        var records: [[PictureRecord]] = []
        for variant in variants {
            let found = await store.current(variant.name, of: request.identifier, fingerprint)
            guard !found.isEmpty, found.map(\.key.part) == (records.first ?? found).map(\.key.part) else { return nil }
            // Each: one may be from an earlier drawing than the other, when a file was another.
            guard await isCurrent(found[0].info.dependencies, for: request) else { return nil }
            records.append(found)
        }
        return records[0].indices.map { index in
            let info = records[0][index].info
            return RenderedFiles(
                part: records[0][index].key.part, scale: info.scale, warnings: info.warnings,
                content: info.content, isKept: true, duration: start.duration(to: .now),
                files: zip(records, variants).map { found, variant in
                    let record = found[index]
                    @Sendable func file(_ bytes: @escaping @Sendable () async -> Data?) -> RenderedFiles.File {
                        RenderedFiles.File(
                            size: record.info.size, scale: record.info.scale, byteCount: record.byteCount,
                            content: record.content, bytes: bytes)
                    }
                    return file { [weak self, identifier = request.identifier] in
                        guard let data = await store.data(of: record) else { return nil }
                        if info.partCount == nil {
                            self?.remember(
                                KeptFile(
                                    file { nil }, data: data, fingerprint: fingerprint,
                                    dependencies: record.info.dependencies, warnings: info.warnings,
                                    content: info.content),
                                of: identifier, as: variant)
                        }
                        return data
                    }
                })
        }
    }

    /// In memory, where there is one for files.
    private func remember(
        _ files: [RenderedFiles], _ images: [RenderedImage], of request: any DrawingRequest,
        as variants: [ImageVariant],
        _ fingerprint: Fingerprint
    ) {
        guard configuration.files != nil, images.count == 1, images[0].part == nil, images[0].warnings.areLasting else {
            return
        }
        for (file, variant) in zip(files[0].files, variants) {
            guard let data = file.dataAtOnce else { continue }
            let kept = KeptFile(
                file, data: data, fingerprint: fingerprint, dependencies: images[0].dependencies,
                warnings: images[0].warnings, content: images[0].content)
            remember(kept, of: request.identifier, as: variant)
        }
    }

    /// Off the caller's thread: it takes time in proportion to the pixels.
    @concurrent
    private nonisolated static func encoded(
        _ images: [RenderedImage], as variants: [ImageVariant], _ fingerprint: Fingerprint?, _ identifier: String,
        _ extra: String?, _ store: ImageStore?, _ events: EventHub
    ) async throws(EncodingError) -> [RenderedFiles] {
        var all: [RenderedFiles] = []
        var pictures: [(key: PictureKey, picture: StoredPicture)] = []
        for image in images {
            let start = ContinuousClock.now
            var files: [RenderedFiles.File] = []
            for variant in variants {
                let encoded = try image.encoded(as: variant)
                let data = encoded.data
                events.emit(.encoded, identifier, request: nil)
                files.append(
                    RenderedFiles.File(
                        size: encoded.size, scale: image.scale, byteCount: data.count, content: Digest(of: data),
                        dataAtOnce: data
                    ) { data })
                guard let fingerprint, store != nil, image.warnings.areLasting else { continue }
                pictures.append(
                    encoded.stored(image, as: variant, fingerprint, identifier, partCount: images.count))
            }
            all.append(
                RenderedFiles(
                    part: image.part, scale: image.scale, warnings: image.warnings, content: image.content,
                    isKept: false,
                    duration: image.duration + start.duration(to: .now), files: files))
        }
        for index in pictures.indices { pictures[index].picture.info.extra = extra }
        if let store, !pictures.isEmpty, await store.store(pictures) {
            events.emit(.stored, identifier, request: nil)
        }
        return all
    }
}

extension ImageStore {
    /// Nil where it is not kept any more, or another process has put another picture in its place.
    fileprivate func data(of record: PictureRecord) async -> Data? {
        guard let data = await picture(for: record.key)?.data, Digest(of: data) == record.content else { return nil }
        return data
    }
}
