import CSoup
import Foundation
import OffstageRequests

/// A client's request. Valid until the exchange is over.
@MainActor
struct HTTPRequest {
    let message: OpaquePointer
    let method: String
    /// The path as received, with its escapes.
    let path: String
    /// Decoded, in order.
    let query: [(name: String, value: String)]
    /// The decoded part of the path at the place of `{…}` in the route.
    var parameter = ""
    /// Nil until the client is identified.
    var client: ServiceClient?
    /// Empty until it has arrived.
    var body = Data()

    init(_ message: OpaquePointer) {
        self.message = message
        method = String(cString: soup_server_message_get_method(message))
        let uri = soup_server_message_get_uri(message)
        path = uri.flatMap { g_uri_get_path($0) }.map { String(cString: $0) } ?? ""
        query = Self.query(uri.flatMap { g_uri_get_query($0) }.map { String(cString: $0) } ?? "")
    }

    /// A header's value; several values are joined with commas.
    func header(_ name: String) -> String? {
        soup_message_headers_get_list(soup_server_message_get_request_headers(message), name)
            .map { String(cString: $0) }
    }

    /// Without parameters, in lower case.
    var contentType: String? { contentTypeParts.first }

    /// `utf-8` for `text/html; charset="UTF-8"`.
    var charset: String? {
        contentTypeParts.dropFirst().first { $0.hasPrefix("charset=") }
            .map { $0.dropFirst(8).trimmingCharacters(in: ["\""]) }
    }

    private var contentTypeParts: [String] {
        header("Content-Type")?.lowercased().components(separatedBy: ";")
            .map { $0.trimmingCharacters(in: .whitespaces) } ?? []
    }

    /// A body of JSON.
    nonisolated static func object(_ body: Data) throws(Problem) -> [String: JSONValue] {
        do throws(UsageError) {
            return try JSONValue.object(
                ofLine: body, at: "the body", ifNotText: "save it as UTF-8", ifNotJSON: "send one JSON object")
        } catch { throw Problem(400, "invalid-body", error.description) }
    }

    /// Reads the encoding of HTML forms; a name without `=` has an empty value.
    private static func query(_ text: String) -> [(name: String, value: String)] {
        text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { decoded($0, isQuery: true) ?? "" }
            return (parts[0], parts.count == 2 ? parts[1] : "")
        }
    }

    /// Nil if it is not UTF-8 or has an invalid escape.
    static func decoded(_ text: Substring, isQuery: Bool = false) -> String? {
        (isQuery ? String(text.replacing("+", with: " ")) : String(text)).removingPercentEncoding
    }
}
