import Foundation
import Offstage
import OffstagePages
import Synchronization

/// The annotation files in use by requests of this process, so that the requests for the pages of a document read its
/// file only once.
package enum PageAnnotationFiles {
    private final class Known: Sendable {
        let file: AnnotationFile
        private let pages = Mutex<[Int: PageAnnotations]>([:])

        init(_ file: AnnotationFile) { self.file = file }

        func annotations(ofPage page: Int) -> PageAnnotations? {
            pages.withLock { pages in
                if let known = pages[page] { return known }
                let annotations = file.annotations(ofPage: page)
                pages[page] = annotations
                return annotations
            }
        }
    }

    private static let state = Mutex<[(path: String, fileState: FileState, known: Known)]>([])
    /// The maximum number of files to remember.
    private static let most = 4

    /// The annotations of a page; nil if it has none.
    ///
    /// - Parameter path: the file's path.
    static func annotations(ofFile path: String, page: Int) throws(SourceFileError) -> PageAnnotations? {
        // Take the state before reading the file: if it changes meanwhile, the next request sees another state.
        guard let fileState = FileState(path) else { return try read(path).annotations(ofPage: page) }
        let known = state.withLock { $0.first { $0.path == path && $0.fileState == fileState }?.known }
        if let known { return known.annotations(ofPage: page) }
        let new = Known(try read(path))
        state.withLock { state in
            state.removeAll { $0.path == path }
            state = state.suffix(most - 1) + [(path, fileState, new)]
        }
        return new.annotations(ofPage: page)
    }

    /// The file of a document's annotations, and its content.
    ///
    /// - Parameter settings: the settings of a PDF document.
    /// - Returns: nil if the settings disable it. The content is empty if the file does not exist.
    package static func file(
        of document: SourceDocument, _ settings: any SourceSettings
    ) throws(SourceFileError) -> (path: String, content: AnnotationFile)? {
        guard let settings = settings as? PageSettings, let path = settings.annotationFile(of: document) else {
            return nil
        }
        return (path, access(path, F_OK) == 0 ? try read(path) : AnnotationFile())
    }

    private static func read(_ path: String) throws(SourceFileError) -> AnnotationFile {
        do throws(AnnotationFile.Problem) { return try AnnotationFile(contentsOf: path) } catch {
            switch error {
            case .unreadable(let error): throw error
            case .notAnnotations(let path): throw SourceFileError(path: path, problem: .notAnnotations)
            case .malformed(let path, let fault):
                throw SourceFileError(path: path, problem: .annotationsMalformed(fault))
            }
        }
    }
}
