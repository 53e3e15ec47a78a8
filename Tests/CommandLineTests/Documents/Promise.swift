import Foundation

/// A sentence in a document that says that something always, never or only happens. List items and table cells count,
/// too.
struct Promise {
    /// The document and the heading.
    var place: String
    var text: String

    /// These documents describe what others do, the reasons for decisions, or past measurements.
    private static let withoutPromises = [
        "docs/comparison.md", "docs/decisions.md", "docs/dependencies.md", "docs/performance.md",
    ]

    /// The promises of the README, SECURITY.md, the guides and the integrations.
    static var all: [Promise] {
        Document.all.filter { document in
            ["README.md", "SECURITY.md"].contains(document.name)
                || document.name.hasPrefix("docs/") && !withoutPromises.contains(document.name)
                || document.name.hasPrefix("Integrations/")
        }.flatMap { promises(of: $0) }
    }

    /// Words in code are names, and "read-only" is a description, not a promise.
    private static func isPromise(_ text: String) -> Bool {
        let words = text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter {
            $0.offset % 2 == 0
        }
        return words.map { " \($0.element) " }.joined().contains(
            #/[^\w-](cannot|never|only|at most|refuses|always)\b/#.ignoresCase())
    }

    private static func promises(of document: Document) -> [Promise] {
        var promises: [Promise] = []
        var heading = ""
        var words: [String] = []
        func end() {
            let text = words.joined(separator: " ")
            words = []
            if isPromise(text) { promises.append(Promise(place: "\(document.name): \(heading)", text: text)) }
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

    /// A line of `Fixtures/promises`.
    struct Entry {
        var place: String
        var beginning: String
        /// `Type.function`, or `Target/Type.function` if several targets have the type; `Integrations/FILE:function`;
        /// or a reason.
        var tests: String

        var isReason: Bool { tests.hasPrefix("none: ") }

        func fits(_ promise: Promise) -> Bool { place == promise.place && promise.text.hasPrefix(beginning) }

        /// - Returns: nil if the line does not have the form 'beginning => tests'.
        init?(_ line: String, place: String) {
            let parts = line.components(separatedBy: " => ")
            if parts.count != 2 { return nil }
            (self.place, beginning, tests) = (place, parts[0], parts[1])
        }
    }
}
