import Foundation
import Offstage
import OffstageInk

/// The options of ink: a page without its document.
struct InkSettings: SourceSettings {
    var drawing = InkDrawing(InkDocument(Data()))
    /// The first variant is drawn; the command line makes a picture of each.
    var contents = [InkContent.annotated]
    var size = PageSize()

    init(_ options: ParsedOptions) throws(UsageError) {
        try InkOptions.all.apply(options, to: &self)
        if drawing.fit != nil { size.fit = .inside }
        drawing.fit = drawing.fit ?? size.box
        drawing.content = contents[0]
        try size.check(options)
    }

    /// A thumbnail has its own box.
    func boxed(_ request: any DrawingRequest) -> any DrawingRequest {
        guard drawing.content != .thumbnail, let box = size.filled else { return request }
        return BoxedRequest(request, in: box)
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
        if let path = document.file {
            return InkDocument(data, path: path, digest: document.digest, log: document.readLog)
        }
        return InkDocument(data, folder: nil, name: "", digest: document.digest)
    }
}

extension RegisteredSource {
    /// Pages of ink.
    package static let ink = RegisteredSource(
        "ink", title: "Ink", fileExtensions: ["xopp", "xoj", "inkml", "rnote", "excalidraw", "tldr"],
        mediaTypes: [
            MediaType("application/x-xopp"), MediaType("application/x-xojpp"), MediaType("application/inkml+xml"),
        ],
        options: InkOptions.table.declarations(), limits: InkOptions.limits.declarations(),
        runOptions: ["fresh-workers"],
        parts: DocumentParts(options: PageParts.options, list: InkParts.list),
        describe: InkInspector.info,
        warnings: DrawingWarning.Code.ink,
        recognizes: { InkRecognition.recognizes($0) },
        protections: Inspection.protections(of: InkEngine.self),
        settings: { options, _ throws(UsageError) in try InkSettings(options) },
        engine: { options, workers in
            InkEngine(workers: workers, jail: options.sandbox.jail, fresh: options.fresh)
        })
}
