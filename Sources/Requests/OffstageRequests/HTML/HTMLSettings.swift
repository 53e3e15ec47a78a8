import Foundation
import Offstage
import OffstageHTML

/// The options of HTML documents, as a snippet without its document.
package struct HTMLSettings: SourceSettings {
    /// The geometry, the appearance and the limits of each snippet.
    var snippet = Snippet("", identifier: "")
    var isFragment = false
    var type: Snippet.DocumentType?
    var charset: String?
    var base: BaseFolder?
    /// CSS px, as the caller gave them: without them, an SVG document has its own size.
    private var width: Int?
    private var height: Int?
    private var hasOwnSize: Bool
    var fit: PictureBox.Fit?
    /// Nil if the layout itself fills the box: with `cover`, the picture shows the upper part of the document.
    private var box: PictureBox?

    /// - Parameter limit: the largest picture that its files can contain.
    init(_ options: ParsedOptions, limit: FormatLimit?) throws(UsageError) {
        snippet.geometry.formatLimit = limit
        width = try? options.integer("width", in: 1...32_767)
        height = try? options.integer("height", in: 1...32_767)
        // Other options decide how much of a viewport is in the picture.
        hasOwnSize = !["max-width", "min-height", "max-height", "viewport-height", "selector"].contains(
            where: options.has)
        try HTMLOptions.all.apply(options, to: &self)
        try HTMLOptions.check(options, snippet)
        if let fit, let width, let height { try fill(width, height, fit) }
    }

    /// The document is laid out as wide as the box. The picture shows its full height, scaled down if it is higher than
    /// the box. A shorter document becomes as high as the box, as with `--height` alone.
    private mutating func fill(_ width: Int, _ height: Int, _ fit: PictureBox.Fit) throws(UsageError) {
        if snippet.selector != nil, fit == .cover || fit == .fill {
            throw UsageError("--fit \(fit.rawValue) is for whole documents; with --selector, use contain or inside")
        }
        if fit == .cover { return }
        snippet.geometry.height = .content
        if fit != .inside { snippet.geometry.minimumHeight = height }
        box = PictureBox(width: width, height: height, fit: fit)
        // The limit applies to the picture after it was fitted into the box.
        snippet.geometry.formatLimit = nil
    }

    /// The engine fits an SVG document into its box, according to its `preserveAspectRatio`.
    package func boxed(_ request: any DrawingRequest) -> any DrawingRequest {
        guard let box, (request.innermost as? Snippet)?.type != .svg else { return request }
        return BoxedRequest(request, in: box)
    }

    package func check(_ options: ParsedOptions, for formats: [FileFormat]) throws(UsageError) {
        guard let box, let vector = formats.first(where: { $0.medium != .pixels }) else { return }
        throw UsageError(
            "--fit \(box.fit.rawValue) scales pixels, and the format \(vector.name) has none; use --fit cover, or png, jpeg, webp or raw"
        )
    }

    package var inputLimit: Int { snippet.limits.inputBytes }

    package func request(
        for document: SourceDocument, identifier: String
    ) throws(SourceFileError) -> any DrawingRequest {
        var snippet = snippet
        snippet.identifier = identifier
        snippet.setDocument(of: try read(document, identifier))
        snippet.set(type: type, charset: charset)
        if box != nil, let height, snippet.type == .svg {
            (snippet.geometry.height, snippet.geometry.minimumHeight) = (.fixed(height), nil)
        }
        if hasOwnSize { snippet.fitSVG(width: width, height: height) }
        if isFragment { snippet.completeDocument() }
        if let base { snippet.base = base }
        if let log = document.readLog, let folder = snippet.base as? BaseFolder {
            snippet.base = RecordingFolder(folder: folder, log: log)
        }
        return snippet
    }

    private func read(_ document: SourceDocument, _ identifier: String) throws(SourceFileError) -> Snippet {
        switch document.content {
        case .file(let path, let bytes?):
            var snippet = try Snippet(
                document: bytes, name: path, identifier: identifier, type: Snippet.DocumentType(path: path))
            snippet.base = BaseFolder(parentFolder(of: path))
            return snippet
        case .file(let path, nil): return try Snippet(contentsOf: path, identifier: identifier, limit: inputLimit)
        case .bytes(let bytes): return try Snippet(document: bytes, name: document.name, identifier: identifier)
        case .text(let html):
            // Text is Unicode, whatever charset it declares: for HTML, the declaration is only a hint.
            if html.utf8.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) {
                throw SourceFileError(path: document.name, problem: .empty)
            }
            let base = document.folder.map { BaseFolder($0) }
            return Snippet(identifier: identifier, html: Data(html.utf8), base: base)
        }
    }
}

/// A base folder that logs the files that a document requests.
private struct RecordingFolder: ResourceProvider {
    let folder: BaseFolder
    let log: SourceDocument.ReadLog

    func resource(at path: String) async throws(ResourceError) -> Data { try await resource(at: path, upTo: .max) }

    func resource(at path: String, upTo count: Int) async throws(ResourceError) -> Data {
        // The base folder rejects paths outside it, whether the files change or not.
        if !path.split(separator: "/").contains(".."), !path.utf8.contains(0) {
            log((folder.path as NSString).appendingPathComponent(path))
        }
        return try await folder.resource(at: path, upTo: count)
    }
}
