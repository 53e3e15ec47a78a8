import Foundation

extension Renderer {
    /// The files of a request's picture, or of each of its parts: cached, or drawn, encoded and stored. Variants of one
    /// scale and medium share a drawing; each other scale or medium needs a separate drawing.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - variants: at least one.
    ///   - options: if `usesCache` is false, the picture is drawn; if `storesResult` is false, nothing is cached.
    /// - Throws: also `DrawingError.partsDiffer`, if a document has different parts at another scale.
    public func files(
        for request: any DrawingRequest, as variants: [FileVariant], options: RenderOptions = RenderOptions()
    ) async throws(RenderError) -> [RenderedFiles] {
        try await files(for: request, as: variants, options: options, control: RequestControl())
    }

    /// Submits a request for files and returns immediately.
    public func filesTask(
        for request: any DrawingRequest, as variants: [FileVariant], options: RenderOptions = RenderOptions()
    ) -> RenderTask<[RenderedFiles]> {
        let (promise, control) = (Promise<Result<[RenderedFiles], RenderError>>(), RequestControl())
        Task {
            let outcome: Result<[RenderedFiles], RenderError>
            do throws(RenderError) {
                outcome = .success(try await files(for: request, as: variants, options: options, control: control))
            } catch { outcome = .failure(error) }
            promise.keep(outcome)
        }
        return RenderTask(identifier: request.identifier, control: control, promise: promise)
    }

    /// Like `files(for:as:options:)`, for a caller that has its own `RequestControl`.
    package func files(
        for request: any DrawingRequest, as variants: [FileVariant], options: RenderOptions,
        control: RequestControl
    ) async throws(RenderError) -> [RenderedFiles] {
        let plan = FilesPlan(request, variants)
        var drawings: [[RenderedFiles]] = []
        for one in plan.drawings {
            drawings.append(
                try await filesOfOneDrawing(
                    for: one.request, as: one.variants, needing: one.variants, options: options, control))
        }
        return try plan.merged(drawings)
    }

    /// Like `files(for:as:options:)`, but a further file that cannot be made does not fail the picture: its reason is in `failures`.
    /// The first variant is the picture's own file, without which there is no picture.
    package func filesAndFailures(
        for request: any DrawingRequest, as variants: [FileVariant], options: RenderOptions = RenderOptions()
    ) async throws(RenderError) -> [RenderedFiles] {
        let (plan, control) = (FilesPlan(request, variants), RequestControl())
        var (drawings, failures): ([[RenderedFiles]?], [FileVariant: DrawingError]) = ([], [:])
        for (index, one) in plan.drawings.enumerated() {
            do throws(RenderError) {
                drawings.append(
                    try await filesOfOneDrawing(
                        for: one.request, as: one.variants, needing: index == 0 ? [plan.variants[0]] : [],
                        options: options, control))
            } catch {
                if index == 0 || !error.reason.isOfTheFile { throw error }
                drawings.append(nil)
                for variant in one.variants { failures[variant] = error.reason }
            }
        }
        return try plan.merged(drawings, failures)
    }

    /// True if `lendFiles` can find anything.
    package var lendsFiles: Bool { shelf.store != nil }

    /// Lends the stored files of many requests, before they enter the queue. Takes one transaction and one thread.
    ///
    /// - Parameters:
    ///   - slice: requests with their variants; nil to skip one.
    ///   - use: called on one of the store's threads, in the order of the slice, for each request whose files are all
    ///     stored and current. `lend` calls its closure with a file's bytes, which are valid only there, or returns
    ///     false if they are damaged. It returns nil if it has no use for the files.
    /// - Returns: what `use` returned; nil for a request that needs `files(for:as:options:)`.
    package func lendFiles<Answer: Sendable>(
        for slice: [(request: any DrawingRequest, variants: [FileVariant])?],
        _ use:
            @escaping @Sendable (
                _ index: Int, _ files: [RenderedFiles], _ lend: (RenderedFiles.File, (Data) -> Void) -> Bool
            ) -> Answer?
    ) async -> [Answer?] {
        let plans = slice.map { $0.map { FilesPlan($0.request, $0.variants) } }
        let wanted = plans.map { plan in
            let all = plan?.drawings.compactMap { one in keyed(one.request).map { ($0, one.variants) } } ?? []
            return all.count == plan?.drawings.count ? all : []
        }
        return await shelf.lend(wanted) { index, drawings, lend in
            // If the drawings cannot be combined, the request itself fails.
            guard let files = try? plans[index]?.merged(drawings) else { return nil }
            return use(index, files, lend)
        }
    }
}

/// Files that several machines share.
extension Renderer {
    /// The shared key of the work that a request's files need; nil if they are not shared.
    package func sharedKey(for request: any DrawingRequest, as variants: [FileVariant]) -> Digest? {
        guard let shared = shelf.shared, shelf.store != nil else { return nil }
        var keys: [Digest] = []
        for one in FilesPlan(request, variants).drawings {
            guard let keyed = keyed(one.request) else { return nil }
            keys.append(SharedKeys.drawing(shared.machineClass, keyed.fingerprint, one.variants.map(\.name)))
        }
        return SharedKeys.work(keys)
    }

    /// Gives stored files of a request to the other machines, which may not have them yet.
    package func shareFiles(for request: any DrawingRequest, as variants: [FileVariant]) async {
        guard let store = shelf.store else { return }
        for one in FilesPlan(request, variants).drawings {
            guard let keyed = keyed(one.request) else { continue }
            for variant in one.variants {
                let records = await store.look(without: []) { (look) throws(SQLiteError) in
                    try look.current(variant.name, of: keyed.identifier, keyed.fingerprint)
                }
                guard let files = await store.files(of: records) else { continue }
                shelf.share(zip(records, files).map { ($0.key, $1) }, keyed, areNew: false)
            }
        }
    }

    /// The local files that differ from those that another machine used to draw a request; nil if no machine has drawn
    /// it. Empty if the shared cache has a drawing with the same files.
    package func differingFiles(for request: any DrawingRequest, as variants: [FileVariant]) async -> [String]? {
        guard let shared = shelf.shared else { return nil }
        var paths: Set<String> = []
        for one in FilesPlan(request, variants).drawings {
            guard let keyed = keyed(one.request) else { return nil }
            for variant in one.variants {
                let key = SharedKeys.picture(shared.machineClass, keyed.fingerprint, variant.name)
                let drawings = await shared.drawings(for: key)
                if drawings.isEmpty { return nil }
                var differing: Set<String> = []
                for drawing in drawings {
                    if await keyed.isCurrent(drawing.dependencies) {
                        differing = []
                        break
                    }
                    differing.formUnion(drawing.dependencies.map(\.path))
                }
                paths.formUnion(differing)
            }
        }
        return paths.sorted()
    }

    /// True if the store has the files of a request, and these are current.
    package func hasFiles(for request: any DrawingRequest, as variants: [FileVariant]) async -> Bool {
        for one in FilesPlan(request, variants).drawings {
            guard let keyed = keyed(one.request), await shelf.hasFiles(for: keyed, as: one.variants) else {
                return false
            }
        }
        return true
    }
}

/// The drawings that a request's files need: one for each scale and medium.
private struct FilesPlan: Sendable {
    let variants: [FileVariant]
    let drawings: [(request: any DrawingRequest, scale: Double, variants: [FileVariant])]

    init(_ request: any DrawingRequest, _ variants: [FileVariant]) {
        let variants = variants.map { $0.resolved(for: request) }
        var ways: [(way: DrawingWay, variants: [FileVariant])] = []
        for variant in variants {
            let way = DrawingWay(variant, of: request)
            if let index = ways.firstIndex(where: { $0.way == way }) {
                if !ways[index].variants.contains(variant) { ways[index].variants.append(variant) }
            } else {
                ways.append((way, [variant]))
            }
        }
        self.variants = variants
        drawings = ways.map { ($0.way.applied(to: request), $0.way.scale, $0.variants) }
    }

    /// The files of all drawings, in the order of the variants.
    ///
    /// - Parameters:
    ///   - all: the files of each drawing; nil for one that failed, but not for the first one.
    ///   - failures: the reasons why the files of the failed drawings are missing.
    /// - Throws: `DrawingError.partsDiffer`.
    func merged(
        _ all: [[RenderedFiles]?], _ failures: [FileVariant: DrawingError] = [:]
    ) throws(RenderError) -> [RenderedFiles] {
        var parts = all[0] ?? []
        if drawings.count == 1, drawings[0].variants.count == variants.count { return parts }
        var files: [[FileVariant: RenderedFiles.File]] = parts.map { _ in [:] }
        var failures = parts.map { _ in failures }
        for (number, (drawn, drawing)) in zip(all, drawings).enumerated() {
            guard let drawn else { continue }
            guard parts.map(\.part) == drawn.map(\.part) else {
                let reason = DrawingError.partsDiffer(
                    count: parts.count, scale: drawings[0].scale, otherCount: drawn.count, otherScale: drawing.scale)
                throw RenderError(identifier: drawing.request.identifier, reason: reason)
            }
            for index in drawn.indices {
                if number > 0 { parts[index].add(drawn[index]) }
                for (place, error) in drawn[index].failures { failures[index][drawing.variants[place]] = error }
                let made = drawing.variants.indices.filter { drawn[index].failures[$0] == nil }
                for (place, file) in zip(made, drawn[index].files) { files[index][drawing.variants[place]] = file }
            }
        }
        for index in parts.indices {
            parts[index].files = variants.compactMap { files[index][$0] }
            parts[index].failures = Dictionary(
                uniqueKeysWithValues: variants.enumerated().compactMap { place, variant in
                    failures[index][variant].map { (place, $0) }
                })
        }
        return parts
    }
}

extension RenderedFiles {
    /// Combines the properties with those of another drawing.
    fileprivate mutating func add(_ other: RenderedFiles) {
        warnings += other.warnings.filter { !warnings.contains($0) }
        isCached = isCached && other.isCached
        duration += other.duration
    }
}

/// The properties that require a separate drawing.
private struct DrawingWay: Equatable {
    let scale: Double
    let medium: Medium

    init(_ variant: FileVariant, of request: some DrawingRequest) {
        scale = variant.scale ?? request.scale
        medium = variant.format.medium
    }

    func applied(to request: any DrawingRequest) -> any DrawingRequest {
        let scaled: any DrawingRequest = scale == request.scale ? request : request.scaled(to: scale)
        return medium == request.medium ? scaled : scaled.drawn(into: medium)
    }
}
