import Offstage
import OffstagePages

extension InkEngine {
    /// Reads the Ink annotations of a PDF document as strokes on white pages of the same sizes. It uses the worker
    /// program of PDF pages.
    ///
    /// The standard gives such an annotation points without pressure, and one width, colour and opacity; an annotation
    /// that Offstage has saved has the widths at its points, too. An annotation that darkens the content below becomes
    /// a highlighter stroke. Annotations that viewers do not show are left out.
    ///
    /// - Parameters:
    ///   - document: the document.
    ///   - password: the password of an encrypted document. Default none.
    ///   - limits: limits on the points and on each worker job. Default `InkLimits()`.
    /// - Returns: one page for each page of the document, without strokes if it has no Ink annotations.
    /// - Throws: the errors of a drawing of the document's pages.
    public func load(
        annotationsOf document: PageDocument, password: String? = nil, limits: InkLimits = InkLimits()
    ) async throws(DrawingError) -> Ink {
        var (pages, points) = ([InkPage](), 0)
        var series = AnswerSeries(documentBytes: document.data.count, budget: limits.budget)
        let sizes = try await backgrounds.info(of: document, password, limits, &series).pages
        var strokes: [Int: [Stroke]] = [:]
        for (annotation, page) in try await backgrounds.annotations(of: document, password, limits)
        where annotation.kind == .ink && sizes.indices.contains(page - 1) {
            let new = annotation.inkStrokes(width: sizes[page - 1].width, height: sizes[page - 1].height)
            points += new.reduce(0) { $0 + $1.points.count }
            if points > limits.points { throw InkFailure.tooManyPoints(limits.points) }
            strokes[page, default: []] += new
        }
        for (index, size) in sizes.enumerated() {
            var page = InkPage(width: Float(size.width), height: Float(size.height))
            page.layers = [InkLayer(strokes: strokes[index + 1] ?? [])]
            pages.append(page)
        }
        return Ink(pages: pages)
    }
}

extension PageAnnotation {
    /// - Parameters:
    ///   - width: the page's width in points.
    ///   - height: the page's height in points.
    fileprivate func inkStrokes(width side: Double, height: Double) -> [Stroke] {
        let opacity = (Double(pen?.opacity ?? 255) * min(max(opacity, 0), 1)).rounded()
        let color = InkColor(red: color.red, green: color.green, blue: color.blue, opacity: UInt8(opacity))
        let hasWidths = width > 0 && pen?.widths.map(\.count) == strokes.map(\.count)
        return strokes.enumerated().filter { !$1.isEmpty }.map { index, places in
            var points = places.map { InkPoint(x: Float($0.x * side), y: Float($0.y * height)) }
            if hasWidths, let widths = pen?.widths[index] {
                for (point, own) in widths.enumerated() { points[point].pressure = Float(own / width) }
            }
            var stroke = Stroke(
                points, tool: pen?.isHighlighter == true ? .highlighter : .pen, color: color, width: Float(width))
            if hasWidths { stroke.dynamics = .pressure }
            return stroke
        }
    }
}
