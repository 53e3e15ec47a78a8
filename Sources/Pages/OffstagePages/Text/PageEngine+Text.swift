import COffstagePages
import Foundation
import Offstage
import OffstageWorkers

extension PageEngine {
    /// The maximum number of words to read, because a damaged page can have any number.
    private static let mostWords = 200_000
    /// The maximum number of characters that the worker reads on a page.
    private static let mostCharacters: UInt32 = 1_000_000

    /// Reads the words of a page and their positions, without a drawing.
    ///
    /// - Parameters:
    ///   - document: the document.
    ///   - page: from 1.
    ///   - password: the password of an encrypted document. Default none.
    ///   - budget: the limits of each of the jobs, which report about 1,000 words each. Its time applies to all jobs
    ///     together, and once to each 16 MiB of a larger document. Default `WorkerBudget()`.
    /// - Returns: the words; empty for a page with only pictures.
    /// - Throws: the errors of a drawing.
    public func text(
        of document: PageDocument, page: Int, password: String? = nil, budget: WorkerBudget = WorkerBudget()
    ) async throws(DrawingError) -> PageText {
        if page < 1 { throw .invalidRequest("the page is \(page); the first page is 1") }
        var series = AnswerSeries(documentBytes: document.data.count, budget: budget)
        var text = PageText()
        var next: UInt32? = 0
        while let first = next, text.words.count < Self.mostWords {
            var options = offstage_pages_options()
            options.page = UInt32(clamping: page - 1)
            options.first = first
            let report = try await report(
                OFFSTAGE_PAGES_WORDS, options, of: document, page: page, password, budget, &series
            ) { report throws(DrawingError) in try report.next(from: first, upTo: Self.mostCharacters) }
            text.words += report.report.records(OFFSTAGE_PAGES_WORD).compactMap(PageText.Word.init)
            next = report.next
        }
        return text
    }
}

extension PageText.Word {
    /// Ligatures such as `ffi` have a single edge, so each letter gets a part of their width.
    private static func spread(_ edges: [Double]) -> [Double] {
        guard let last = edges.last else { return edges }
        let isBack = edges[0] > last
        var (spread, start) = (edges, 0)
        while start < edges.count {
            let end = edges[start...].firstIndex { abs($0 - edges[start]) > 1e-4 } ?? edges.count
            if end - start > 1 {
                let other = isBack ? (end < edges.count ? edges[end] : 0) : (start > 0 ? edges[start - 1] : 0)
                for index in start..<end {
                    let share = Double(isBack ? index - start : end - 1 - index) / Double(end - start)
                    spread[index] = edges[start] + (other - edges[start]) * share
                }
            }
            start = end
        }
        return spread
    }

    /// Nil if the record is not a word.
    fileprivate init?(_ record: PageReport.Record) {
        guard let end = record.text.firstIndex(of: 0),
            var text = String(validating: record.text[..<end], as: UTF8.self)
        else { return nil }
        var ending = text.last.map { [" ", "\n", "\u{1}"].contains($0) } == true ? String(text.removeLast()) : ""
        let isDivided = ending == "\u{1}"
        if isDivided { ending = "" }
        if text.isEmpty { return nil }
        let bytes = Array(record.text[(end + 1)...])
        let edges = stride(from: 0, to: bytes.count - 1, by: 2).map {
            Double(Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8) / 65_535
        }
        let side = Double(OFFSTAGE_PAGES_WORD_SIDE)
        let (x, y, width, height) = record.numbers
        self.init(
            text,
            part: PagePart(
                x: Double(x) / side, y: Double(y) / side, width: Double(max(0, width)) / side,
                height: Double(max(0, height)) / side), ending: ending)
        self.edges = Self.spread(edges)
        self.isVertical = bytes.count % 2 == 1
        self.isDivided = isDivided
    }
}
