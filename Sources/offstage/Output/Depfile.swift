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

    init(target: String? = nil) { self.target = target }

    /// - Parameters:
    ///   - results: of one input.
    ///   - sources: what they were made from.
    mutating func add(_ results: [PictureResult], from sources: SourceFiles) {
        // Make would want to make what is missing.
        let files = sources.paths.filter { access($0, F_OK) == 0 }.sorted()
        if target == nil {
            let targets = results.flatMap { result in ([result.path] + result.also.map(\.path)).compactMap { $0 } }
            if targets.isEmpty || files.isEmpty { return }
            rules.append("\(Self.words(targets)): \(Self.words(files))\n")
        }
        prerequisites.formUnion(files)
    }

    /// Each file that something is made from is a target, too, so that Make goes on where one was removed.
    var text: String {
        let files = prerequisites.sorted()
        let rules = target.map { files.isEmpty ? [] : ["\(Self.word($0)): \(Self.words(files))\n"] } ?? rules
        return rules.joined() + files.map { "\n\(Self.word($0)):\n" }.joined()
    }

    private static func words(_ paths: [String]) -> String { paths.map(word).joined(separator: " ") }

    private static func word(_ path: String) -> String {
        path.replacing("$", with: "$$").replacing(" ", with: "\\ ").replacing("#", with: "\\#")
    }
}
