import Foundation
import OffstageRequests

/// Reads a query's options as the keys of a request, which have the names of the command line: `?width=320&trim&also=webp`.
enum QueryOptions {
    /// The maximum number of options, with repetitions. A JSON request can have more.
    static let limit = 200

    static func object(_ query: [(name: String, value: String)]) throws(Problem) -> [String: JSONValue] {
        if query.count > limit { throw tooMany }
        var lists: [String: [JSONValue]] = [:]
        for (name, text) in query {
            try checkLength(name, text)
            let value = try value(text, of: name)
            if lists[name] != nil, RowSettings.kind(of: name)?.isList != true {
                throw Problem(400, "invalid-query", "the query has \(name.quoted) twice; leave one out")
            }
            lists[name, default: []].append(value)
        }
        return lists.mapValues { $0.count == 1 ? $0[0] : .list($0) }
    }

    static let tooMany = Problem(
        400, "invalid-query", "the query has more than \(limit) options; send longer lists as application/json")

    /// The limits of a JSON request apply for the same reasons: see `JSONLimits`.
    static func checkLength(_ name: String, _ text: String) throws(Problem) {
        if name.utf8.count > JSONLimits.keyBytes {
            throw Problem(
                400, "invalid-query", "the query has an option whose name has more than \(JSONLimits.keyBytes) bytes")
        }
        if text.utf8.count > JSONLimits.textBytes {
            throw Problem(
                400, "invalid-query",
                "\(name.quoted) takes at most \(JSONLimits.textBytes) bytes; shorten it")
        }
    }

    private static func value(_ text: String, of name: String) throws(Problem) -> JSONValue {
        // The options of `ownNames`.
        switch name {
        case "identifier", "priority", "group": return .text(text)
        case "immediate", "refresh", "store": return try bool(text, of: name)
        case "deadline": return JSONValue(numberText: text) ?? .text(text)
        default: break
        }
        guard let kind = RowSettings.kind(of: name) else {
            throw Problem(400, "invalid-query", unknown(name, among: RowSettings.keys + ownNames))
        }
        return kind.isSwitch ? try bool(text, of: name) : kind.value(ofText: text)
    }

    /// The names of a request's options that are not options of a picture.
    private static let ownNames = ["identifier", "priority", "group", "immediate", "refresh", "store", "deadline"]

    /// The message for an unknown name, which suggests known ones.
    static func unknown(
        _ name: String, among known: [String], otherwise: String = "/v1/openapi.json lists all options"
    ) -> String {
        Suggestion.error("there is no option \(name.quoted)", for: name, among: known, otherwise: otherwise)
            .description
    }

    private static func bool(_ text: String, of name: String) throws(Problem) -> JSONValue {
        if let value = JSONValue(boolText: text) { return value }
        throw Problem(400, "invalid-query", "\(name.quoted) takes true or false, not \(text.quoted)")
    }
}
