import Foundation

/// A Markdown file in the repository.
struct Document: Sendable {
    /// The path in the repository, such as `docs/swift.md`.
    let name: String
    let lines: [String]

    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// All documents, in order, except those that builds and runs create.
    static let all: [Document] = {
        let left = [".git", ".build", ".build-threads", "out"]
        let files = FileManager.default.enumerator(atPath: root.path)
        var names: [String] = []
        while let name = files?.nextObject() as? String {
            if left.contains(name) { files?.skipDescendants() }
            if name.hasSuffix(".md") { names.append(name) }
        }
        return names.sorted().compactMap { name in
            (try? String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)).map {
                Document(name: name, lines: $0.components(separatedBy: "\n"))
            }
        }
    }()

    static func named(_ name: String) -> Document? { all.first { $0.name == name } }

    /// A fenced block of code.
    struct Block: Sendable {
        var document: String
        var language: String
        /// Without a final line end.
        var text: String
        /// The number, from 1, among the document's blocks of this language that start with the same line.
        var occurrence = 1

        var firstLine: String { text.components(separatedBy: "\n")[0] }
        var title: String { Self.title(document, language, firstLine, occurrence) }

        static func title(_ document: String, _ language: String, _ firstLine: String, _ occurrence: Int) -> String {
            "\(document), \(language): \(firstLine)" + (occurrence == 1 ? "" : " (\(occurrence))")
        }
    }

    /// The code blocks in order, and the lines outside them. Empty lines replace the blocks.
    var parts: (blocks: [Block], prose: [String]) {
        var (blocks, prose) = ([Block](), [String]())
        var open: (fence: String, language: String, lines: [String])?
        for line in lines {
            let fence = String(line.prefix { $0 == "`" })
            if let block = open {
                if fence.count >= block.fence.count, line == fence {
                    var new = Block(
                        document: name, language: block.language, text: block.lines.joined(separator: "\n"))
                    new.occurrence +=
                        blocks.count { $0.language == new.language && $0.firstLine == new.firstLine }
                    blocks.append(new)
                    open = nil
                } else {
                    open?.lines.append(line)
                }
            } else if fence.count >= 3 {
                open = (fence, String(line.dropFirst(fence.count)), [])
            }
            prose.append(open == nil && fence.count < 3 ? line : "")
        }
        return (blocks, prose)
    }

    /// The second-level headings.
    var sections: [String] { parts.prose.filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) } }

    /// The anchors of headings: lower-case letters, digits and hyphens (GitHub's rule).
    var anchors: Set<String> {
        var (anchors, counts) = (Set<String>(), [String: Int]())
        for line in parts.prose where line.hasPrefix("#") {
            let title = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
            var anchor = ""
            for character in title where character.isLetter || character.isNumber || "_- ".contains(character) {
                anchor.append(character == " " ? "-" : character)
            }
            let count = counts[anchor, default: 0]
            counts[anchor] = count + 1
            anchors.insert(count == 0 ? anchor : "\(anchor)-\(count)")
        }
        return anchors
    }
}
