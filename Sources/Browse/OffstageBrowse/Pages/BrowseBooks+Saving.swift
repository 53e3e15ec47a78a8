import Foundation
import Offstage
import OffstageCommandLine
import OffstageGTK
import OffstagePages

/// Saves annotations as part of a new PDF document, for other programs.
extension BrowseBooks {
    /// True if a document has annotations to save.
    func canSave(_ document: Int) -> Bool {
        annotations[document]?.content.pages.isEmpty == false && jobs[inputs[document]].input.filePath != nil
    }

    /// Writes a document with its annotations beside it. Existing files are not replaced.
    ///
    /// - Returns: a message for the reader.
    func save(_ document: Int) async -> String {
        guard canSave(document), let engine, let path = jobs[inputs[document]].input.filePath,
            let content = annotations[document]?.content
        else { return "this document has no annotations to save; press P to draw some" }
        return await Self.save(content, books[document], beside: path, engine)
    }

    @concurrent
    private nonisolated static func save(
        _ content: AnnotationFile, _ book: PageBook, beside path: String, _ engine: PageEngine
    ) async -> String {
        do {
            let options = SavingOptions(password: book.password)
            let saved = try await engine.saved(content, into: book.document, options: options)
            let output = freePath(beside: path)
            try AtomicFile.write(saved.document.data, to: output)
            return (["saved as \(output)"] + saved.warnings.map(\.description)).joined(separator: "; ")
        } catch let error as DrawingError { return "not saved: \(error)" } catch { return "not saved: \(error)" }
    }

    /// `score annotated.pdf`, or with a number if that file exists.
    nonisolated static func freePath(beside path: String) -> String {
        let stem = (path as NSString).deletingPathExtension
        var (output, number) = ("\(stem) annotated.pdf", 2)
        while FileManager.default.fileExists(atPath: output) {
            output = "\(stem) annotated \(number).pdf"
            number += 1
        }
        return output
    }
}

extension Input {
    /// Nil for an input without a file.
    fileprivate var filePath: String? { if case .file(let path, _) = self { path } else { nil } }
}
