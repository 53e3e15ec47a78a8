import Foundation
import Offstage
import OffstageService

/// What each picture was made from, for Make: a rule a picture, with its files as targets; or one rule for all of them, under
/// a name that the build tool has for them.
struct Depfile {
    /// Nil for a rule a picture.
    private let target: String?
    private var rules: [String] = []
    /// Those of all rules.
    private var prerequisites: Set<String> = []

    /// Files that it cannot name, in the order in which they were met.
    private(set) var unnamed: [String] = []

    init(target: String? = nil) { self.target = target }

    /// Whether Make can read a name, escaped. A control character, `;`, `|` and `=` end a name or begin something else, a
    /// command even: names are untrusted, because documents name files.
    static func canName(_ path: String) -> Bool {
        !path.unicodeScalars.contains { ";|=".unicodeScalars.contains($0) || $0.properties.generalCategory == .control }
    }

    private mutating func named(_ paths: [String]) -> [String] {
        for path in paths where !Self.canName(path) && !unnamed.contains(path) { unnamed.append(path) }
        return paths.filter(Self.canName)
    }

    /// - Parameters:
    ///   - results: of one input.
    ///   - sources: what they were made from.
    mutating func add(_ results: [PictureResult], from sources: SourceFiles) {
        // Make would want to make what is missing.
        let files = named(sources.paths.filter { access($0, F_OK) == 0 }.sorted())
        if target == nil {
            let targets = named(
                results.flatMap { result in ([result.path] + result.also.map(\.path)).compactMap { $0 } })
            if targets.isEmpty || files.isEmpty { return }
            rules.append("\(Self.targets(targets)): \(Self.words(files))\n")
        }
        prerequisites.formUnion(files)
    }

    /// Each file that something is made from is a target, too, so that Make goes on where one was removed.
    var text: String {
        let files = prerequisites.sorted()
        let rules = target.map { files.isEmpty ? [] : ["\(Self.targets([$0])): \(Self.words(files))\n"] } ?? rules
        return rules.joined() + files.map { "\n\(Self.targets([$0])):\n" }.joined()
    }

    private static func words(_ paths: [String]) -> String { paths.map(word).joined(separator: " ") }

    /// A plain `%` would make a pattern rule; among prerequisites it is an ordinary character, and a backslash would stay.
    private static func targets(_ paths: [String]) -> String { words(paths).replacing("%", with: "\\%") }

    private static func word(_ path: String) -> String {
        var word = ""
        for character in path {
            if character == "$" { word.append("$") }
            if " #:*?[".contains(character) { word.append("\\") }
            word.append(character)
        }
        return word
    }
}
