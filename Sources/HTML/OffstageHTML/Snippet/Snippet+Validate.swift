import Offstage

extension Snippet {
    /// - Throws: `DrawingError.invalidRequest`, `.overLimit`, `.empty` or `.notText`.
    package func validate() throws(DrawingError) {
        let limit = SnapshotLimits.engine.side
        func check(_ name: String, _ value: Int, limit: Int = limit) throws(DrawingError) {
            guard (1...limit).contains(value) else {
                throw .invalidRequest("the \(name) is \(value) CSS px; it must be 1 to \(limit)")
            }
        }
        try check("width", geometry.width)
        if case .fixed(let height) = geometry.height { try check("height", height) }
        if let height = geometry.viewportHeight { try check("viewport height", height) }
        if let height = geometry.minimumHeight { try check("minimum height", height) }
        if let height = geometry.maximumHeight {
            try check("maximum height", height, limit: SnapshotLimits.heightLimit)
        }
        if let low = geometry.minimumHeight, let high = geometry.maximumHeight, low > high {
            throw .invalidRequest("the minimum height is \(low) CSS px, the maximum \(high); exchange them")
        }
        if let outset = selector?.outset, !(0...limit).contains(outset) {
            throw .invalidRequest("the outset is \(outset) CSS px; it must be 0 to \(limit)")
        }
        guard (0...limit).contains(margins.padding) else {
            throw .invalidRequest("the padding is \(margins.padding) CSS px; it must be 0 to \(limit)")
        }
        guard (0.25...3).contains(geometry.scale) else {
            throw .invalidRequest("the scale is \(geometry.scale); it must be 0.25 to 3")
        }
        guard timeout > 0, timeout <= 86_400 else {
            throw .invalidRequest("the timeout is \(timeout) s; it must be more than 0 and at most 86400")
        }
        try emulation.validate()
        try limits.validate()
        try limits.check(.inputBytes, html.count, of: limits.inputBytes)
        // A larger document of only white space turns out to have no height. The main thread must not search it.
        if html.count < 1 << 20, html.allSatisfy(Charset.isSpace) { throw .empty }
        if !isText { throw .notText }
    }

    /// False for bytes of another kind of file, and for a damaged packed SVG document.
    package var isText: Bool {
        let isDamaged = type == .svg && Gzip.isPacked(html)
        return !isDamaged && !(charsetOrigin == .fallback && Charset.isBinary(html))
    }
}
