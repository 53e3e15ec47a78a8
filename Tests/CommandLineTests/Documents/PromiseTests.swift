import Foundation
import Testing

/// For each sentence with "cannot", "only" or "at most", `Fixtures/promises.txt` names the tests that would fail if it were
/// false, or says why there are none.
@Suite struct PromiseTests {
    /// A sentence, also of an item of a list or a cell of a table.
    private struct Promise {
        /// The document and the heading.
        var place: String
        var text: String
    }

    private struct Entry {
        var place: String
        var beginning: String
        /// `Type.function`, or `Target/Type.function` where several targets have the type. Or a reason.
        var tests: String

        var isReason: Bool { tests.hasPrefix("none: ") }

        func fits(_ promise: Promise) -> Bool { place == promise.place && promise.text.hasPrefix(beginning) }
    }

    private static func promises(_ name: String) throws -> [Promise] {
        let document = try #require(Document.named(name))
        var promises: [Promise] = []
        var heading = ""
        var words: [String] = []
        func end() {
            let text = words.joined(separator: " ")
            words = []
            if text.contains(#/\b(cannot|only|at most)\b/#.ignoresCase()) {
                promises.append(Promise(place: "\(name): \(heading)", text: text))
            }
        }
        func read(_ text: String) {
            for word in text.split(separator: " ") {
                words.append(String(word))
                let last = word.last { !")*\"".contains($0) }
                if let last, ".?!".contains(last) { end() }
            }
        }
        for line in document.parts.prose {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.isEmpty || ["#", "|", "- "].contains(where: { text.hasPrefix($0) }) { end() }
            if text.hasPrefix("#") {
                heading = text.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)
            } else if text.hasPrefix("|") {
                for cell in text.split(separator: "|") {
                    read(String(cell))
                    end()
                }
            } else {
                read(text.hasPrefix("- ") ? String(text.dropFirst(2)) : text)
            }
        }
        end()
        return promises
    }

    private let promises: [Promise]
    private let entries: [Entry]

    init() throws {
        promises = try Self.promises("SECURITY.md") + Self.promises("docs/operations.md")
        let file = Document.root.appendingPathComponent("Tests/CommandLineTests/Fixtures/promises.txt")
        var (entries, place) = ([Entry](), "")
        for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") where !line.isEmpty {
            if line.hasPrefix("# ") {
                place = String(line.dropFirst(2))
                continue
            }
            let parts = line.components(separatedBy: " => ")
            try #require(parts.count == 2, "'\(line)' is not of the form 'beginning => tests'")
            entries.append(Entry(place: place, beginning: parts[0], tests: parts[1]))
        }
        self.entries = entries
    }

    @Test func everyPromiseIsInTheList() {
        #expect(promises.count > 40)
        let unknown = promises.filter { promise in entries.count { $0.fits(promise) } != 1 }
        let texts = unknown.map { "\($0.place): \($0.text)" }
        #expect(texts == [], "promises.txt has no line for them, or several")
    }

    @Test func everyLineOfTheListIsAboutOnePromise() {
        let unknown = entries.filter { entry in promises.count { entry.fits($0) } != 1 }
        let texts = unknown.map { "\($0.place): \($0.beginning)" }
        #expect(texts == [], "they fit no sentence, or several")
    }

    @Test func everyTestOfTheListIsThere() throws {
        let folder = Document.root.path + "/Tests/"
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        var known: Set<String> = []
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOfFile: folder + file, encoding: .utf8)
            let target = file.prefix { $0 != "/" }
            let functions = names(behind: "func", in: text)
            for type in ["struct", "class", "extension"].flatMap({ names(behind: $0, in: text) }) {
                for function in functions {
                    known.insert("\(type).\(function)")
                    known.insert("\(target)/\(type).\(function)")
                }
            }
        }
        let tests = entries.filter { !$0.isReason }.flatMap { $0.tests.components(separatedBy: ", ") }
        let missing = Set(tests).subtracting(known)
        #expect(missing == [], "no file of Tests declares them")
    }

    private func names(behind keyword: String, in text: String) -> [Substring] {
        text.components(separatedBy: keyword + " ").dropFirst().map { part in
            part.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        }
    }
}
