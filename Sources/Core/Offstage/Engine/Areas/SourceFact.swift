/// A fact that an engine found out about a source, for programs: the number of an image file's frames, or the title of
/// a document.
public enum SourceFact: Sendable, Hashable {
    case number(Double)
    case text(String)
    case flag(Bool)
}

/// Encoded as a number, a string or a boolean.
extension SourceFact: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else {
            self = .text(try value.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .flag(let flag): try value.encode(flag)
        }
    }
}
