import Foundation
import Testing

/// Every command and code block in the README and the guides has the described effect. The integrations' tests run
/// their own pages.
@Suite struct DocumentTests {
    private static let blocks = Document.all.filter { !$0.name.hasPrefix("Integrations/") }.flatMap { $0.parts.blocks }

    @Test func everyBlockIsKnownToATest() {
        let known = KnownBlock.all.map(\.testDescription)
        // A failure message shows only these fields, not the whole table.
        let unknown = Self.blocks.map(\.title).filter { !known.contains($0) }
        #expect(unknown == [], "no test knows them")
        #expect(Set(known).count == known.count)
    }

    @Test(arguments: KnownBlock.all)
    func theBlockDoesWhatItSays(known: KnownBlock) throws {
        let block = try #require(
            Self.blocks.first { $0.title == known.testDescription }, "there is no such block any more")
        try known.check(block)
    }

    /// Messages that the tables quote exist in the program.
    @Test func theMessagesAreTheProgramsOwn() throws {
        let files = FileManager.default.enumerator(atPath: Document.root.path + "/Sources")?.compactMap {
            $0 as? String
        }
        let sources = try (files ?? []).filter { $0.hasSuffix(".swift") }.map {
            try String(contentsOfFile: Document.root.path + "/Sources/" + $0, encoding: .utf8)
        }.joined()
        var isSaid = false
        var count = 0
        for line in try #require(Document.named("docs/troubleshooting.md")).lines {
            if line.hasSuffix("Cause and remedy |") { isSaid = true }
            if !line.hasPrefix("|") { isSaid = false }
            guard isSaid, let cell = line.split(separator: "|").first else { continue }
            for (index, span) in cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            where index % 2 == 1 {
                for part in span.components(separatedBy: "…") {
                    let text = part.trimmingCharacters(in: .whitespaces)
                    // The contents of documents, and the operating system's own messages.
                    if ["backdrop-filter", "<iframe srcdoc>", "File too large"].contains(text) { continue }
                    let isSaid = sources.contains(text)
                    #expect(isSaid, "no source says '\(text)'")
                    count += 1
                }
            }
        }
        #expect(count > 15)
    }

    /// Every option in a help text is described in a guide.
    @Test func everyOptionIsTold() throws {
        let guides = ["docs/command-line.md", "docs/operations.md"].compactMap(Document.named).flatMap(\.lines)
            .joined(separator: "\n")
        let fixtures = Folder(path: Document.root.path + "/Tests/CommandLineTests/Fixtures")
        var options: Set<String> = []
        for name in fixtures.files() where name.hasPrefix("help") {
            for line in String(decoding: try fixtures.data(name), as: UTF8.self).split(separator: "\n")
            where line.hasPrefix("  -") || line.hasPrefix("      --") {
                let long = line.split(whereSeparator: { " ,=[".contains($0) }).first { $0.hasPrefix("--") }
                options.formUnion(long.map { [String($0)] } ?? [])
            }
        }
        #expect(options.count > 60)
        let told = Set(
            guides.split(whereSeparator: { !$0.isLetter && $0 != "-" }).filter { $0.hasPrefix("--") }.map(String.init))
        // The guides use -o for --output, and the first line of each help text describes --help.
        let untold = options.subtracting(told).subtracting(["--output", "--help", "--version"])
        #expect(untold == [], "no guide tells them")
    }

    /// Every file that the diagram of the stages names exists.
    @Test func theDrawingNamesWhatIsThere() throws {
        let text = try String(
            contentsOf: Document.root.appendingPathComponent("docs/how-it-works.html"), encoding: .utf8)
        let names = text.components(separatedBy: "<code>").dropFirst().map { $0.components(separatedBy: "</code>")[0] }
        #expect(names.count > 20)
        let parts = try FileManager.default.contentsOfDirectory(atPath: Document.root.path + "/Sources")
        for name in names {
            // Without the folder of its part.
            let places = name.hasPrefix("Sources/") ? [name] : parts.map { "Sources/\($0)/\(name)" }
            let isThere = places.contains {
                FileManager.default.fileExists(atPath: Document.root.appendingPathComponent($0).path)
            }
            #expect(isThere, "there is no \(name)")
        }
    }

    /// The source code shown in the README's picture is that of the snippet beside it.
    @Test func thePictureOfTheReadmeIsTrue() throws {
        let text = try String(
            contentsOf: Document.root.appendingPathComponent("docs/side-by-side.html"), encoding: .utf8)
        func part(_ tag: String) -> String? {
            text.components(separatedBy: "<\(tag)>").dropFirst().first?.components(separatedBy: "</\(tag)>").first
        }
        let shown = try #require(part("pre")).replacing("&lt;", with: "<").replacing("&gt;", with: ">")
        #expect(shown == part("section"))
    }

    /// A new user must be able to work through the README.
    @Test func theReadmeIsShort() throws {
        let lines = try #require(Document.named("README.md")).lines
        #expect(lines.count <= 120)
        #expect(lines.allSatisfy { $0.count <= 140 })
    }

    /// A long guide has a table of contents that links to each part.
    @Test(
        arguments: Document.all.filter { $0.sections.count > 3 && $0.name != "README.md" && $0.name != "CHANGELOG.md" }
            .map(\.name))
    func aLongGuideHasATableOfContents(name: String) throws {
        let document = try #require(Document.named(name))
        let first = document.lines.firstIndex { $0.hasPrefix("## ") } ?? 0
        let beginning = document.lines[..<first].joined(separator: "\n")
        #expect(beginning.contains("**On this page:**"))
        for section in document.sections { #expect(beginning.contains("[\(section)](#"), "\(section)") }
    }

    /// Links within the repository resolve, including those to headings.
    @Test(arguments: Document.all.map(\.name))
    func linksLeadSomewhere(name: String) throws {
        let document = try #require(Document.named(name))
        let folder = Document.root.appendingPathComponent(name).deletingLastPathComponent()
        for line in document.parts.prose {
            // Text in code is not a link.
            let text = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .map { $0.offset % 2 == 0 ? String($0.element) : "" }.joined(separator: "`")
            for piece in text.components(separatedBy: "](").dropFirst() {
                let target = piece.prefix { $0 != ")" && $0 != " " }
                if target.contains("://") { continue }
                let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let place = parts[0].isEmpty ? name : self.name(of: folder.appendingPathComponent(String(parts[0])))
                #expect(
                    FileManager.default.fileExists(atPath: Document.root.path + "/" + place),
                    "\(target) leads to nothing")
                if parts.count == 2 {
                    let there = try #require(Document.named(place), "\(target) names a heading of no document")
                    let isThere = there.anchors.contains(String(parts[1]))
                    #expect(isThere, "\(target): there is no such heading")
                }
            }
        }
    }

    private func name(of file: URL) -> String {
        String(file.standardizedFileURL.path.dropFirst(Document.root.standardizedFileURL.path.count + 1))
    }
}
