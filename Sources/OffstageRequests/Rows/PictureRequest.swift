import Foundation
import Offstage
import OffstageWebKit

/// What a program asks a running Offstage for: a document, and how it is drawn. The same keys as a manifest's row.
package struct PictureRequest: Sendable {
    /// Nil where the program gave none.
    package let identifier: String?
    package let content: RequestContent
    package let settings: Settings
    /// Where it comes from, for messages.
    package let place: String
    private let folder: String?

    fileprivate init(
        identifier: String?, content: RequestContent, settings: Settings, place: String, folder: String?
    ) {
        self.identifier = identifier
        self.content = content
        self.settings = settings
        self.place = place
        self.folder = folder
    }

    /// Reads the document. Off the main thread.
    ///
    /// - Parameter identifier: what it is kept under.
    /// - Throws: `SnippetFileError`.
    package func snippet(_ identifier: String) throws(SnippetFileError) -> Snippet {
        let limit = settings.snippet.limits.inputBytes
        var snippet = try content.snippet(identifier: identifier, at: place, folder: folder, limit: limit)
        settings.snippet.apply(to: &snippet)
        return snippet
    }
}

/// Reads requests, one after the other.
package struct RequestReader: Sendable {
    /// What a request may have beside the options.
    package static let keys = RequestContent.keys.union(["identifier"])

    private let options: ParsedOptions
    private let folder: String?
    private let allowsFiles: Bool
    private var settings: RowSettings
    private var count = 0
    /// Options name style sheets: each may be another one the next time.
    private let readsFiles: Bool

    /// Requests that say the same share settings; so many at most, because a program can say ever new things.
    private static let sharedCount = 1000

    /// - Parameters:
    ///   - options: what holds where a request says nothing.
    ///   - folder: where a request's paths start, and relative URLs of its HTML; nil for the working folder, and nowhere.
    ///   - allowsFiles: whether a request may name files: it reads what this process can read.
    package init(_ options: ParsedOptions = ParsedOptions(), folder: String?, allowsFiles: Bool) {
        self.options = options
        self.folder = folder
        self.allowsFiles = allowsFiles
        readsFiles = RowSettings.table.contains { $0.value == "FILE" && options.has($0.name) }
        settings = RowSettings(options, folder: folder, schema: "request")
    }

    /// Whether the format is said for all requests.
    package var hasFormat: Bool { options.string("format").map(VariantSpec.namesFormat) ?? false }

    /// The options that a file's name gives a request: its format, for what the request says no format of.
    ///
    /// - Parameters:
    ///   - name: the file, as messages call it.
    /// - Throws: for an extension that stands for no format, where one is needed.
    package func defaults(
        ofFile path: String, named name: String, _ object: [String: JSONValue], at place: String
    ) throws(UsageError) -> [String: String] {
        let fileExtension = (path as NSString).pathExtension
        if fileExtension.isEmpty { return [:] }
        if let format = ImageFormat(fileExtension: fileExtension) { return [Settings.formatByDefault: format.name] }
        if hasFormat { return [:] }
        if let spec = object["format"] {
            // What is no text is refused later.
            guard case .text(let text) = spec, !VariantSpec.namesFormat(text) else { return [:] }
        }
        throw UsageError("\(place): \(FormatSpec.unknownExtension(name)), or say the \"format\"")
    }

    /// - Parameters:
    ///   - object: `html` or `file`, `identifier`, and options.
    ///   - bytes: the document, where it came beside the object.
    ///   - defaults: options that hold where nothing else says them.
    ///   - place: where the request is, for messages: `line 3`.
    package mutating func read(
        _ object: [String: JSONValue], bytes: Data? = nil, defaults: [String: String] = [:], at place: String
    ) throws(UsageError) -> PictureRequest {
        let identifier = object["identifier"] == nil ? nil : try RowIdentifier.read(object, at: place)
        if !allowsFiles, let key = object.keys.sorted().first(where: Self.namesFile) {
            throw UsageError("\(place): \(key.quoted) names a file, and requests may name none here")
        }
        let content =
            if let bytes { RequestContent.bytes(bytes) } else {
                try RequestContent.read(object, at: place, folder: folder)
            }
        if count == Self.sharedCount || readsFiles || !settings.files.isEmpty {
            settings = RowSettings(options, folder: folder, schema: "request")
            count = 0
        }
        count += 1
        let own = object.filter { !Self.keys.contains($0.key) }
        return PictureRequest(
            identifier: identifier, content: content,
            settings: try settings.settings(for: own, defaults: defaults, at: place),
            place: place, folder: folder)
    }

    package static func namesFile(_ key: String) -> Bool {
        key == "file" || RowSettings.table.contains { $0.name == key && $0.kind.isPath }
    }
}
