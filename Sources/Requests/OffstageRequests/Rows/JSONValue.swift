import Foundation

/// Any JSON value. Whole numbers have their own case, because options distinguish `320` and `1.5`.
package enum JSONValue: Hashable, Sendable, Codable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let number = try? value.decode(Int.self) {
            self = .integer(number)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if value.decodeNil() {
            self = .null
        } else if let object = try? value.decode([String: JSONValue].self) {
            self = .object(object)
        } else {
            self = .list(try value.decode([JSONValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// The name of its type, for messages; never its content.
    package var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .integer, .number: "a number"
        case .text: "text"
        case .list: "a list"
        case .object: "an object"
        }
    }

    /// An option's value, for messages; a list or an object is shown as its type.
    package var shown: String {
        switch self {
        case .bool(let bool): "\(bool)"
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .text(let text): text.quoted
        case .null, .list, .object: kindName
        }
    }
}

extension JSONValue {
    /// Nil for a text that is not a number.
    package init?(numberText text: String) {
        if let number = Int(text) {
            self = .integer(number)
        } else if let number = Double(text), number.isFinite {
            self = .number(number)
        } else {
            return nil
        }
    }

    /// Nil for a text other than `true`, `1`, `false` and `0`. An empty text means true, as for a switch without a
    /// value.
    package init?(boolText text: String) {
        switch text {
        case "", "true", "1": self = .bool(true)
        case "false", "0": self = .bool(false)
        default: return nil
        }
    }
}
