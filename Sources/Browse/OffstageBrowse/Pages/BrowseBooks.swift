import Foundation
import Offstage
import OffstageCommandLine
import OffstageGTK
import OffstagePages
import OffstageRequests

/// The PDF documents among the inputs. They are read off the main thread.
@MainActor
final class BrowseBooks {
    let jobs: [Job]
    /// The inputs that are documents, indexed by the document's number.
    let inputs: [Int]
    private(set) var books: [PageBook]
    private var tasks: [Int: Task<String?, Never>] = [:]
    let engine: PageEngine?
    /// The annotations of the documents that have been read, by their numbers.
    private(set) var annotations: [Int: BrowseAnnotations] = [:]
    /// Called when the pages of a document are known.
    var onChange: (([PageBook]) -> Void)?

    /// - Parameter jobs: the inputs in the order in which the window shows them.
    init(_ jobs: [Job], _ renderer: Renderer) {
        self.jobs = jobs
        engine = renderer.engine()
        inputs = jobs.indices.filter { jobs[$0].input.source.name == "pdf" }
        let names = BrowseRows.names(of: jobs)
        books = inputs.map { PageBook(PageDocument(Data()), identifier: names[$0]) }
    }

    /// The number of an input's document; nil for an input of another kind.
    func document(ofInput input: Int) -> Int? { inputs.firstIndex(of: input) }

    /// Reads a document once.
    ///
    /// - Returns: the reason why it cannot be read; nil on success.
    func read(_ document: Int) async -> String? {
        if let task = tasks[document] { return await task.value }
        let (job, identifier) = (jobs[inputs[document]], books[document].identifier)
        let task = Task { [weak self, engine] () -> String? in
            do {
                guard let engine else { return "no engine draws PDF pages" }
                let (book, annotations) = try await Self.book(job, identifier, engine)
                guard let self else { return nil }
                books[document] = book
                self.annotations[document] = annotations.map { BrowseAnnotations($0.path, $0.content) }
                onChange?(books)
                return nil
            } catch {
                return "\(error)"
            }
        }
        tasks[document] = task
        return await task.value
    }

    /// Reads all documents one at a time.
    func readAll() async {
        for document in books.indices {
            if Task.isCancelled { return }
            _ = await read(document)
        }
    }

    /// Adds ink to a page, and stores it.
    ///
    /// - Returns: false if the document's annotations have no file.
    func add(_ ink: PageAnnotation, at place: PagePlan.Place, onError: @escaping (String) -> Void) -> Bool {
        change(place.document, onError) { $0.add(ink, page: place.page) }
    }

    /// Removes the ink that was drawn last in a document.
    func undo(in document: Int, onError: @escaping (String) -> Void) -> Bool {
        change(document, onError) { $0.undo() }
    }

    private func change(
        _ document: Int, _ onError: @escaping (String) -> Void, _ body: (BrowseAnnotations) -> Int?
    ) -> Bool {
        guard let annotations = annotations[document], let page = body(annotations) else { return false }
        books[document].annotations[page] = annotations.content.annotations(ofPage: page)
        annotations.write(onError)
        onChange?(books)
        return true
    }

    @concurrent
    private nonisolated static func book(_ job: Job, _ identifier: String, _ engine: PageEngine) async throws
        -> (PageBook, (path: String, content: AnnotationFile)?)
    {
        guard let page = try job.request().innermost as? DocumentPage else {
            throw InputError.folderWithoutSource(path: identifier)
        }
        let info = try await engine.info(of: page.document, password: page.password, budget: page.budget)
        // Done here, not on the main thread.
        _ = page.document.digest
        var book = PageBook(page.document, identifier: identifier, pages: info.pages, password: page.password)
        let annotations = try job.annotations()
        book.annotations = annotations?.content.pageAnnotations ?? [:]
        return (book, annotations)
    }
}
