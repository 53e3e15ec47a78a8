import Foundation

/// Describes a wrong value without quoting the file: `is not a number from 0 to 1`.
struct ValueFault: Error {
    var words: String

    init(_ words: String) { self.words = words }

    func error<Key>(_ key: Key, _ values: KeyedDecodingContainer<Key>) -> DecodingError {
        .dataCorrupted(.init(codingPath: values.codingPath + [key], debugDescription: words, underlyingError: self))
    }
}

extension DecodingError {
    /// Describes the error and its location without quoting the file: `pages.2[0].part.x is missing`.
    package var fault: String {
        switch self {
        case .keyNotFound(let key, let context): "\(Self.place(context.codingPath + [key])) is missing"
        case .valueNotFound(_, let context): "\(Self.place(context.codingPath)) has no value"
        case .typeMismatch(_, let context): "\(Self.place(context.codingPath)) has a value of the wrong type"
        case .dataCorrupted(let context):
            if let fault = context.underlyingError as? ValueFault {
                "\(Self.place(context.codingPath)) \(fault.words)"
            } else {
                context.codingPath.isEmpty
                    ? "it is not valid JSON" + Self.line(context) : "\(Self.place(context.codingPath)) is not valid"
            }
        @unknown default: "it is not valid JSON"
        }
    }

    /// True for a file without a version, or with an unknown one.
    var isOfVersion: Bool {
        switch self {
        case .keyNotFound(let key, let context): context.codingPath.isEmpty && key.stringValue == "version"
        case .valueNotFound(_, let context), .typeMismatch(_, let context), .dataCorrupted(let context):
            context.codingPath.map(\.stringValue) == ["version"]
        @unknown default: false
        }
    }

    /// Keys are untrusted and can have any length.
    private static func place(_ path: [any CodingKey]) -> String {
        let text = path.reduce(into: "") { text, key in
            if let index = key.intValue, key.stringValue.hasPrefix("Index ") {
                text += "[\(index)]"
            } else {
                let name = key.stringValue.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(40)
                text += (text.isEmpty ? "" : ".") + name
            }
        }
        return text.isEmpty ? "it" : text
    }

    /// The line and column at the end of Foundation's message, which also quotes a character of the file.
    private static func line(_ context: Context) -> String {
        let message = (context.underlyingError as? NSError)?.userInfo["NSDebugDescription"] as? String ?? ""
        guard let match = message.firstMatch(of: /line ([0-9]+), column ([0-9]+)/) else { return "" }
        return ", line \(match.output.1), column \(match.output.2)"
    }
}
