extension Renderer {
    /// The files of a request's picture, or of each of its parts, from the store or drawn, encoded and stored. Variants of one
    /// scale are made of one drawing; each further scale is a drawing of its own, as if it were asked for alone.
    ///
    /// - Parameters:
    ///   - request: what to draw.
    ///   - variants: at least one.
    ///   - options: `usesCache` false draws anew, `storesResult` false keeps nothing.
    /// - Throws: also `DrawingError.partsDiffer`, where a document has other parts at another scale.
    public func files(
        for request: E.Request, as variants: [ImageVariant], options: RenderOptions = RenderOptions()
    ) async throws(RenderError) -> [RenderedFiles] {
        try await files(for: request, as: variants, options: options) {}
    }

    /// As the other.
    ///
    /// - Parameter opened: called whenever a request of it has come to the queue: from then on its group can be cancelled and
    ///   moved. What is kept needs none.
    package func files(
        for request: E.Request, as variants: [ImageVariant], options: RenderOptions, opened: @Sendable () -> Void
    ) async throws(RenderError) -> [RenderedFiles] {
        let variants = variants.map { $0.resolved(for: request) }
        var scales: [Double] = []
        for case let scale? in variants.map(\.scale) where !scales.contains(scale) { scales.append(scale) }
        var parts: [RenderedFiles] = []
        var files: [[ImageVariant: RenderedFiles.File]] = []
        for scale in scales {
            var own: [ImageVariant] = []
            for variant in variants where variant.scale == scale && !own.contains(variant) { own.append(variant) }
            let scaled = scale == request.scale ? request : request.scaled(to: scale)
            let drawn = try await filesOfOneDrawing(for: scaled, as: own, options: options, opened)
            if parts.isEmpty {
                parts = drawn
                files = drawn.map { _ in [:] }
            } else {
                guard parts.map(\.part) == drawn.map(\.part) else {
                    let reason = DrawingError.partsDiffer(
                        count: parts.count, scale: scales[0], otherCount: drawn.count, otherScale: scale)
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
