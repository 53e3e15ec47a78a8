import Foundation
import Offstage
import OffstageWorkers

/// An XFDF file that cannot be read for a document.
public enum XFDFError: Error, Sendable, CustomStringConvertible {
    case file(XFDFProblem)
    case document(DrawingError)

    public var description: String {
        switch self {
        case .file(let problem): "\(problem)"
        case .document(let error): "\(error)"
        }
    }
}

extension PageEngine {
    /// Reads annotations from XFDF (ISO 19444-1), the XML format that other programs exchange.
    ///
    /// - Parameters:
    ///   - xfdf: the bytes of a file, at most 32 MiB.
    ///   - document: the document with the pages. XFDF uses document coordinates, which pages can rotate and crop.
    ///   - password: the password of an encrypted document. Default none.
    ///   - budget: the limits of each of the jobs. Default `WorkerBudget()`.
    /// - Returns: the annotations, and a list of those that were not read: unsupported kinds and hidden annotations.
    /// - Throws: `XFDFError`.
    public func annotations(
        fromXFDF xfdf: Data, for document: PageDocument, password: String? = nil, budget: WorkerBudget = WorkerBudget()
    ) async throws(XFDFError) -> (file: AnnotationFile, losses: AnnotationLosses) {
        let elements: [XFDFElement]
        var pages: Set<Int> = []
        do throws(XFDFProblem) {
            elements = try XFDFParser.elements(of: xfdf)
            for element in elements where element.kind != nil { pages.insert(try element.page) }
        } catch { throw .file(error) }
        let spaces: [Int: PageSpace]
        do throws(DrawingError) {
            spaces = try await self.spaces(of: document, pages: pages, password: password, budget: budget)
        } catch { throw .document(error) }
        do throws(XFDFProblem) { return try Self.annotations(of: elements, spaces) } catch { throw .file(error) }
    }

    private static func annotations(
        of elements: [XFDFElement], _ spaces: [Int: PageSpace]
    ) throws(XFDFProblem) -> (file: AnnotationFile, losses: AnnotationLosses) {
        var (file, losses) = (AnnotationFile(), AnnotationLosses())
        var names: [Int: Set<String>] = [:]
        for element in elements {
            guard element.kind != nil else {
                losses.add(element.shownName, page: (try? element.page) ?? 1)
                continue
            }
            let page = try element.page
            if element.isHidden {
                losses.add("a hidden annotation", page: page)
            } else if let space = spaces[page], var annotation = try element.annotation(in: space) {
                if let name = annotation.identifier, !names[page, default: []].insert(name).inserted {
                    annotation.identifier = nil
                    losses.add("a name that is already used on the page", page: page)
                }
                file.add(annotation, page: page)
            }
        }
        return (file, losses)
    }

    /// Writes annotations as XFDF (ISO 19444-1), the XML format that other programs exchange.
    ///
    /// - Parameters:
    ///   - file: the annotations; pages that do not exist are an error.
    ///   - document: the document with the pages.
    ///   - name: the name of the document's file, which XFDF can contain. Default none.
    ///   - password: the password of an encrypted document. Default none.
    ///   - budget: the limits of each of the jobs. Default `WorkerBudget()`.
    /// - Returns: the bytes of the file, and a list of the parts that XFDF cannot store.
    /// - Throws: the errors of a drawing.
    public func xfdf(
        of file: AnnotationFile, for document: PageDocument, name: String? = nil, password: String? = nil,
        budget: WorkerBudget = WorkerBudget()
    ) async throws(DrawingError) -> (data: Data, losses: AnnotationLosses) {
        let spaces = try await spaces(
            of: document, pages: Set(file.pages.keys), password: password, budget: budget)
        return XFDFWriter.write(file, spaces, document: name)
    }

    private func spaces(
        of document: PageDocument, pages: Set<Int>, password: String?, budget: WorkerBudget
    ) async throws(DrawingError) -> [Int: PageSpace] {
        var (series, spaces) = (AnswerSeries(documentBytes: document.data.count, budget: budget), [Int: PageSpace]())
        for page in pages.sorted() {
            if page < 1 { throw .invalidRequest("the page is \(page); the first page is 1") }
            spaces[page] = try await space(of: document, page: page, password: password, budget: budget, &series)
        }
        return spaces
    }
}

extension XFDFElement {
    /// The name for a message. It is untrusted, and can be long.
    fileprivate var shownName: String {
        let letters = name.prefix(32).filter { $0.isASCII && $0.isLetter }
        return letters.isEmpty ? "an annotation of an unsupported kind" : "a \(letters) annotation"
    }
}
