import Foundation
import Offstage
import OffstagePages

/// The options of PDF pages: a page without its document.
struct PageSettings: SourceSettings {
    var page = DocumentPage(PageDocument(Data()))
    /// The first variant is drawn; the command line makes a picture of each.
    var variants = [PageVariant.annotated]
    var size = PageSize()
    /// True: ink is drawn over the pages.
    private let hasOverlay: Bool
    var annotations = AnnotationOrigin.beside

    init(_ options: ParsedOptions) throws(UsageError) {
        hasOverlay = options.has("ink")
        try PageOptions.all.apply(options, to: &self)
        if page.fit != nil { size.fit = .inside }
        page.fit = page.fit ?? size.box
        page.variant = variants[0]
        try size.check(options)
    }

    /// A thumbnail has its own box.
    func boxed(_ request: any DrawingRequest) -> any DrawingRequest {
        guard page.variant != .thumbnail, let box = size.filled else { return request }
        return BoxedRequest(request, in: box)
    }

    var inputLimit: Int { page.budget.documentBytes }

    func request(
        for document: SourceDocument, identifier: String
    ) throws(SourceFileError) -> any DrawingRequest {
        var page = page
        page.identifier = identifier
        page.document = try self.document(document)
        page.annotations = try annotations(of: document)
        if hasOverlay, page.variant == .thumbnail {
            // Draw at the size of the box, so that the ink's thin lines stay thin.
            page.variant = .annotated
            page.fit = page.thumbnail
        }
        return page
    }

    var overlayPage: Int? { page.variant == .plain ? nil : page.page }

    /// The annotations of the page that are not in the document; nil for none.
    private func annotations(of document: SourceDocument) throws(SourceFileError) -> PageAnnotations? {
        guard page.variant != .plain, let path = annotationFile(of: document) else { return nil }
        // Depend on the file even if it does not exist: it may be created later.
        document.readLog?(path)
        if case .beside = annotations, access(path, F_OK) != 0 { return nil }
        return try PageAnnotationFiles.annotations(ofFile: path, page: page.page)
    }

    /// The file of a document's annotations, whether or not it exists; nil if the options disable it.
    func annotationFile(of document: SourceDocument) -> String? {
        switch annotations {
        case .none: nil
        case .file(let path): path
        case .beside: document.file.map(AnnotationFile.path(beside:))
        }
    }

    func document(_ document: SourceDocument) throws(SourceFileError) -> PageDocument {
        if case .file(let path, nil) = document.content {
            return try PageDocuments.document(ofFile: path, limit: inputLimit)
        }
        return PageDocument(try document.bytes(limit: inputLimit), digest: document.digest)
    }
}

/// The file with annotations for a document's pages.
enum AnnotationOrigin {
    /// The file beside the document, if it exists.
    case beside
    case file(String)
    case none
}
