extension Renderer {
    /// The files of a request's picture, or of each of its parts, from the store or drawn, encoded and stored. Variants of one
    /// scale and medium are made of one drawing; each further one is a drawing of its own, as if it were asked for alone.
    ///
    /// - Parameters:
    ///   - request: what to draw.
    ///   - variants: at least one.
    ///   - options: `usesCache` false draws anew, `storesResult` false keeps nothing.
    /// - Throws: also `DrawingError.partsDiffer`, where a document has other parts at another scale.
    public func files(
        for request: any DrawingRequest, as variants: [ImageVariant], options: RenderOptions = RenderOptions()
    ) async throws(RenderError) -> [RenderedFiles] {
        try await files(for: request, as: variants, options: options, control: RequestControl())
    }

    /// Takes a request for files in and returns immediately; the task has the files later.
    public func filesTask(
        for request: any DrawingRequest, as variants: [ImageVariant], options: RenderOptions = RenderOptions()
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

    /// Like `files(for:as:options:)`, for a caller that has a control of its own.
    package func files(
        for request: any DrawingRequest, as variants: [ImageVariant], options: RenderOptions,
        control: RequestControl
    ) async throws(RenderError) -> [RenderedFiles] {
        let variants = variants.map { $0.resolved(for: request) }
        var ways: [DrawingWay] = []
        for way in variants.map({ DrawingWay($0, of: request) }) where !ways.contains(way) { ways.append(way) }
        var parts: [RenderedFiles] = []
        var files: [[ImageVariant: RenderedFiles.File]] = []
        for way in ways {
            var own: [ImageVariant] = []
            for variant in variants where DrawingWay(variant, of: request) == way && !own.contains(variant) {
                own.append(variant)
            }
            let drawn = try await filesOfOneDrawing(for: way.applied(to: request), as: own, options: options, control)
            if parts.isEmpty {
                parts = drawn
                files = drawn.map { _ in [:] }
            } else {
                guard parts.map(\.part) == drawn.map(\.part) else {
                    let reason = DrawingError.partsDiffer(
                        count: parts.count, scale: ways[0].scale, otherCount: drawn.count, otherScale: way.scale)
                    throw RenderError(identifier: request.identifier, reason: reason)
                }
                for index in drawn.indices { parts[index].add(drawn[index]) }
            }
            for index in drawn.indices {
                for (variant, file) in zip(own, drawn[index].files) { files[index][variant] = file }
            }
        }
        for index in parts.indices { parts[index].files = variants.compactMap { files[index][$0] } }
        return parts
    }
}

extension RenderedFiles {
    /// What holds for all, with another drawing beside this one.
    fileprivate mutating func add(_ other: RenderedFiles) {
        warnings += other.warnings.filter { !warnings.contains($0) }
        isKept = isKept && other.isKept
        duration += other.duration
    }
}

/// What a drawing of its own is needed for.
private struct DrawingWay: Equatable {
    let scale: Double
    let medium: Medium

    init(_ variant: ImageVariant, of request: some DrawingRequest) {
        scale = variant.scale ?? request.scale
        medium = variant.format.medium
    }

    func applied(to request: any DrawingRequest) -> any DrawingRequest {
        let scaled: any DrawingRequest = scale == request.scale ? request : request.scaled(to: scale)
        return medium == request.medium ? scaled : scaled.drawn(into: medium)
    }
}
