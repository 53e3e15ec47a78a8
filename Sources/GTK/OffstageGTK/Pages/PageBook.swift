import Offstage
import OffstagePages

/// A PDF document that a reader can open.
public struct PageBook: Sendable {
    /// The document's name in the cache. It must be unique: no other document may ever use it.
    public var identifier: String
    public var document: PageDocument
    /// The sizes and labels of the pages, as `PageEngine.info(of:)` reports them. Empty for a
    /// document that has not been read yet: the view skips it.
    public var pages: [DocumentInfo.Page]
    /// The password of an encrypted document. Default none.
    public var password: String?
    /// Annotations that are not in the document, such as those of an `AnnotationFile`, by page, from 1: they are part of the pictures.
    /// Default none.
    public var annotations: [Int: PageAnnotations] = [:]

    /// Makes a book.
    ///
    /// - Parameters:
    ///   - document: the document's bytes.
    ///   - identifier: its name in the cache.
    ///   - pages: its pages. Default none, until they have been read.
    ///   - password: the password of an encrypted document. Default none.
    public init(
        _ document: PageDocument, identifier: String, pages: [DocumentInfo.Page] = [], password: String? = nil
    ) {
        (self.document, self.identifier) = (document, identifier)
        (self.pages, self.password) = (pages, password)
    }

    /// The picture's name in the cache.
    func identifier(ofPage page: Int) -> String { "\(identifier): page \(page)" }

    /// The page's name as shown to people.
    func label(ofPage page: Int) -> String {
        pages.indices.contains(page - 1) ? pages[page - 1].label ?? "\(page)" : "\(page)"
    }
}
