import Foundation
import Testing

/// A code block with a test: its location, its first line, and the check of its effect.
struct KnownBlock: Sendable, CustomTestStringConvertible {
    var document: String
    var language: String
    /// The complete first line.
    var firstLine: String
    /// The number, from 1, among blocks with the same first line.
    var occurrence: Int
    var check: @Sendable (Document.Block) throws -> Void

    var testDescription: String { Document.Block.title(document, language, firstLine, occurrence) }

    init(
        _ document: String, _ language: String, _ firstLine: String, occurrence: Int = 1,
        check: @escaping @Sendable (Document.Block) throws -> Void
    ) {
        (self.document, self.language, self.firstLine) = (document, language, firstLine)
        (self.occurrence, self.check) = (occurrence, check)
    }

    /// Files that another block in the document uses; that block's check reads them.
    static func part(_ document: String, _ language: String, _ firstLine: String, of other: String) -> KnownBlock {
        KnownBlock(document, language, firstLine) { _ in
            #expect(all.contains { $0.document == document && $0.firstLine == other }, "nothing uses it")
        }
    }

    static let all =
        ofReadme + ofCommandLine + ofSwift + ofReports + ofOperations + ofMachines + ofTroubleshooting
        + ofContributing

    /// A block's text, for use by another block of the same document.
    static func text(_ document: String, _ language: String, _ firstLine: String) throws -> String {
        let blocks = try #require(Document.named(document)).parts.blocks
        return try #require(blocks.first { $0.language == language && $0.firstLine == firstLine }).text + "\n"
    }
}

extension KnownBlock {
    /// Runs commands as a user would in the repository, with its Snippets and the built programs.
    @discardableResult
    static func run(_ commands: String, in folder: Folder) throws -> Outcome {
        if !FileManager.default.fileExists(atPath: folder.path("Snippets")) {
            try FileManager.default.copyItem(
                at: Document.root.appendingPathComponent("Snippets"),
                to: URL(fileURLWithPath: folder.path("Snippets")))
        }
        // Runs the built products instead of `swift run` and `swift test --skip-build`, because the package manager
        // is already running.
        let swift = try folder.write(
            ".bin/swift",
            """
            #!/bin/sh
            set -eu
            case "$1 $2 $3" in
            "run "*) shift; program=$1; shift; exec "$PROGRAMS/$program" "$@" ;;
            "test --skip-build --disable-xctest") shift 4; exec "$BUNDLE" --testing-library swift-testing --filter "$1" ;;
            "test --skip-build --disable-swift-testing") shift 4; exec "$BUNDLE" "$1" ;;
            *) echo "swift $*: not known to the tests" >&2; exit 1 ;;
            esac

            """)
        chmod(swift, 0o755)
        let programs = Offstage.program("")
        let tested = (Offstage.path as NSString).deletingLastPathComponent
        let outcome = try Child(
            ["/bin/sh", "-e", "-c", commands],
            environment: [
                "PATH": "\(folder.path(".bin")):\(tested):\(programs):/usr/bin:/bin", "PROGRAMS": programs,
                "BUNDLE": programs + "/offstagePackageTests.xctest", "XDG_CACHE_HOME": folder.path(".cache"),
            ], folder: folder.path
        ).wait()
        #expect(outcome.code == 0, "\(outcome.error)\(outcome.text)")
        return outcome
    }

    /// One Make target per line. Make can print their commands; CI runs the quick ones.
    static func make(_ document: String, _ firstLine: String) -> KnownBlock {
        KnownBlock(document, "make", firstLine) { block in
            for line in block.text.components(separatedBy: "\n") {
                #expect(line.hasPrefix("make "))
                let outcome = try Child(
                    ["/bin/sh", "-c", line + " --dry-run"], folder: Document.root.path
                ).wait()
                #expect(outcome.code == 0, "\(line): \(outcome.error)")
            }
        }
    }

    /// A file in Examples, quoted word for word, and the program that is built from it.
    static func example(
        _ document: String, _ firstLine: String, occurrence: Int = 1, _ path: String,
        check: @escaping @Sendable (String) throws -> Void
    ) -> KnownBlock {
        KnownBlock(document, "swift", firstLine, occurrence: occurrence) { block in
            let file = Document.root.appendingPathComponent("Examples/" + path)
            #expect(try String(contentsOf: file, encoding: .utf8) == block.text + "\n")
            let name = path.components(separatedBy: "/")[0].lowercased()
            try check(Offstage.program(name))
        }
    }
}
