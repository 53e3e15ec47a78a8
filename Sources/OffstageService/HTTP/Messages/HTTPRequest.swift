import CSoup
import Foundation

/// What a client asks, once all of it is there. Valid until the exchange is over.
@MainActor
struct HTTPRequest {
    let message: OpaquePointer
    let method: String
    /// As it came, with its escapes.
    let path: String
    /// Decoded, in their order.
    let query: [(name: String, value: String)]
    /// What stands in the place of `{…}` in the route, decoded.
    var parameter = ""
    /// Who asks; nil until that is known.
    var client: ServiceClient?
    /// Some bytes; empty until they are there.
    var body = Data()

    init(_ message: OpaquePointer) {
        self.message = message
        method = String(cString: soup_server_message_get_method(message))
        let uri = soup_server_message_get_uri(message)
        path = uri.flatMap { g_uri_get_path($0) }.map { String(cString: $0) } ?? ""
        query = Self.query(uri.flatMap { g_uri_get_query($0) }.map { String(cString: $0) } ?? "")
    }

    /// A header's value; of several, all of them, with commas between.
    func header(_ name: String) -> String? {
        soup_message_headers_get_list(soup_server_message_get_request_headers(message), name)
            .map { String(cString: $0) }
    }

    /// Without parameters, in small letters; nil where there is none.
    var contentType: String? {
        header("Content-Type").map { text in
            text.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        }
    }

    /// `utf-8` of `text/html; charset="UTF-8"`.
    var charset: String? {
        for part in header("Content-Type")?.components(separatedBy: ";").dropFirst() ?? [] {
            let part = part.trimmingCharacters(in: .whitespaces).lowercased()
            if part.hasPrefix("charset=") { return part.dropFirst(8).trimmingCharacters(in: ["\""]) }
        }
        return nil
    }

    /// As HTML forms write it; a name without `=` has an empty value.
    private static func query(_ text: String) -> [(name: String, value: String)] {
        text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (
                decoded(parts[0], isQuery: true) ?? "", parts.count == 2 ? decoded(parts[1], isQuery: true) ?? "" : ""
            )
        }
    }

    /// Nil where it is not UTF-8, or has an escape that is none.
    static func decoded(_ text: Substring, isQuery: Bool = false) -> String? {
        (isQuery ? String(text.replacing("+", with: " ")) : String(text)).removingPercentEncoding
    }
}
