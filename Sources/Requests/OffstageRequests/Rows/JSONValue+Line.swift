import Foundation

/// The reason why bytes are not an object that Offstage can read. The text begins with the location.
package enum JSONObjectError: Error, Sendable {
    /// They are not UTF-8, not JSON, or not an object.
    case malformed(String)
    /// They exceed one of the `JSONLimits`.
    case overLimit(String)

    package var description: String {
        switch self {
        case .malformed(let text), .overLimit(let text): text
        }
    }
}

extension JSONValue {
    /// The keys and values of a line. If a key is repeated, one of its values is used.
    ///
    /// - Parameters:
    ///   - place: the line, for messages.
    ///   - ifNotText: the remedy for a line that is not UTF-8.
    ///   - ifNotJSON: the remedy for a line that is not JSON.
    ///   - limitsTexts: false for the values of a template, which may all be long.
    package static func object(
        ofLine bytes: Data, at place: String, ifNotText: String, ifNotJSON: String, limitsTexts: Bool = true
    ) throws(UsageError) -> [String: JSONValue] {
        do throws(JSONObjectError) {
            return try read(
                bytes, at: place, ifNotText: ifNotText, ifNotJSON: ifNotJSON, limitsTexts: limitsTexts)
        } catch { throw UsageError(error.description) }
    }

    /// Like `object`, for a caller that reports the two kinds of errors differently.
    package static func read(
        _ bytes: Data, at place: String, ifNotText: String, ifNotJSON: String, limitsTexts: Bool = true
    ) throws(JSONObjectError) -> [String: JSONValue] {
        if let problem = bytes.withUnsafeBytes({ JSONLimits.problem(in: $0) }) {
            throw .overLimit("\(place): the object \(problem)")
        }
        guard bytes.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) != nil else {
            throw .malformed("\(place): the line is not UTF-8; \(ifNotText)")
        }
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: bytes) else {
            throw .malformed("\(place): the line is not valid JSON; \(ifNotJSON)")
        }
        guard case .object(let object) = value else {
            throw .malformed("\(place): the line contains \(value.kindName), not a JSON object")
        }
        if limitsTexts, let problem = JSONLimits.problem(in: object) {
            throw .overLimit("\(place): the object \(problem)")
        }
        return object
    }
}
