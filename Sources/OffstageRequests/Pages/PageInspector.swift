import Foundation
import Offstage
import OffstagePages

/// Reads what PDF documents say about themselves, before and beside a run.
enum PageInspector {
    /// Blocks the thread, which must not be one of Swift's pool.
    ///
    /// - Returns: the number of pages; nil if the document cannot be read.
    static func count(
        _ document: SourceDocument, _ settings: PageSettings, _ options: ParsedOptions
    ) throws(UsageError) -> Int? {
        guard let document = try? settings.document(document) else { return nil }
        let (engine, password) = (try Inspection.engine(PageEngine.self, options), settings.page.password)
        return Inspection.wait { try? await engine.pageCount(of: document, password: password) }
    }

    static func info(_ document: SourceDocument, _ options: ParsedOptions) async throws -> SourceInfo {
        let settings = try PageSettings(options)
        let info = try await Inspection.engine(PageEngine.self, options).info(
            of: try settings.document(document), password: settings.page.password, rotations: true,
            budget: settings.page.budget)
        var result = SourceInfo(info)
        if options.has("annotations") {
            let annotated = try AnnotatedDocument(document, options, try Inspection.engine(PageEngine.self, options))
            result.add(try await annotated.own())
        }
        return result
    }
}
