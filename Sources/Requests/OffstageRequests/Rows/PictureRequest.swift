import Foundation
import Offstage

/// A program's request to a running Offstage: a document and its drawing options. It has the same keys as a manifest's
/// row.
package struct PictureRequest: Sendable {
    /// Nil if the program gave none.
    package let identifier: String?
    package var document: SourceDocument
    package let settings: Settings
    /// The origin of the request, for messages.
    package let place: String

    /// The files of the document and of the options, if it has any.
    package var files: [String] {
        let named = RowSettings.table.flatMap { $0.kind.paths(among: settings.options.strings($0.name)) }
        return (document.file.map { [$0] } ?? []) + named
    }

    /// Reads the document. Call it off the main thread.
    ///
    /// - Parameter identifier: the name in the cache.
    /// - Throws: `SourceFileError`.
    package func drawing(_ identifier: String) throws(SourceFileError) -> any DrawingRequest {
        try settings.request(for: document, identifier: identifier)
    }
}

/// Reads requests one at a time.
package struct RequestReader: Sendable {
    /// The keys of a request other than the options.
    package static let keys = Set(SourceRegistry.contentKeys + ["identifier"])

    let options: ParsedOptions
    let folder: String?
    let allowsFiles: Bool
    private var settings: RowSettings
    /// The sources of all documents so far.
    private var sources: [RegisteredSource] = []
    private var count = 0
    /// The bytes of the texts in the shared settings.
    private var textBytes = 0
    /// True if options name style sheets: these files may change between two requests.
    private let readsFiles: Bool

    /// The number of requests after which the shared settings are discarded, because a program can keep sending new
    /// options.
    private static let sharedCount = 1000
    /// The corresponding limit for the bytes of their texts.
    private static let sharedBytes = 1 << 20

    /// - Parameters:
    ///   - options: the defaults of all requests.
    ///   - folder: the folder for a request's paths and the relative URLs of its HTML. If it is nil, paths are relative
    ///     to the working folder, and URLs do not resolve.
    ///   - allowsFiles: true if a request may name files, which are then read with the rights of this process.
    package init(_ options: ParsedOptions = ParsedOptions(), folder: String?, allowsFiles: Bool) {
        self.options = options
        self.folder = folder
        self.allowsFiles = allowsFiles
        readsFiles = RowSettings.table.contains { $0.value == "FILE" && options.has($0.name) }
        settings = RowSettings(options, folder: folder, schema: "request")
    }

    /// True if all requests have a default format.
    package var hasFormat: Bool { options.string("format").map(VariantSpec.namesFormat) ?? false }

    /// The default options derived from a file's name: the format, if the request does not name one.
    ///
    /// - Parameters:
    ///   - name: the file's name in messages.
    /// - Throws: if the extension belongs to no format and a format is needed.
    package func defaults(
        ofFile path: String, named name: String, _ object: [String: JSONValue], at place: String
    ) throws(UsageError) -> [String: String] {
        let fileExtension = (path as NSString).pathExtension
        if fileExtension.isEmpty { return [:] }
        if let format = FileFormat(fileExtension: fileExtension) { return [Settings.formatByDefault: format.name] }
        if hasFormat { return [:] }
        if let spec = object["format"] {
            // A value that is not a text is rejected later.
            guard case .text(let text) = spec, !VariantSpec.namesFormat(text) else { return [:] }
        }
        throw UsageError("\(place): \(FormatSpec.unknownExtension(name)), or give a \"format\"")
    }

    /// - Parameters:
    ///   - object: `html` or `file`, `identifier`, and options.
    ///   - bytes: the document, if it was sent separately from the object, and its source.
    ///   - defaults: options with the lowest precedence.
    ///   - place: the origin of the request, for messages: `line 3`.
    package mutating func read(
        _ object: [String: JSONValue], bytes: (Data, of: RegisteredSource)? = nil, defaults: [String: String] = [:],
        at place: String
    ) throws(UsageError) -> PictureRequest {
        let identifier = object["identifier"] == nil ? nil : try RowIdentifier.read(object, at: place)
        if !allowsFiles, let key = object.keys.filter(Self.namesFile).min() {
            throw UsageError("\(place): \(key.quoted) names a file, but requests cannot name files here")
        }
        let document =
            if let bytes { SourceDocument(.bytes(bytes.0), of: bytes.of, name: place) } else {
                try SourceDocument(object, at: place, folder: folder)
            }
        if count == Self.sharedCount || textBytes > Self.sharedBytes || readsFiles || !settings.files.isEmpty {
            settings = RowSettings(options, folder: folder, schema: "request")
            (count, textBytes) = (0, 0)
        }
        if !sources.contains(where: { $0 === document.source }) { sources.append(document.source) }
        let own = object.filter { !Self.keys.contains($0.key) }
        count += 1
        textBytes += own.values.reduce(0) { $0 + $1.textBytes.sum }
        return PictureRequest(
            identifier: identifier, document: document,
            settings: try settings.settings(for: own, of: document.source, defaults: defaults, at: place), place: place)
    }

    /// A line about each default that had no effect on any document so far.
    package var withoutEffect: [String] { OptionUse(options, among: sources).withoutEffect(rowsAdd: true) }

    package static func namesFile(_ key: String) -> Bool { key == "file" || RowSettings.pathKeys.contains(key) }
}
