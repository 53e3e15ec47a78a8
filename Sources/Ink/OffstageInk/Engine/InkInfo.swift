import COffstageInk
import Foundation
import Offstage
import OffstagePages
import OffstageWorkers

/// The facts in an ink file, determined without drawing it. All texts are untrusted.
public struct InkInfo: Sendable, Hashable {
    /// A page.
    public struct Page: Sendable, Hashable {
        /// Points, 72 to the inch.
        public var width: Double
        /// Points, 72 to the inch.
        public var height: Double
        public var layers: Int
        public var strokes: Int
        /// `paper`, `pdf` or `image`.
        public var background: String
    }

    /// `Xournal`, `InkML`, `Rnote`, `Excalidraw`, `tldraw` or `perfect-freehand`.
    public var format: String
    /// In order.
    public var pages: [Page] = []
    /// The number of strokes on all pages.
    public var strokes: Int
    /// The number of points in all strokes.
    public var points: Int
    /// True if the document ends early.
    public var isDamaged: Bool
}

extension InkEngine {
    /// The maximum number of pages to describe.
    private static let mostPages = 100_000

    /// Reads the facts about a document.
    ///
    /// - Parameters:
    ///   - document: the document.
    ///   - limits: the limits of each job, which describes about 800 pages. The time limit applies to all jobs
    ///     together; for a document larger than 16 MiB, it applies to each 16 MiB. Default `InkLimits()`.
    /// - Returns: the pages and the numbers of strokes and points.
    /// - Throws: the errors of a drawing.
    public func info(
        of document: InkDocument, limits: InkLimits = InkLimits()
    ) async throws(DrawingError) -> InkInfo {
        var series = AnswerSeries(documentBytes: document.data.count, budget: limits.budget)
        var (info, head) = (InkInfo?.none, offstage_ink_report?.none)
        while true {
            let first = info?.pages.count ?? 0
            let report = try await report(from: first, after: head, of: document, limits, &series)
            head = report.head
            var next =
                info
                ?? InkInfo(
                    format: report.format, strokes: Int(min(report.head.strokes, UInt64(Int32.max))),
                    points: Int(min(report.head.points, UInt64(Int.max))), isDamaged: report.isDamaged)
            next.pages += report.pages.map(InkInfo.Page.init)
            info = next
            if report.pages.isEmpty || next.pages.count >= min(Int(report.head.pages), Self.mostPages) { return next }
        }
    }

    private func report(
        from first: Int, after head: offstage_ink_report?, of document: InkDocument, _ limits: InkLimits,
        _ series: inout AnswerSeries
    ) async throws(DrawingError) -> InkReport {
        var options = offstage_ink_options()
        options.page = UInt32(clamping: first)
        let job = try source.job(OFFSTAGE_INK_DESCRIBE, options, document, limits)
        let result = try await series.value(of: job, from: workers) { answer throws(DrawingError) in
            guard let report = InkReport(answer.report) else { throw .untrueAnswer("the worker sent no report") }
            try report.check(from: first, after: head)
            return report
        }
        switch result {
        case .failure(let failure): throw InkFailure.error(for: failure, page: 1)
        case .success(let report): return report
        }
    }

    /// Reads an ink file.
    ///
    /// - Parameters:
    ///   - document: the document.
    ///   - limits: the limits of the job. Default `InkLimits()`.
    ///   - progress: called with the items received so far, in order, on one of the worker's threads. Default none.
    /// - Returns: the ink, and warnings about everything that it lacks.
    /// - Throws: the errors of a drawing.
    public func load(
        _ document: InkDocument, limits: InkLimits = InkLimits(), progress: (@Sendable (InkSlice) -> Void)? = nil
    ) async throws(DrawingError) -> (ink: Ink, warnings: [DrawingWarning]) {
        let (ink, report) = try await read(document, limits: limits, progress: progress)
        return (ink, report.warningsOfAll)
    }

    /// Like `load`, but also returns the worker's report about the file.
    func read(
        _ document: InkDocument, limits: InkLimits, progress: (@Sendable (InkSlice) -> Void)?
    ) async throws(DrawingError) -> (ink: Ink, report: InkReport) {
        var job = try source.job(OFFSTAGE_INK_LOAD, offstage_ink_options(), document, limits)
        job.budget.partBytes = document.mostRecordBytes(limits)
        let collector = InkCollector(report: progress)
        job.takePart = { collector.take($0.bytes, begins: $0.number == 0 || $0.numbers.first == 1) }
        let result = try await workers.value(of: job) { answer throws(DrawingError) in
            guard let ink = collector.finish(), let report = InkReport(answer.report) else {
                throw .untrueAnswer("the worker sent ink that cannot be read")
            }
            return (ink, report)
        }
        switch result {
        case .failure(let failure): throw InkFailure.error(for: failure, page: 1)
        case .success(let found): return found
        }
    }
}

extension InkInfo.Page {
    init(_ page: InkReportPage) {
        let background =
            switch page.page.background {
            case .paper: "paper"
            case .document: "pdf"
            case .image: "image"
            }
        self.init(
            width: Double(page.page.width), height: Double(page.page.height), layers: page.layers,
            strokes: page.strokes, background: background)
    }
}
