import COffstagePages
import Foundation
import Offstage
import OffstageWorkers

extension PageEngine {
    /// The most annotations to list: a damaged page can have any number.
    private static let mostAnnotations = 10_000
    /// Bytes of annotations in one job.
    private static let mostBytes = 60_000

    /// Lists the annotations of a page, in the order in which viewers draw them. Fields and links are among them, as `.other`.
    ///
    /// - Parameters:
    ///   - document: the document.
    ///   - page: from 1.
    ///   - password: of an encrypted document. Default none.
    ///   - budget: the limits of each of the jobs. Its time is that of all jobs together; a document larger than 16 MiB has as much for
    ///     each 16 MiB. Default `WorkerBudget()`.
    /// - Returns: the annotations; those with an appearance stream have the colour of its first path, or black.
    /// - Throws: the errors of a drawing.
    public func annotations(
        of document: PageDocument, page: Int, password: String? = nil, budget: WorkerBudget = WorkerBudget()
    ) async throws(DrawingError) -> [PageAnnotation] {
        var series = AnswerSeries(documentBytes: document.data.count, budget: budget)
        return try await annotations(of: document, page: page, password: password, budget: budget, &series)
    }

    /// - Parameter series: what the caller's whole question may take.
    package func annotations(
        of document: PageDocument, page: Int, password: String? = nil, budget: WorkerBudget,
        _ series: inout AnswerSeries
    ) async throws(DrawingError) -> [PageAnnotation] {
        if page < 1 { throw .invalidRequest("the page is \(page); the first page is 1") }
        var (annotations, next) = ([PageAnnotation](), UInt32?.some(0))
        while let first = next, annotations.count < Self.mostAnnotations {
            var options = offstage_pages_options()
            options.page = UInt32(clamping: page - 1)
            options.first = first
            let report = try await report(
                OFFSTAGE_PAGES_LIST_ANNOTATIONS, options, of: document, page: page, password, budget, &series
            ) { report throws(DrawingError) in try report.next(from: first, upTo: UInt32(Int32.max)) }
            annotations += report.report.records(OFFSTAGE_PAGES_ANNOTATION).compactMap { PageAnnotation(wire: $0.text) }
            next = report.next
        }
        return annotations
    }

    /// Adds annotations to a page of a document, in their order, as an incremental update: the bytes of the document stay as they are,
    /// so signatures stay valid. Ink gets an appearance stream.
    ///
    /// - Parameters:
    ///   - annotations: none of the kind `.other`, each with at most 6,000 points and 1,999 UTF-16 units of text.
    ///   - document: not encrypted.
    ///   - page: from 1.
    ///   - budget: the limits of each of the jobs.
    /// - Returns: the new document.
    /// - Throws: the errors of a drawing.
    public func adding(
        _ annotations: [PageAnnotation], to document: PageDocument, page: Int, budget: WorkerBudget = WorkerBudget()
    ) async throws(DrawingError) -> PageDocument {
        if page < 1 { throw .invalidRequest("the page is \(page); the first page is 1") }
        var (document, batch) = (document, Data())
        for (number, annotation) in annotations.enumerated() {
            guard let bytes = annotation.wire, bytes.count <= Self.mostBytes else {
                throw .invalidRequest(
                    "annotation \(number + 1) is of a kind that cannot be made, or too large; divide it")
            }
            if !batch.isEmpty, batch.count + bytes.count > Self.mostBytes {
                document = try await adding(batch, to: document, page, budget)
                batch = Data()
            }
            batch += bytes
        }
        return batch.isEmpty ? document : try await adding(batch, to: document, page, budget)
    }

    private func adding(
        _ bytes: Data, to document: PageDocument, _ page: Int, _ budget: WorkerBudget
    ) async throws(DrawingError) -> PageDocument {
        var options = offstage_pages_options()
        options.job = OFFSTAGE_PAGES_ADD_ANNOTATIONS.rawValue
        options.page = UInt32(clamping: page - 1)
        var job = try source.job(options, for: document, password: nil, budget: budget)
        job.options += bytes
        // The answer is what to append to the document.
        job.budget.pixels = min(job.budget.pixels, AnswerSeries.bytes(of: document.data.count) / 4)
        let result = try await workers.value(of: job) { answer throws(DrawingError) in
            guard let report = PageReport(answer.report), let pixmap = answer.pixmap else {
                throw .untrueAnswer("its process sent nothing to add, or no report")
            }
            if report.has(OFFSTAGE_PAGES_ENCRYPTED) { throw PageFailure.notSaved.error }
            var added = Data()
            for y in 0..<pixmap.size.height { pixmap.withRow(y) { added.append(contentsOf: $0) } }
            guard report.head.next <= added.count else {
                throw .untrueAnswer("its process sent less to add than it reported")
            }
            return added.prefix(Int(report.head.next))
        }
        switch result {
        case .failure(let failure): throw PageFailure(failure, page: page).error
        case .success(let added): return PageDocument(document.data + added)
        }
    }
}
