import Offstage
import OffstageWebKit

extension RegisteredSource {
    /// HTML, XHTML and SVG documents.
    package static let html = RegisteredSource(
        "html", textKey: "html", fileExtensions: ["html", "htm"],
        mediaTypes: [
            MediaType("text/html", isText: true),
            MediaType("application/xhtml+xml", isText: true, options: ["type": "xhtml"]),
            MediaType("image/svg+xml", isText: true, options: ["type": "svg"]),
        ],
        options: HTMLOptions.table.declarations(), limits: HTMLOptions.limits.declarations(),
        settings: { options, limit throws(UsageError) in try HTMLSettings(options, limit: limit) },
        engine: { options, views in
            let engine = WebEngine(views: views, allowedHosts: options.hosts)
            engine.sandbox = options.sandbox
            return engine
        })
}
