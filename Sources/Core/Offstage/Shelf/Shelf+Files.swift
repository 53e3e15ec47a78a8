import Foundation

extension Shelf {
    /// The files of a request's drawing, if they are all in memory and no other file has to be compared.
    func filesAtOnce(for keyed: KeyedRequest, as variants: [FileVariant]) -> Found<[RenderedFiles]>? {
        guard let kept = inMemory(variants, keyed), kept.allSatisfy(\.dependencies.isEmpty) else { return nil }
        return found(kept, for: keyed, as: variants)
    }

    /// The files of a request's drawing, from memory or the store.
    ///
    /// - Parameter variants: at least one, all at the request's scale.
    func files(for keyed: KeyedRequest, as variants: [FileVariant]) async -> Found<[RenderedFiles]>? {
        if let kept = inMemory(variants, keyed), await areCurrent(kept, keyed) {
            return found(kept, for: keyed, as: variants)
        }
        var files = await onDisk(variants, keyed)
        if files == nil, await fetch(variants, keyed) { files = await onDisk(variants, keyed) }
        guard let files else { return nil }
        return Found(files, .hitOnDisk, files[0].warnings, for: keyed.request)
    }

    /// True if memory or the store has the files. Does not ask other machines.
    func hasFiles(for keyed: KeyedRequest, as variants: [FileVariant]) async -> Bool {
        if let kept = inMemory(variants, keyed), await areCurrent(kept, keyed) { return true }
        return await onDisk(variants, keyed) != nil
    }

    private func inMemory(_ variants: [FileVariant], _ keyed: KeyedRequest) -> [CachedFile]? {
        guard let files else { return nil }
        var kept: [CachedFile] = []
        for variant in variants {
            guard let file = files.value(for: PictureKey(keyed.identifier, variant)),
                file.fingerprint == keyed.fingerprint.digest
            else { return nil }
            kept.append(file)
        }
        return kept
    }

    private func areCurrent(_ kept: [CachedFile], _ keyed: KeyedRequest) async -> Bool {
        for file in kept { guard await keyed.isCurrent(file.dependencies) else { return false } }
        return true
    }

    private func found(
        _ kept: [CachedFile], for keyed: KeyedRequest, as variants: [FileVariant]
    ) -> Found<[RenderedFiles]> {
        // A hit in memory is also a use of the stored files.
        store?.touch(variants.map { PictureKey(keyed.identifier, $0) })
        return Found([RenderedFiles(kept)], .hitInMemory, kept[0].warnings, for: keyed.request)
    }

    private func onDisk(_ variants: [FileVariant], _ keyed: KeyedRequest) async -> [RenderedFiles]? {
        guard let store else { return nil }
        let stored = await store.look(without: nil) { (look) throws(SQLiteError) -> StoredFiles? in
            try self.stored(variants, keyed, &look, in: store)
        }
        guard let stored else { return nil }
        for dependencies in stored.dependencies { guard await keyed.isCurrent(dependencies) else { return nil } }
        return stored.files
    }

    struct StoredFiles: Sendable {
        var files: [RenderedFiles]
        /// Check each variant: they may be from different drawings, which used different files.
        var dependencies: [[Dependency]]
    }

    /// The stored files of a request's drawing, whose dependencies the caller checks.
    func stored(
        _ variants: [FileVariant], _ keyed: KeyedRequest, _ look: inout StoreLook, in store: PictureStore
    ) throws(SQLiteError) -> StoredFiles? {
        let start = ContinuousClock.now
        var records: [[PictureRecord]] = []
        for variant in variants {
            let found = try look.current(variant.name, of: keyed.identifier, keyed.fingerprint)
            guard !found.isEmpty, found.map(\.key.part) == (records.first ?? found).map(\.key.part) else { return nil }
            records.append(found)
        }
        let files = records[0].indices.map { index in
            let info = records[0][index].info
            return RenderedFiles(
                part: records[0][index].key.part, scale: info.scale, warnings: info.warnings,
                content: info.content?.ofPicture, isCached: true, duration: start.duration(to: .now),
                files: zip(records, variants).map { file(of: $0[index], as: $1, keyed, in: store) })
        }
        return StoredFiles(files: files, dependencies: records.map { $0[0].info.dependencies })
    }

    /// A stored file. Its bytes are read on demand, and then cached in memory.
    private func file(
        of record: PictureRecord, as variant: FileVariant, _ keyed: KeyedRequest, in store: PictureStore
    ) -> RenderedFiles.File {
        let (info, fingerprint) = (record.info, keyed.fingerprint.digest)
        func file(_ bytes: @escaping @Sendable () async -> Data?) -> RenderedFiles.File {
            RenderedFiles.File(
                size: info.size, scale: info.scale, byteCount: record.byteCount, pages: info.content?.pages,
                content: record.content, blob: record.blob, bytes: bytes)
        }
        let unread = file { nil }
        return file { [files, identifier = keyed.identifier] in
            guard let data = await store.data(of: record) else { return nil }
            if info.partCount == nil {
                let kept = CachedFile(
                    unread, data: data, fingerprint: fingerprint, dependencies: info.dependencies,
                    warnings: info.warnings, content: info.content?.ofPicture)
                files?.insert(kept, for: PictureKey(identifier, variant))
            }
            return data
        }
    }

    /// Caches the files of a whole picture in memory.
    func remember(
        _ files: RenderedFiles, of image: RenderedPicture, _ keyed: KeyedRequest, as variants: [FileVariant]
    ) {
        guard let cache = self.files, image.part == nil, image.warnings.areLasting else { return }
        for (file, variant) in zip(files.files, variants) {
            guard let data = file.dataAtOnce else { continue }
            let kept = CachedFile(
                file, data: data, fingerprint: keyed.fingerprint.digest, dependencies: image.dependencies,
                warnings: image.warnings, content: image.content)
            cache.insert(kept, for: PictureKey(keyed.identifier, variant))
        }
    }
}

extension PictureStore {
    /// Nil if the picture was evicted meanwhile, or another process replaced it.
    fileprivate func data(of record: PictureRecord) async -> Data? {
        guard let data = await picture(for: record.key)?.data, Digest(of: data) == record.content else { return nil }
        return data
    }
}
