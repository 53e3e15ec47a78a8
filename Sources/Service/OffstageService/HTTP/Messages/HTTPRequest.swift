import Foundation
import OffstageRequests

/// A client's request, with its whole body.
struct HTTPRequest: Sendable {
    let head: RequestHead
    /// The decoded part of the path that matches `{…}` in the route.
    let parameter: String
    /// Nil for a route that needs none.
    let client: ServiceClient?
    let body: Data
    /// The memory of the body and of everything derived from it. The owner of the request's document retains it.
    let memory: MemoryBudget.Charge

    var method: String { head.method }

    /// The decoded query, in order, in the encoding of HTML forms. A name without `=` has an empty value.
    ///
    /// - Throws: if there are more than `QueryOptions.limit`. They are counted before they are decoded.
    func query() throws(Problem) -> [(name: String, value: String)] { try Self.query(head) }

    static func query(_ head: RequestHead) throws(Problem) -> [(name: String, value: String)] {
        let pairs = head.query.split(separator: UInt8(ascii: "&"), maxSplits: QueryOptions.limit)
        if pairs.count > QueryOptions.limit { throw QueryOptions.tooMany }
        return pairs.map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map { PercentEscapes.decoded($0, isForm: true) ?? "" }
            return (parts[0], parts.count == 2 ? parts[1] : "")
        }
    }

    /// A header's value; several values are joined with commas.
    ///
    /// - Parameter name: in lower case.
    func header(_ name: StaticString) -> String? { head.value(name) }

    /// Without parameters, in lower case.
    var contentType: String? { Self.contentTypeParts(head).first }

    static func contentType(_ head: RequestHead) -> String? { contentTypeParts(head).first }

    /// `utf-8` for `text/html; charset="UTF-8"`.
    var charset: String? {
        Self.contentTypeParts(head).dropFirst().first { $0.hasPrefix("charset=") }
            .map { $0.dropFirst(8).trimmingCharacters(in: ["\""]) }
    }

    private static func contentTypeParts(_ head: RequestHead) -> [String] {
        // Ignore more parameters than a media type can have.
        head.value("content-type")?.lowercased().split(separator: ";", maxSplits: 8, omittingEmptySubsequences: false)
            .prefix(8).map { $0.trimmingCharacters(in: .whitespaces) } ?? []
    }

    /// A body of JSON.
    static func object(_ body: Data) throws(Problem) -> [String: JSONValue] {
        do throws(UsageError) {
            return try JSONValue.object(
                ofLine: body, at: "the body", ifNotText: "save it as UTF-8", ifNotJSON: "send one JSON object")
        } catch { throw Problem(400, "invalid-body", error.description) }
    }
}
