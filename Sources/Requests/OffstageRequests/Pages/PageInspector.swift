import Foundation
import Offstage
import OffstagePages

/// Reads facts about PDF documents, before and during a run.
package enum PageInspector {
    /// The option of `offstage info` for a text to find.
    package static let option = OptionTable.Option(
        "find", value: "TEXT", help: "Find TEXT in PDF documents: list the pages, positions and surrounding words")

    /// - Throws: `UsageError` for a text without letters.
    package static func query(_ options: ParsedOptions) throws(UsageError) -> String? {
        guard let text = options.string(option.name) else { return nil }
        if text.allSatisfy(\.isWhitespace) { throw UsageError("--\(option.name) needs a text to find, not '\(text)'") }
        return text
    }

    /// The number of pages whose sizes are read for a line.
    private static let briefPages = 10_000

    /// Blocks the thread, which must not belong to Swift's thread pool.
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
        let (engine, file) = (try Inspection.engine(PageEngine.self, options), try settings.document(document))
        let (password, budget) = (settings.page.password, settings.page.budget)
        let query = try query(options)
        // The line for people names the sizes, for which the first pages are enough.
        let isBrief = query == nil && !options.has("json")
        let info = try await engine.info(
            of: file, password: password, rotations: !isBrief, pages: isBrief ? briefPages : .max, budget: budget)
        var result: SourceInfo
        if let query {
            result = SourceInfo(
                info, matches: try await engine.matches(of: query, in: file, password: password, budget: budget))
        } else {
            result = SourceInfo(info, isBrief: isBrief)
        }
        if options.has("annotations") {
            result.add(try await AnnotatedDocument(document, options, engine).own())
        }
        return result
    }
}
