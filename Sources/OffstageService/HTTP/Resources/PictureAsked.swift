import Foundation
import Offstage
import OffstageRequests
import OffstageWebKit

/// A picture as an HTTP request asks for it.
struct PictureAsked: Sendable {
    var request: ServiceRequest
    var format: ImageFormat

    /// What a body and a query say, before anyone has looked at it.
    struct Source: Sendable {
        /// What the body is; nil for JSON.
        var type: Snippet.DocumentType?
        /// Of the body, where the client names one other than UTF-8.
        var charset: String?
        var body: Data
        var query: [String: JSONValue]
        var accept: String?
        var client: ServiceClient?
    }

    /// Larger ones are read off the main thread.
    static let smallBody = 65_536

    /// - Throws: `Problem`, for a body that is neither a document nor JSON.
    @MainActor
    static func source(_ request: HTTPRequest) throws(Problem) -> Source {
        let type: Snippet.DocumentType?
        switch request.contentType {
        case "text/html": type = .html
        case "application/xhtml+xml": type = .xhtml
        case "image/svg+xml": type = .svg
        case "application/json": type = nil
        default:
            throw Problem(
                415, "unsupported-body",
                "the body has to be text/html, application/xhtml+xml, image/svg+xml or application/json; "
                    + "say so by Content-Type",
                headers: [
                    (name: "Accept-Post", value: "text/html, application/xhtml+xml, image/svg+xml, application/json")
                ])
        }
        let charset = request.charset.flatMap { ["utf-8", "utf8"].contains($0) ? nil : $0 }
        if let charset, type == nil || !Snippet.isCharset(charset) {
            throw Problem(
                415, "unsupported-charset",
                type == nil
                    ? "JSON has to be UTF-8, not \(charset.quoted)" : "no charset has the name \(charset.quoted)")
        }
        if request.header("Content-Encoding") != nil {
            throw Problem(415, "unsupported-encoding", "the body has to be without a Content-Encoding")
        }
        return Source(
            type: type, charset: charset, body: request.body, query: try QueryOptions.object(request.query),
            accept: request.header("Accept"), client: request.client)
    }

    /// - Parameter reader: shares what requests have in common.
    init(_ source: Source, _ configuration: ServeConfiguration, reader: inout ServiceRequestReader) throws(Problem) {
        var object: [String: JSONValue]
        var bytes: Data?
        if let type = source.type {
            object = source.query
            if type != .html, object["type"] == nil { object["type"] = .text(type.rawValue) }
            if let charset = source.charset, object["charset"] == nil { object["charset"] = .text(charset) }
            // Without another word the body is UTF-8, whatever it declares itself; what is not speaks for itself.
            if object["charset"] == nil, let html = String(validating: source.body, as: UTF8.self) {
                object["html"] = .text(html.first == "\u{FEFF}" ? String(html.dropFirst()) : html)
            } else {
                bytes = source.body
            }
        } else {
            do throws(UsageError) {
                object = try JSONValue.object(
                    ofLine: source.body, at: "the body", ifNotText: "save it as UTF-8",
                    ifNotJSON: "send one JSON object")
            } catch { throw Problem(400, "invalid-body", error.description) }
            for (name, value) in source.query where object.updateValue(value, forKey: name) != nil {
                throw Problem(400, "invalid-query", "\(name.quoted) stands in the query and in the body; leave one out")
            }
        }
        try configuration.policy.check(object)
        for name in ["also", "each"] where object[name] != nil && object[name] != .bool(false) {
            throw Problem(
                422, "several-files",
                "\(name.quoted) gives several files, and an answer is one; ask at /v1/batch with \"inline\": true")
        }
        var defaults: [String: String] = [:]
        if Self.leavesFormat(object, configuration.defaults) {
            guard let format = Acceptance.format(source.accept) else {
                throw Problem(
                    406, "not-acceptable",
                    "the Accept header takes none of \(Acceptance.types.formatted("and")); change it or name a format")
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

    /// Whether the client's `Accept` decides: neither the request nor the command line names a format.
    private static func leavesFormat(_ object: [String: JSONValue], _ defaults: ParsedOptions) -> Bool {
        switch object["format"] {
        case nil: defaults.string("format").map { !VariantSpec.namesFormat($0) } ?? true
        case .text(let text)?: !VariantSpec.namesFormat(text)
        case _?: false
        }
    }

    /// As the other, off the main thread.
    @concurrent
    static func read(
        _ source: Source, _ configuration: ServeConfiguration, reader: ServiceRequestReader
    ) async -> Result<PictureAsked, Problem> {
        var reader = reader
        do throws(Problem) { return .success(try PictureAsked(source, configuration, reader: &reader)) } catch {
            return .failure(error)
        }
    }
}
