import Foundation
import Offstage
import OffstagePages

/// The pages and variants of a document that `render` draws.
enum PageParts {
    static let options: [OptionTable.Option] = [
        .init(
            "pages", value: "LIST",
            help:
                "Render these pages of PDF or ink documents, such as 1-3,last or all, below --out (default: only --page)"
        ) { options throws(UsageError) in _ = try list(options) }
    ].grouped(.input)

    private static func list(_ options: ParsedOptions) throws(UsageError) -> PageList? {
        try options.string("pages").map { text throws(UsageError) in
            guard let list = PageList(text) else {
                throw UsageError("--pages takes \(PageList.kind), not '\(text.excerpt)'")
            }
            return list
        }
    }

    /// - Throws: `UsageError`
    static func list(_ document: SourceDocument, _ options: ParsedOptions) throws(UsageError) -> [DocumentPart]? {
        let settings = try PageSettings(options)
        return try self.list(options, variants: settings.variants.map(\.rawValue)) { () throws(UsageError) in
            try PageInspector.count(document, settings, options)
        }
    }

    /// The parts of any document with pages and variants.
    ///
    /// - Parameters:
    ///   - variants: the names, at least one.
    ///   - count: finds the number of pages; nil if the document cannot be read. Called only if it is needed.
    static func list(
        _ options: ParsedOptions, variants: [String], count: () throws(UsageError) -> Int?
    ) throws(UsageError) -> [DocumentPart]? {
        let list = try list(options)
        if list != nil, options.has("page") { throw UsageError("--page and --pages cannot be combined; use one") }
        let namesVariant = options.has("variant")
        guard let list else {
            if variants.count < 2 { return nil }
            return variants.map { DocumentPart(suffix: ".\($0)", options: ["variant": .text($0)]) }
        }
        let count = list.needsCount ? try count() : 1
        // Without a count, the first page reports the reason.
        let pages = count.map { list.pages(of: $0) } ?? [1]
        let digits = max(3, String(pages.max() ?? 1).count)
        return pages.flatMap { page in
            variants.map { variant in
                let number = String(page)
                let name = "/p" + String(repeating: "0", count: digits - number.count) + number
                var options: [String: JSONValue] = ["page": .integer(page)]
                if namesVariant { options["variant"] = .text(variant) }
                return DocumentPart(suffix: name + (namesVariant ? ".\(variant)" : ""), options: options)
            }
        }
    }
}
