import Foundation
import Offstage
import OffstageRequests

/// An HTTP request for one picture.
struct ImageRequest: Sendable {
    var request: ServiceRequest
    var format: FileFormat

    /// The body and the query, not read yet.
    struct Source: Sendable {
        /// The body's source and type; nil for JSON.
        var type: (source: RegisteredSource, media: RegisteredSource.MediaType)?
        /// The body's charset, if the client names one other than UTF-8.
        var charset: String?
        var body: Data
        var query: [String: JSONValue]
        var accept: String?
        var client: ServiceClient?
    }

    /// Larger bodies are read off the connection's thread, in bytes.
    static let smallBody = 65_536

    /// - Throws: `Problem`, for a body that is neither a document nor JSON.
    static func source(_ request: HTTPRequest) throws(Problem) -> Source {
        let type = request.contentType.flatMap(SourceRegistry.source(ofMediaType:))
        if type == nil, request.contentType != "application/json" {
            let types = SourceRegistry.mediaTypes + ["application/json"]
            throw Problem(
                415, "unsupported-body", "the body must be \(types.formatted("or")); set Content-Type",
                headers: ["Accept-Post": types.joined(separator: ", ")])
        }
        let charset = request.charset.flatMap { ["utf-8", "utf8"].contains($0) ? nil : $0 }
        if let charset, type == nil || !SourceRegistry.isCharset(charset) {
            throw Problem(
                415, "unsupported-charset",
                type == nil
                    ? "JSON must be UTF-8, not \(charset.quoted)" : "there is no charset \(charset.quoted)")
        }
        if request.header("content-encoding") != nil {
            throw Problem(415, "unsupported-encoding", "the body must not have a Content-Encoding")
        }
        return Source(
            type: type, charset: charset, body: request.body, query: try QueryOptions.object(request.query()),
            accept: request.header("accept"), client: request.client)
    }

    /// - Parameter reader: caches the common parts of requests.
    init(_ source: Source, _ configuration: ServeConfiguration, reader: inout ServiceRequestReader) throws(Problem) {
        var object: [String: JSONValue]
        var bytes: (Data, of: RegisteredSource)?
        if let type = source.type {
            object = source.query
            for (name, value) in type.media.options where object[name] == nil { object[name] = .text(value) }
            if type.media.isText, let charset = source.charset, object["charset"] == nil {
                object["charset"] = .text(charset)
            }
            // A text without a charset is read as UTF-8, whatever it declares. Bytes that are not UTF-8 are read in the
            // charset that they declare.
            if let key = type.source.textKey, type.media.isText, object["charset"] == nil,
                let text = String(validating: source.body, as: UTF8.self)
            {
                object[key] = .text(text.first == "\u{FEFF}" ? String(text.dropFirst()) : text)
            } else {
                bytes = (source.body, of: type.source)
            }
        } else {
            object = try Self.object(source.body)
            for (name, value) in source.query where object.updateValue(value, forKey: name) != nil {
                throw Problem(400, "invalid-query", "\(name.quoted) is in the query and in the body; leave one out")
            }
        }
        if let client = source.client, case .text(let identifier)? = object["identifier"] {
            do throws(NotAllowed) { try client.rights.check(identifier: identifier, at: "the request") } catch {
                throw Problem(error)
            }
        }
        try configuration.policy.check(object)
        for name in ["also", "each"] where object[name] != nil && object[name] != .bool(false) {
            throw Problem(
                422, "several-files",
                "\(name.quoted) gives several files, but an answer is one file; use /v1/batch with \"inline\": true")
        }
        var defaults: [String: String] = [:]
        if Self.leavesFormat(object, configuration.defaults) {
            guard let format = Acceptance.format(source.accept) else {
                throw Problem(
                    406, "not-acceptable",
                    "the Accept header accepts none of \(Acceptance.types.formatted("and")); change it or name a format"
                )
            }
            defaults[Settings.formatByDefault] = format.name
        }
        do throws(UsageError) {
            request = try reader.read(
                object, bytes: bytes, defaults: defaults, of: source.client,
                at: RowIdentifier.name(of: object, at: "the request"))
        } catch { throw Problem(error).without(configuration.paths) }
        format = request.picture.settings.variants[0].format
    }

    /// A body of JSON.
    private static func object(_ body: Data) throws(Problem) -> [String: JSONValue] {
        do throws(JSONObjectError) {
            return try JSONValue.read(
                body, at: "the body", ifNotText: "save it as UTF-8", ifNotJSON: "send one JSON object")
        } catch {
            switch error {
            case .malformed(let text): throw Problem(400, "invalid-body", text)
            case .overLimit(let text): throw Problem(422, "invalid-request", text)
            }
        }
    }

    /// True if neither the request nor the command line names a format, so that the client's `Accept` decides.
    private static func leavesFormat(_ object: [String: JSONValue], _ defaults: ParsedOptions) -> Bool {
        switch object["format"] {
        case nil: defaults.string("format").map { !VariantSpec.namesFormat($0) } ?? true
        case .text(let text)?: !VariantSpec.namesFormat(text)
        case _?: false
        }
    }

    /// Reads a request off the main thread.
    @concurrent
    static func read(
        _ source: Source, _ configuration: ServeConfiguration, reader: ServiceRequestReader
    ) async throws(Problem) -> ImageRequest {
        var reader = reader
        return try ImageRequest(source, configuration, reader: &reader)
    }
}
