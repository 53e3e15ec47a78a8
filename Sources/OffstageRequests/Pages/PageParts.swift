import Foundation
import Offstage
import OffstagePages

/// The pages and variants of a document that `render` draws.
enum PageParts {
    static let options: [OptionTable.Option] = [
        .init(
            "pages", value: "LIST",
            help: "Render these pages of PDF documents, such as 1-3,last or all, below --out (default: only --page)")
    ].grouped(.input)

    /// - Throws: `UsageError`
    static func list(_ document: SourceDocument, _ options: ParsedOptions) throws(UsageError) -> [DocumentPart]? {
        let settings = try PageSettings(options)
        let list = try options.string("pages").map { text throws(UsageError) in
            guard let list = PageList(text) else { throw UsageError("--pages takes \(PageList.kind), not '\(text)'") }
            return list
        }
        if list != nil, options.has("page") { throw UsageError("--page and --pages cannot both be; use one") }
        let namesVariant = options.has("variant")
        guard let list else {
            if settings.variants.count < 2 { return nil }
            return settings.variants.map {
                DocumentPart(suffix: ".\($0.rawValue)", options: ["variant": .text($0.rawValue)])
            }
        }
        let count = list.needsCount ? PageInspector.count(document, settings, try PageInspector.jail(options)) : 1
        // Without a count, the first page reports the reason.
        let pages = count.map { list.pages(of: $0) } ?? [1]
        let digits = max(3, String(pages.max() ?? 1).count)
        return pages.flatMap { page in
            settings.variants.map { variant in
                let number = String(page)
                let name = "/p" + String(repeating: "0", count: digits - number.count) + number
                var options: [String: JSONValue] = ["page": .integer(page)]
                if namesVariant { options["variant"] = .text(variant.rawValue) }
                return DocumentPart(suffix: name + (namesVariant ? ".\(variant.rawValue)" : ""), options: options)
            }
        }
    }
}
