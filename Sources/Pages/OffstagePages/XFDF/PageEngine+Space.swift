import COffstagePages
import Offstage
import OffstageWorkers

extension PageEngine {
    /// Finds the coordinates of a page's corners.
    ///
    /// - Parameters:
    ///   - page: from 1.
    ///   - series: the limits of the caller's whole query.
    func space(
        of document: PageDocument, page: Int, password: String?, budget: WorkerBudget, _ series: inout AnswerSeries
    ) async throws(DrawingError) -> PageSpace {
        var options = offstage_pages_options()
        options.page = UInt32(clamping: page - 1)
        let found = try await report(
            OFFSTAGE_PAGES_LOCATE, options, of: document, page: page, password, budget, &series
        ) { report throws(DrawingError) in
            guard report.records.count == 3, report.records.allSatisfy({ $0.kind == OFFSTAGE_PAGES_CORNER.rawValue })
            else { throw .untrueAnswer("the worker did not send the corners of the page") }
            return nil
        }
        guard let space = PageSpace(found.report.records.map(\.numbers)) else {
            throw PageFailure.pageDamaged(page).error
        }
        return space
    }
}

extension PageSpace {
    /// Nil for a page without area.
    fileprivate init?(_ corners: [(Int32, Int32, Int32, Int32)]) {
        let points = corners.map { (x: Double($0.0) / 1_000, y: Double($0.1) / 1_000) }
        (upperLeft, upperRight, lowerLeft) = (points[0], points[1], points[2])
        unit = min(max(Double(corners[0].2) / 1_000, 0.001), 1e6)
        if abs(area) < 1e-3 { return nil }
    }
}
