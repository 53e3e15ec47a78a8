import Foundation
import OffstageRequests

/// A query's options as a request's keys, which are named as the command line's: `?width=320&trim&also=webp`.
enum QueryOptions {
    private static let kinds = Dictionary(
        uniqueKeysWithValues: RowSettings.table.map { ($0.name, ValueKind($0)) })

    static func object(_ query: [(name: String, value: String)]) throws(Problem) -> [String: JSONValue] {
        var object: [String: JSONValue] = [:]
        for (name, text) in query {
            let value = try value(text, of: name)
            guard let before = object[name] else {
                object[name] = value
                continue
            }
            guard kinds[name]?.isList == true else {
                throw Problem(400, "invalid-query", "the query has \(name.quoted) twice; leave one out")
            }
            if case .list(let values) = before {
                object[name] = .list(values + [value])
            } else {
                object[name] = .list([before, value])
            }
        }
        return object
    }

    private static func value(_ text: String, of name: String) throws(Problem) -> JSONValue {
        switch name {
        case "identifier", "priority", "group": return .text(text)
        case "immediate", "refresh", "store": return try bool(text, of: name)
        case "deadline": return JSONValue(numberText: text) ?? .text(text)
        default: break
        }
        guard let kind = kinds[name] else {
            throw Problem(
                400, "invalid-query", "there is no option \(name.quoted); the API's description tells what there is")
        }
        return kind.isSwitch ? try bool(text, of: name) : kind.value(ofText: text)
    }

    private static func bool(_ text: String, of name: String) throws(Problem) -> JSONValue {
        if let value = JSONValue(boolText: text) { return value }
        throw Problem(400, "invalid-query", "\(name.quoted) takes true or false, not \(text.quoted)")
    }
}
