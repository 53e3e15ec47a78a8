import Foundation
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
        warnings: DrawingWarning.Code.pages,
        recognizes: { $0.starts(with: Data("%PDF-".utf8)) },
        protections: { options throws(EngineUnavailable) in
            let engine = PageEngine(workers: 1, jail: options.sandbox.jail)
            let protections = try await engine.protections()
            await engine.shutDown()
            return protections
        },
        settings: { options, _ throws(UsageError) in try PageSettings(options) },
        engine: { options, views in PageEngine(workers: views, jail: options.sandbox.jail) })
}
