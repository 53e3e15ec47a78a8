import Foundation
import Offstage
import OffstagePages
import OffstageWorkers

/// A PDF document whose annotations are read or changed: for the command line, the pipe, the service and the C library.
package struct AnnotatedDocument: Sendable {
    /// Used in messages.
    package let name: String
    package let document: PageDocument
    private let password: String?
    private let budget: WorkerBudget
    private let engine: PageEngine

    /// A document of the command line. Its worker ends with this process.
    ///
    /// - Parameter options: the password, the limits and the sandbox.
    /// - Throws: `UsageError` and `AnnotationFailure`.
    package init(file: String, _ options: ParsedOptions) throws {
        let engine = try Inspection.engine(PageEngine.self, options)
        try self.init(SourceDocument(.file(file), of: .pages, name: file), options, engine)
    }

    /// - Parameters:
    ///   - options: the password and the limits.
    ///   - engine: the engine that reads and changes the document.
    /// - Throws: `UsageError` and `AnnotationFailure`.
    package init(_ document: SourceDocument, _ options: ParsedOptions, _ engine: PageEngine) throws {
        let settings = try PageSettings(options.overlaid(with: ["annotations": [String]?.none]))
        name = document.name
        do throws(SourceFileError) { self.document = try settings.document(document) } catch {
            throw AnnotationFailure.file(error)
        }
        (password, budget, self.engine) = (settings.page.password, settings.page.budget, engine)
        let isPDF = self.document.data.prefix(1024).range(of: Data("%PDF-".utf8)) != nil
        if !isPDF { throw AnnotationFailure.notPDF(name) }
    }

    /// The password of a command line; nil for none.
    package static func password(_ options: ParsedOptions) throws(UsageError) -> String? {
        try PageSettings(options.overlaid(with: ["annotations": [String]?.none])).page.password
    }

    /// Reads annotations for this document: a sidecar in JSON, or XFDF.
    ///
    /// - Parameter path: the file's path.
    package func annotations(
        ofFile path: String
    ) async throws(AnnotationFailure) -> (file: AnnotationFile, losses: AnnotationLosses) {
        let data: Data
        do throws(SourceFileError) { data = try SourceFileError.read(path, limit: Self.mostBytes) } catch {
            throw .file(error)
        }
        return try await annotations(data, name: path)
    }

    /// The maximum size of an annotation file, in bytes.
    package static let mostBytes = 32 << 20

    /// - Parameters:
    ///   - data: a sidecar in JSON, or XFDF.
    ///   - name: for messages.
    package func annotations(
        _ data: Data, name: String
    ) async throws(AnnotationFailure) -> (file: AnnotationFile, losses: AnnotationLosses) {
        let found: (file: AnnotationFile, losses: AnnotationLosses)
        if Self.isXFDF(data) {
            do throws(XFDFError) {
                found = try await engine.annotations(
                    fromXFDF: data, for: document, password: password, budget: budget)
            } catch {
                switch error {
                case .file(let problem):
                    throw .invalid(name + (problem.line.map { ":\($0)" } ?? "") + ": \(problem)")
                case .document(let reason): throw .notDone(place(of: reason, name), reason)
                }
            }
        } else {
            do throws(AnnotationFile.Problem) {
                found = (try AnnotationFile(data, path: name), AnnotationLosses())
            } catch {
                throw .invalid("\(error)")
            }
        }
        try await checkPages(found.file, name)
        return found
    }

    /// Annotations that were read before the document.
    ///
    /// - Parameter name: for messages.
    func checked(_ file: AnnotationFile, name: String) async throws(AnnotationFailure) -> AnnotationFile {
        try await checkPages(file, name)
        return file
    }

    /// True for XML; a sidecar begins with a brace.
    private static func isXFDF(_ data: Data) -> Bool {
        // Even with a byte order mark, and in UTF-16.
        let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x00, 0x20, 0x09, 0x0A, 0x0D]
        return data.first { !marks.contains($0) } == UInt8(ascii: "<")
    }

    /// The file to name in a message: if a page does not exist, the annotations are wrong, not the document.
    private func place(of reason: DrawingError, _ name: String) -> String {
        if case .unusable(let problem) = reason, problem.code == "page-out-of-range" { return name }
        return self.name
    }

    private func checkPages(_ file: AnnotationFile, _ name: String) async throws(AnnotationFailure) {
        let pages = Array(file.pages.keys) + file.removed.keys
        guard let first = pages.min(), let last = pages.max() else { return }
        if first < 1 { throw .invalid("\(name): the page is \(first); the first page is 1") }
        let count: Int
        do throws(DrawingError) { count = try await engine.pageCount(of: document, password: password) } catch {
            throw .notDone(self.name, error)
        }
        if last > count {
            throw .invalid("\(name): there is no page \(last); \(self.name) has \(count) page\(count == 1 ? "" : "s")")
        }
    }

    /// The document's own annotations, including those that Offstage cannot create.
    package func own() async throws(AnnotationFailure) -> AnnotationFile {
        do throws(DrawingError) {
            return try await engine.annotationFile(of: document, password: password, budget: budget)
        } catch { throw .notDone(name, error) }
    }

    /// The document's own annotations that a file can have.
    package func extracted() async throws(AnnotationFailure) -> (file: AnnotationFile, losses: AnnotationLosses) {
        var (file, losses) = (AnnotationFile(), AnnotationLosses())
        for (page, annotations) in try await own().pages.sorted(by: { $0.key < $1.key }) {
            for annotation in annotations {
                if annotation.kind == .other {
                    losses.add("an annotation of another kind", page: page)
                } else {
                    file.add(annotation, page: page)
                }
            }
        }
        return (file, losses)
    }

    /// Annotations as XFDF.
    package func xfdf(of file: AnnotationFile) async throws(AnnotationFailure) -> (data: Data, losses: AnnotationLosses)
    {
        do throws(DrawingError) {
            return try await engine.xfdf(
                of: file, for: document, name: (name as NSString).lastPathComponent, password: password, budget: budget)
        } catch { throw .notDone(name, error) }
    }

    /// The document with changed annotations.
    ///
    /// - Parameters:
    ///   - file: the annotations to add, to change and to delete.
    ///   - isForced: true to change even a document that is certified against changes.
    /// - Returns: the new document, and a list of what it lacks or changes.
    package func saving(
        _ file: AnnotationFile, isForced: Bool
    ) async throws(AnnotationFailure) -> (data: Data, warnings: [String]) {
        let options = SavingOptions(isForced: isForced, password: password)
        do throws(DrawingError) {
            let saved = try await engine.saved(file, into: document, options: options, budget: budget)
            return (saved.document.data, saved.warnings.map(\.description))
        } catch { throw .notDone(name, error) }
    }
}

/// Annotations to delete from a document.
package enum AnnotationRemoval: Sendable, Hashable {
    case none
    /// All annotations that people make with a viewer, but no links and no form fields.
    case all
    case identifiers([String])

    /// - Parameter text: `all`, or identifiers with commas between them.
    package init(_ text: String?) throws(UsageError) {
        guard let text else {
            self = .none
            return
        }
        if text == "all" {
            self = .all
            return
        }
        let names = text.split(separator: ",").map(String.init)
        if names.isEmpty {
            throw UsageError("--remove-annotations takes all, or identifiers with commas between them")
        }
        self = .identifiers(names)
    }
}

extension AnnotatedDocument {
    /// Adds the annotations to delete to a file.
    package func remove(_ removal: AnnotationRemoval, in file: inout AnnotationFile) async throws(AnnotationFailure) {
        if removal == .none { return }
        let own = try await own()
        var removed = file.removed
        switch removal {
        case .none: break
        case .all:
            for (page, annotations) in own.pages {
                let names = annotations.compactMap(\.identifier)
                if !names.isEmpty { removed[page, default: []] += names }
            }
        case .identifiers(let names):
            for name in names {
                let pages = own.pages.filter { $0.value.contains { $0.identifier == name } }.keys
                if pages.isEmpty {
                    throw .invalid(
                        "\(self.name) has no annotation \(name.excerpt); `offstage info --annotations` lists them")
                }
                for page in pages { removed[page, default: []].append(name) }
            }
        }
        file.removed = removed
    }
}

/// A reason why annotations cannot be read or saved.
package enum AnnotationFailure: Error, Sendable, CustomStringConvertible {
    case file(SourceFileError)
    /// - Parameter name: the document's name.
    case notPDF(_ name: String)
    /// The annotations are not valid, or not for this document.
    case invalid(String)
    /// - Parameter place: the name of the document or of the annotations.
    case notDone(_ place: String, DrawingError)

    package var description: String {
        switch self {
        case .file(let error): "\(error)"
        case .notPDF(let name): "\(name) is not a PDF document; give one"
        case .invalid(let text): text
        case .notDone(let place, let error): "\(place): \(error)"
        }
    }
}
