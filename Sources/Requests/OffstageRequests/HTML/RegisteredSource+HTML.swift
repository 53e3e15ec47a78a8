import Foundation
import Offstage
import OffstageWebKit

extension RegisteredSource {
    /// HTML, XHTML and SVG documents.
    package static let html = RegisteredSource(
        "html", title: "HTML, XHTML and SVG", textKey: "html", fileExtensions: ["html", "htm", "svg", "svgz"],
        partExtensions: ["svg", "svgz"],
        timeout: Snippet("", identifier: "").timeout,
        mediaTypes: [
            MediaType("text/html", isText: true),
            MediaType("application/xhtml+xml", isText: true, options: ["type": "xhtml"]),
            MediaType("image/svg+xml", isText: true, options: ["type": "svg"]),
        ],
        options: HTMLOptions.table.declarations(), limits: HTMLOptions.limits.declarations(),
        runOptions: ["fonts", "allow-host", "allow-private-addresses", "save-html"],
        describe: describeSnippet,
        warnings: DrawingWarning.Code.html,
        // A view starts in 0.2 s.
        picturesPerStart: 50,
        settings: { options, limit throws(UsageError) in try HTMLSettings(options, limit: limit) },
        engine: { options, views in
            if let count = ProcessInfo.processInfo.environment["OFFSTAGE_HTML_WORKERS"].flatMap({ Int($0) }) {
                return HTMLEngine(
                    views: views, workers: max(1, min(views, count)), allowedHosts: options.hosts,
                    sandbox: options.sandbox)
            }
            let engine = WebEngine(views: views, allowedHosts: options.hosts)
            engine.sandbox = options.sandbox
            return engine
        })
}

/// The kind and the charset of a document, and the size that an SVG document declares, in CSS px.
private func describeSnippet(_ document: SourceDocument, _ options: ParsedOptions) async throws -> SourceInfo {
    let request = try HTMLSettings(options, limit: nil).request(for: document, identifier: document.name)
    guard let snippet = request as? Snippet else { return SourceInfo(values: [:], lines: []) }
    if !snippet.isText { throw DrawingError.notText }
    let kind = snippet.type.rawValue.uppercased()
    var values: [String: JSONValue] = ["kind": .text(kind), "charset": .text(snippet.charset)]
    var words = [kind]
    if let size = snippet.svgSize {
        (values["width"], values["height"]) = (.number(size.width), .number(size.height))
        words.append("\(points(size.width)) × \(points(size.height)) CSS px")
    }
    return SourceInfo(values: values, lines: [(words + [snippet.charset]).joined(separator: ", ")])
}

private func points(_ value: Double) -> String { String(format: "%g", (value * 10).rounded() / 10) }
