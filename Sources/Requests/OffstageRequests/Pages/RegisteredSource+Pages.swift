import Foundation
import Offstage
import OffstageHTML
import OffstagePages
import OffstageWorkers

extension RegisteredSource {
    /// Pages of PDF documents.
    package static let pages = RegisteredSource(
        "pdf", title: "PDF pages", fileExtensions: ["pdf"], mediaTypes: [MediaType("application/pdf")],
        options: PageOptions.table.declarations(), limits: PageOptions.limits.declarations(),
        runOptions: ["fresh-workers"],
        parts: DocumentParts(options: PageParts.options, list: PageParts.list),
        describe: PageInspector.info,
        warnings: DrawingWarning.Code.pages,
        recognizes: { $0.starts(with: Data("%PDF-".utf8)) },
        protections: Inspection.protections(of: PageEngine.self),
        settings: { options, _ throws(UsageError) in try PageSettings(options) },
        engine: { options, views in
            PageEngine(workers: views, jail: options.sandbox.jail, fresh: options.fresh)
        })
}
