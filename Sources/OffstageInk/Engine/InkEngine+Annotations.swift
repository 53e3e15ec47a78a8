import Offstage
import OffstagePages

extension InkEngine {
    /// Reads the Ink annotations of a PDF document as strokes on white pages of the same sizes. Its worker program is that of PDF pages.
    ///
    /// The standard gives such an annotation points without pressure, and one width and colour: those of its appearance, if it has one.
    ///
    /// - Parameters:
    ///   - document: not encrypted.
    ///   - limits: of the points, and of each of the worker's jobs. Their time is that of all jobs together: once for the pages, and for
    ///     each 250 of them once for their annotations; a document larger than 16 MiB has as much for each 16 MiB. Default `InkLimits()`.
    /// - Returns: a page for each of the document's; without strokes if it has no Ink annotations.
    /// - Throws: the errors of a drawing of the document's pages.
    public func load(
        annotationsOf document: PageDocument, limits: InkLimits = InkLimits()
    ) async throws(DrawingError) -> Ink {
        var (pages, points) = ([InkPage](), 0)
        var series = AnswerSeries(documentBytes: document.data.count, budget: limits.budget)
        let sizes = try await backgrounds.info(of: document, limits, &series).pages
        // For all pages together: a document can claim any number of them.
        var budget = limits.budget
        budget.seconds *= Double(1 + sizes.count / 250)
        series = AnswerSeries(documentBytes: document.data.count, budget: budget)
        for (index, size) in sizes.enumerated() {
            var page = InkPage(width: Float(size.width), height: Float(size.height))
            var strokes: [Stroke] = []
            for annotation in try await backgrounds.annotations(of: document, page: index + 1, limits, &series)
            where annotation.kind == .ink {
                strokes += annotation.inkStrokes(on: page)
            }
            points += strokes.reduce(0) { $0 + $1.points.count }
            if points > limits.points { throw InkFailure.tooManyPoints(limits.points) }
            page.layers = [InkLayer(strokes: strokes)]
            pages.append(page)
        }
        return Ink(pages: pages)
    }
}

extension PageAnnotation {
    fileprivate func inkStrokes(on page: InkPage) -> [Stroke] {
        let color = InkColor(red: color.red, green: color.green, blue: color.blue)
        return strokes.filter { !$0.isEmpty }.map { places in
            let points = places.map { InkPoint(x: Float($0.x) * page.width, y: Float($0.y) * page.height) }
            return Stroke(points, color: color, width: Float(width))
        }
    }
}
