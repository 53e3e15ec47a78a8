import Offstage
import OffstagePages
import OffstageWebKit
import OffstageWorkers

extension RegisteredSource {
    /// Pages of PDF documents.
    package static let pages = RegisteredSource(
        "pdf", fileExtensions: ["pdf"], mediaTypes: [MediaType("application/pdf")],
        options: PageOptions.table.declarations(), limits: PageOptions.limits.declarations(),
        parts: DocumentParts(options: PageParts.options, list: PageParts.list),
        describe: PageInspector.info,
        settings: { options, _ throws(UsageError) in try PageSettings(options) },
        engine: { options, views in PageEngine(workers: views, jail: options.sandbox.jail) })
}

extension Sandbox {
    /// The same protection for workers.
    var jail: WorkerJail {
        switch self {
        case .always: .always
        case .wherePossible: .wherePossible
        case .never: .never
        }
    }
}
