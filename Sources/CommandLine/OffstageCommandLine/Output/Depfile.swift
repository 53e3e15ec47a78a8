import Foundation
import Offstage
import OffstageService

/// The dependencies of each picture, for Make. Has one rule per picture, with its files as targets; or one rule for all
/// pictures, with a target that the build tool names.
struct Depfile {
    /// Nil for one rule per picture.
    private let target: String?
    private var rules: [String] = []
    /// The prerequisites of all rules.
    private var prerequisites: Set<String> = []

    /// Files that the depfile cannot name, in order of appearance.
    private(set) var unnamed: [String] = []

    init(target: String? = nil) { self.target = target }

    /// True if Make can read a name when it is escaped. A control character, `;`, `|` or `=` ends a name or begins
    /// something else, even a command. A backslash would change the meaning of the following character, but only before
    /// some characters. `a(b)` is the member b of an archive a. Names are untrusted, because documents name files.
    static func canName(_ path: String) -> Bool {
        if path.hasSuffix(")"), path.contains("(") { return false }
        return !path.unicodeScalars.contains {
            ";|=\\".unicodeScalars.contains($0) || $0.properties.generalCategory == .control
        }
    }

    private mutating func named(_ paths: [String]) -> [String] {
        for path in paths where !Self.canName(path) && !unnamed.contains(path) { unnamed.append(path) }
        return paths.filter(Self.canName)
    }

    /// - Parameters:
    ///   - results: the results of one input.
    ///   - sources: the files from which they were made.
    mutating func add(_ results: [PictureResult], from sources: SourceFiles) {
        // Make would try to build missing files.
        let files = named(sources.paths.filter { access($0, F_OK) == 0 }.sorted())
        if target == nil {
            let targets = named(
                results.flatMap { result in ([result.path] + result.also.map(\.path)).compactMap { $0 } })
            if targets.isEmpty || files.isEmpty { return }
            rules.append("\(Self.targets(targets)): \(Self.words(files))\n")
        }
        prerequisites.formUnion(files)
    }

    /// Each prerequisite is a target, too, so that Make continues if one was removed.
    var text: String {
        let files = prerequisites.sorted()
        let rules = target.map { files.isEmpty ? [] : ["\(Self.targets([$0])): \(Self.words(files))\n"] } ?? rules
        return rules.joined() + files.map { "\n\(Self.targets([$0])):\n" }.joined()
    }

    private static func words(_ paths: [String]) -> String { paths.map(word).joined(separator: " ") }

    /// In a target, a plain `%` would make a pattern rule. In a prerequisite, it is an ordinary character, and a
    /// backslash would remain.
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
