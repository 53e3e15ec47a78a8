import Foundation
import Testing

/// For each sentence with "cannot", "never", "only", "at most", "refuses" or "always", `Fixtures/promises` names the
/// tests that would fail if it were false, or gives the reason why none exist.
@Suite struct PromiseTests {
    private let promises = Promise.all
    private let entries: [Promise.Entry]

    init() throws {
        let folder = Folder(path: Document.root.path + "/Tests/CommandLineTests/Fixtures/promises")
        var (entries, place) = ([Promise.Entry](), "")
        for file in folder.files() {
            for line in String(decoding: try folder.data(file), as: UTF8.self).components(separatedBy: "\n")
            where !line.isEmpty {
                if line.hasPrefix("# ") {
                    place = String(line.dropFirst(2))
                } else {
                    entries.append(
                        try #require(
                            Promise.Entry(line, place: place), "'\(line)' is not of the form 'beginning => tests'"))
                }
            }
        }
        self.entries = entries
    }

    @Test func everyPromiseIsInTheList() {
        #expect(promises.count > 150)
        let unknown = promises.filter { promise in entries.count { $0.fits(promise) } != 1 }
        let texts = unknown.map { "\($0.place): \($0.text)" }
        #expect(texts == [], "Fixtures/promises has no line for them, or several")
    }

    @Test func everyLineOfTheListIsAboutOnePromise() {
        let unknown = entries.filter { entry in promises.count { entry.fits($0) } != 1 }
        let texts = unknown.map { "\($0.place): \($0.beginning)" }
        #expect(texts == [], "they fit no sentence, or several")
    }

    /// To add a reason, you must also raise this number and say why.
    @Test func fewHaveNoTest() {
        #expect(entries.count { $0.isReason } <= 13)
    }

    @Test func everyTestOfTheListIsThere() throws {
        var known: Set<String> = []
        for (file, text) in try files(in: "Tests", ending: ".swift") {
            let target = file.prefix { $0 != "/" }
            let functions = names(behind: "func", in: text)
            for type in ["struct", "class", "extension"].flatMap({ names(behind: $0, in: text) }) {
                for function in functions {
                    known.insert("\(type).\(function)")
                    known.insert("\(target)/\(type).\(function)")
                }
            }
        }
        for (file, text) in try files(in: "Integrations", ending: ".py") {
            for function in names(behind: "def", in: text) { known.insert("Integrations/\(file):\(function)") }
        }
        let tests = entries.filter { !$0.isReason }.flatMap { $0.tests.components(separatedBy: ", ") }
        let missing = Set(tests).subtracting(known)
        #expect(missing == [], "no file of tests declares them")
    }

    private func files(in folder: String, ending: String) throws -> [(name: String, text: String)] {
        let folder = Folder(path: Document.root.path + "/" + folder)
        return try folder.files().filter { $0.hasSuffix(ending) }.map {
            ($0, String(decoding: try folder.data($0), as: UTF8.self))
        }
    }

    private func names(behind keyword: String, in text: String) -> [Substring] {
        text.components(separatedBy: keyword + " ").dropFirst().map { part in
            part.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        }
    }
}
