import COffstagePages
import Foundation
import Offstage
import OffstageWorkers

extension PageEngine {
    /// Lists the annotations of a page, in drawing order. Includes fields and links as `.other`.
    ///
    /// - Parameters:
    ///   - document: the document.
    ///   - page: from 1.
    ///   - password: the password of an encrypted document. Default none.
    ///   - budget: the limits. Default `WorkerBudget()`.
    /// - Returns: the annotations with their identifiers; those without a colour are black.
    /// - Throws: the errors of a drawing.
    public func annotations(
        of document: PageDocument, page: Int, password: String? = nil, budget: WorkerBudget = WorkerBudget()
    ) async throws(DrawingError) -> [PageAnnotation] {
        if page < 1 { throw .invalidRequest("the page is \(page); the first page is 1") }
        return try await list(of: document, page: page, password, budget).map(\.annotation)
    }

    /// Reads the annotations of all pages into an annotation file.
    ///
    /// Omits links, fields, pop-up windows of notes, and annotations that viewers do not show. Kinds that Offstage
    /// cannot create, such as stamps, are included as `.other`: saving the file into the document again leaves them
    /// unchanged.
    ///
    /// - Parameters:
    ///   - document: the document.
    ///   - password: the password of an encrypted document. Default none.
    ///   - budget: the limits. Default `WorkerBudget()`.
    /// - Returns: the annotations with their identifiers.
    /// - Throws: the errors of a drawing.
    public func annotationFile(
        of document: PageDocument, password: String? = nil, budget: WorkerBudget = WorkerBudget()
    ) async throws(DrawingError) -> AnnotationFile {
        var file = AnnotationFile()
        for listed in try await shownAnnotations(of: document, password: password, budget: budget) {
            file.add(listed.annotation, page: listed.page)
        }
        return file
    }

    /// The visible annotations made by readers, on all pages, with their page numbers from 1.
    package func shownAnnotations(
        of document: PageDocument, password: String? = nil, budget: WorkerBudget
    ) async throws(DrawingError) -> [(annotation: PageAnnotation, page: Int)] {
        // Links, pop-up windows of notes, fields, and printer's marks.
        let others: Set<UInt32> = [2, 16, 20, 21, 22, 23]
        return try await list(of: document, page: nil, password, budget)
            .filter { !$0.isHidden && !others.contains($0.number) }
            .map { ($0.annotation, $0.page + 1) }
    }

    /// - Parameter page: from 1; nil for all pages.
    private func list(
        of document: PageDocument, page: Int?, _ password: String?, _ budget: WorkerBudget
    ) async throws(DrawingError) -> [PageAnnotation.Listed] {
        var options = offstage_pages_edit_options()
        options.job = OFFSTAGE_PAGES_EDIT_LIST.rawValue
        options.page = page.map { UInt32(clamping: $0 - 1) } ?? UInt32(OFFSTAGE_PAGES_ALL)
        let job = try edits.job(options, for: document, password: password, budget: budget)
        let result = try await editors.value(of: job) { answer throws(DrawingError) -> [PageAnnotation.Listed] in
            guard let list = PageAnnotation.list(wire: try EditReport(answer).bytes) else { throw EditReport.untrue }
            return list
        }
        switch result {
        case .failure(let failure): throw PageFailure(failure, page: page ?? 1).error
        case .success(let list): return list
        }
    }

    /// Saves annotations into the document, as an incremental update: its bytes stay unchanged, so signatures stay
    /// valid for the signed revision. Each annotation has an appearance, so that other programs show what Offstage
    /// shows.
    ///
    /// An annotation with the identifier of one of the page's own annotations replaces that one. Unchanged annotations
    /// are not written again.
    ///
    /// - Parameters:
    ///   - file: the annotations; pages that do not exist are an error.
    ///   - document: the document.
    ///   - options: the time, the password, and permission to change a certified document. Default `SavingOptions()`.
    ///   - budget: the limits. Default `WorkerBudget()`.
    /// - Returns: the new document.
    /// - Throws: the errors of a drawing; `document-certified` and `annotations-forbidden` for a document that must not
    ///   be changed.
    public func saving(
        _ file: AnnotationFile, into document: PageDocument, options: SavingOptions = SavingOptions(),
        budget: WorkerBudget = WorkerBudget()
    ) async throws(DrawingError) -> PageDocument {
        try await saved(file, into: document, options: options, budget: budget).document
    }

    /// Saves annotations into the document, and reports what could not be saved.
    ///
    /// - Parameters:
    ///   - file: the annotations; pages that do not exist are an error.
    ///   - document: the document.
    ///   - options: the time, the password, and permission to change a certified document. Default `SavingOptions()`.
    ///   - budget: the limits. Default `WorkerBudget()`.
    /// - Returns: the new document, and warnings.
    /// - Throws: the same errors as `saving(_:into:options:budget:)`.
    public func saved(
        _ file: AnnotationFile, into document: PageDocument, options: SavingOptions = SavingOptions(),
        budget: WorkerBudget = WorkerBudget()
    ) async throws(DrawingError) -> SavedAnnotations {
        var additions = Data()
        for page in Set(file.pages.keys).union(file.removed.keys).sorted() {
            if page < 1 { throw .invalidRequest("the page is \(page); the first page is 1") }
            for identifier in file.removed[page] ?? [] {
                additions += PageAnnotation.removal(of: identifier, page: page - 1)
            }
            for (index, annotation) in file[page].enumerated() {
                let identifier = annotation.identifier ?? annotation.newIdentifier(document.digest, page, index)
                additions += annotation.wire(page: page - 1, identifier: identifier)
            }
        }
        if additions.isEmpty { return SavedAnnotations(document, []) }
        var request = offstage_pages_edit_options()
        request.job = OFFSTAGE_PAGES_EDIT_SAVE.rawValue
        request.is_forced = options.isForced ? 1 : 0
        let time = Data((options.modified?.pdfDate ?? "").utf8)
        withUnsafeMutableBytes(of: &request.modified) { $0.copyBytes(from: time.prefix($0.count - 1)) }
        let job = try edits.job(
            request, for: document, adding: additions, password: options.password, budget: budget)
        let result = try await editors.value(of: job) { answer throws(DrawingError) in try EditReport(answer) }
        switch result {
        case .failure(let failure):
            let last = file.pages.keys.max() ?? file.removed.keys.max() ?? 1
            throw PageFailure(failure, page: last).error
        case .success(let report):
            let new = report.bytes.isEmpty ? document : PageDocument(document.data + report.bytes)
            return SavedAnnotations(new, report.warnings)
        }
    }

    /// Adds annotations to a page of a document, as an incremental update.
    ///
    /// - Parameters:
    ///   - annotations: the annotations, in order. Those of the kind `.other` are left out.
    ///   - document: the document.
    ///   - page: from 1.
    ///   - options: the time, the password, and permission to change a certified document. Default `SavingOptions()`.
    ///   - budget: the limits. Default `WorkerBudget()`.
    /// - Returns: the new document.
    /// - Throws: the same errors as `saving(_:into:options:budget:)`.
    public func adding(
        _ annotations: [PageAnnotation], to document: PageDocument, page: Int,
        options: SavingOptions = SavingOptions(), budget: WorkerBudget = WorkerBudget()
    ) async throws(DrawingError) -> PageDocument {
        var file = AnnotationFile()
        for annotation in annotations { file.add(annotation, page: page) }
        return try await saving(file, into: document, options: options, budget: budget)
    }
}

extension PageAnnotation {
    /// Generates a name that no other annotation has. Saving the same document again generates the same name.
    fileprivate func newIdentifier(_ document: Digest, _ page: Int, _ index: Int) -> String {
        var builder = Fingerprint.Builder()
        builder.add("document", document)
        builder.add("place", "\(page) \(index)")
        builder.add("annotation", Digest(of: wire(page: page, identifier: "")))
        return String("\(builder.build().digest)".prefix(32))
    }
}
