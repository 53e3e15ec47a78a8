import Foundation

extension JSONValue {
    /// The keys and values of a line. If a key is repeated, one of its values is used.
    ///
    /// - Parameters:
    ///   - place: the line, for messages.
    ///   - ifNotText: the remedy for a line that is not UTF-8.
    ///   - ifNotJSON: the remedy for a line that is not JSON.
    package static func object(
        ofLine bytes: Data, at place: String, ifNotText: String, ifNotJSON: String
    ) throws(UsageError) -> [String: JSONValue] {
        guard bytes.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) != nil else {
            throw UsageError("\(place): the line is not UTF-8; \(ifNotText)")
        }
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: bytes) else {
            throw UsageError("\(place): the line is not valid JSON; \(ifNotJSON)")
        }
        guard case .object(let object) = value else {
            throw UsageError("\(place): the line holds \(value.kindName), not a JSON object")
        }
        return object
    }
}
