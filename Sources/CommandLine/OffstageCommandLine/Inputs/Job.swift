import Offstage
import OffstagePages
import OffstageRequests

/// One input and its settings.
package struct Job: Sendable {
    package let input: Input
    package let settings: Settings

    init(_ input: Input, _ settings: Settings) {
        self.input = input
        self.settings = settings
    }

    /// Reads the document and makes a request of it. Call it off the main thread.
    ///
    /// - Parameters:
    ///   - identifier: the name of the picture in the cache; default the input's identifier.
    ///   - log: called with the files that the drawing reads.
    ///   - warn: called with a line about each option that has no effect on standard input, whose source is not known
    ///     earlier.
    package func request(
        identifier: String? = nil, log: SourceDocument.ReadLog? = nil, warn: (String) -> Void = { _ in }
    ) throws -> any DrawingRequest {
        var document = try input.document(settings)
        document.readLog = log
        if case .standardInput = input {
            let use = OptionUse(settings.run, among: [document.source])
            do { try use.check() } catch { throw UsageError("\(input.name): \(error)") }
            let lines = use.withoutEffect()
            if settings.run.has("strict"), let first = lines.first { throw UsageError("\(input.name): \(first)") }
            for line in lines { warn("\(input.name): \(line)") }
        }
        return try settings.request(forAnySource: document, identifier: identifier ?? input.identifier)
    }

    /// The file of a PDF document's annotations, and its content, which is empty if the file does not exist; nil if the
    /// input cannot have one. Call it off the main thread.
    package func annotations() throws -> (path: String, content: AnnotationFile)? {
        let document = try input.document(settings)
        return try PageAnnotationFiles.file(of: document, try settings.sourceSettings(for: document.source))
    }
}
