import Foundation
import Offstage
import OffstageInk

/// The options of ink, as a page without its document.
struct InkSettings: SourceSettings {
    var drawing = InkDrawing(InkDocument(Data()))
    /// The first one is drawn; the command line makes a picture of each.
    var contents = [InkContent.annotated]
    /// CSS px.
    var width: Int?
    /// CSS px.
    var height: Int?

    init(_ options: ParsedOptions) throws(UsageError) {
        try InkOptions.all.apply(options, to: &self)
        if drawing.fit == nil, width != nil || height != nil {
            // A side that is not given has no limit.
            drawing.fit = InkFit(width: width ?? 1_000_000, height: height ?? 1_000_000)
        }
        drawing.content = contents[0]
    }

    var inputLimit: Int { drawing.limits.budget.documentBytes }

    func request(for document: SourceDocument, identifier: String) throws(SourceFileError) -> any DrawingRequest {
        var drawing = drawing
        drawing.identifier = identifier
        drawing.document = try self.document(document)
        return drawing
    }

    var overlayPage: Int? { drawing.content == .plain ? nil : drawing.page }

    func document(_ document: SourceDocument) throws(SourceFileError) -> InkDocument {
        let data = try document.bytes(limit: inputLimit)
        if let path = document.file { return InkDocument(data, path: path, digest: document.digest) }
        return InkDocument(data, folder: nil, name: "", digest: document.digest)
    }
}

extension RegisteredSource {
    /// Pages of ink.
    package static let ink = RegisteredSource(
        "ink", fileExtensions: ["xopp", "xoj", "inkml", "rnote"],
        mediaTypes: [
            MediaType("application/x-xopp"), MediaType("application/x-xojpp"), MediaType("application/inkml+xml"),
        ],
        options: InkOptions.table.declarations(), limits: InkOptions.limits.declarations(),
        parts: DocumentParts(options: PageParts.options, list: InkParts.list),
        describe: InkInspector.info,
        warnings: DrawingWarning.Code.ink,
        recognizes: { InkInspector.recognizes($0) },
        protections: { options throws(EngineUnavailable) in
            let engine = InkEngine(workers: 1, jail: options.sandbox.jail)
            let protections = try await engine.protections()
            await engine.shutDown()
            return protections
        },
        settings: { options, _ throws(UsageError) in try InkSettings(options) },
        engine: { options, workers in InkEngine(workers: workers, jail: options.sandbox.jail) })
}
