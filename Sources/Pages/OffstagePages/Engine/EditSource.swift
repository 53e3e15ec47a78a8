import COffstagePages
import Foundation
import Offstage
import OffstageWorkers

/// Lists and changes the annotations of PDF documents with the program `offstage-pdf-edit`, which draws nothing.
struct EditSource: WorkerSource {
    let pdfium: PDFium

    var program: WorkerProgram { WorkerProgram(pdfium.editor, files: pdfium.fonts) }

    func job(for request: DocumentPage) throws(DrawingError) -> WorkerJob { throw Self.noDrawing }

    func drawing(from answer: WorkerAnswer, for request: DocumentPage) throws(DrawingError) -> Drawing {
        throw Self.noDrawing
    }

    private static let noDrawing = DrawingError.invalidRequest("the program offstage-pdf-edit does not draw pages")

    func error(for failure: WorkerFailure, of request: DocumentPage) -> DrawingError {
        PageFailure(failure, page: request.page).error
    }

    func fingerprint(of request: DocumentPage) -> Fingerprint? { nil }

    /// - Parameters:
    ///   - options: all but the version and the sizes, which are set here.
    ///   - additions: annotations.
    func job(
        _ options: offstage_pages_edit_options, for document: PageDocument, adding additions: Data = Data(),
        password: String?, budget: WorkerBudget
    ) throws(DrawingError) -> WorkerJob {
        if document.data.isEmpty { throw .empty }
        let password = Data((password ?? "").utf8)
        // A NUL would end the C string early.
        if password.contains(0) { throw PageFailure.passwordWrong.error }
        try budget.check(document.data.count)
        var options = options
        options.version = UInt32(OFFSTAGE_PAGES_VERSION)
        options.document_size = UInt64(document.data.count)
        options.password_size = UInt32(clamping: password.count)
        var bytes = document.data
        if !additions.isEmpty {
            bytes.pad()
            bytes += additions
        }
        var job = WorkerJob(
            document: bytes, options: withUnsafeBytes(of: &options) { Data($0) } + password, budget: budget)
        // The limit applies to the document, which was already checked.
        job.budget.documentBytes = max(budget.documentBytes, bytes.count)
        // The answer is not a picture. Its limit depends on the query.
        job.budget.pixels = (AnswerSeries.bytes(of: document.data.count) + 64 * additions.count) / 4
        return job
    }
}

/// The answer of `offstage-pdf-edit`. It may come from code that took over the worker, so every number is checked.
struct EditReport {
    let head: offstage_pages_edit_report
    let warnings: [offstage_pages_edit_warning]
    /// A list of annotations, or the bytes to append to the document.
    let bytes: Data

    init(_ answer: WorkerAnswer) throws(DrawingError) {
        let (report, step) = (Data(answer.report), MemoryLayout<offstage_pages_edit_warning>.size)
        let size = MemoryLayout<offstage_pages_edit_report>.size
        guard report.count >= size, let pixmap = answer.pixmap else { throw Self.untrue }
        head = report.withUnsafeBytes { $0.loadUnaligned(as: offstage_pages_edit_report.self) }
        guard head.version == UInt32(OFFSTAGE_PAGES_VERSION), report.count == size + Int(head.warnings) * step else {
            throw Self.untrue
        }
        warnings = (0..<Int(head.warnings)).map { index in
            report.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: size + index * step, as: offstage_pages_edit_warning.self)
            }
        }
        var bytes = Data()
        for y in 0..<pixmap.size.height { pixmap.withRow(y) { bytes.append(contentsOf: $0) } }
        guard head.bytes <= bytes.count else { throw Self.untrue }
        self.bytes = bytes.prefix(Int(head.bytes))
    }

    static let untrue = DrawingError.untrueAnswer("the worker sent neither a list nor a changed document")
}
