import Foundation
import OffstageRequests

/// Reads a query's options as the keys of a request, which have the names of the command line: `?width=320&trim&also=webp`.
enum QueryOptions {
    static func object(_ query: [(name: String, value: String)]) throws(Problem) -> [String: JSONValue] {
        var object: [String: JSONValue] = [:]
        for (name, text) in query {
            let value = try value(text, of: name)
            if object[name] != nil, RowSettings.kind(of: name)?.isList != true {
                throw Problem(400, "invalid-query", "the query has \(name.quoted) twice; leave one out")
            }
            switch object[name] {
            case nil: object[name] = value
            case .list(let values)?: object[name] = .list(values + [value])
            case let before?: object[name] = .list([before, value])
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
        guard let kind = RowSettings.kind(of: name) else {
            throw Problem(
                400, "invalid-query", "there is no option \(name.quoted); /v1/openapi.json lists all options")
        }
        return kind.isSwitch ? try bool(text, of: name) : kind.value(ofText: text)
    }

    private static func bool(_ text: String, of name: String) throws(Problem) -> JSONValue {
        if let value = JSONValue(boolText: text) { return value }
        throw Problem(400, "invalid-query", "\(name.quoted) takes true or false, not \(text.quoted)")
    }
}
