import Offstage
import OffstageImages

/// Reads the headers of image files, for `offstage info`.
enum ImageInspector {
    static func info(_ document: SourceDocument, _ options: ParsedOptions) async throws -> SourceInfo {
        let settings = try ImageSettings(options, limit: nil)
        let request = try settings.request(for: document, identifier: document.name)
        guard let file = request as? ImageFile else { return SourceInfo(values: [:], lines: []) }
        return SourceInfo(try await Inspection.engine(ImageEngine.self, options).facts(about: file))
    }
}

extension SourceInfo {
    /// An image file.
    init(_ facts: ImageFacts) {
        var words = [facts.kind.rawValue, "\(facts.size.width) × \(facts.size.height) px", "\(facts.bits) bits"]
        if facts.frames > 1 { words.append("\(facts.frames) frames") }
        if facts.hasAlpha { words.append("alpha") }
        if facts.orientation != 1 { words.append("orientation \(facts.orientation)") }
        if let profile = facts.profile { words.append("profile \(profile.isEmpty ? "without a name" : profile)") }
        self.init(values: facts.all().mapValues(JSONValue.init), lines: [words.joined(separator: ", ")])
    }
}

extension JSONValue {
    init(_ fact: SourceFact) {
        switch fact {
        case .number(let number): self = number == number.rounded() ? .integer(Int(number)) : .number(number)
        case .text(let text): self = .text(text)
        case .flag(let flag): self = .bool(flag)
        }
    }
}
