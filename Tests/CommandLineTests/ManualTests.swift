import Foundation
import Testing

/// The man page and the completions, which `make install` writes.
@Suite struct ManualTests {
    /// The complete texts, as in `HelpTests`.
    @Test(arguments: [
        (["--print-man"], "man"), (["--print-completion", "bash"], "completion-bash"),
        (["--print-completion", "zsh"], "completion-zsh"), (["--print-completion", "fish"], "completion-fish"),
    ])
    func print(arguments: [String], fixture: String) throws {
        let url = try #require(Bundle.module.url(forResource: fixture, withExtension: "txt", subdirectory: "Fixtures"))
        let outcome = try Child([Offstage.path] + arguments, folder: "/").wait()
        #expect(outcome.code == 0)
        #expect(outcome.text == (try String(contentsOf: url, encoding: .utf8)))
        #expect(outcome.error == "")
    }

    @Test func theManPageIsWellFormed() throws {
        let page = try Child([Offstage.path, "--print-man"], folder: "/").wait().output
        let outcome = try Child(["mandoc", "-T", "lint", "-W", "warning"], stdin: page, folder: "/").wait()
        #expect(outcome.code == 0, "\(outcome.text)")
    }

    /// Readers look for the usual sections in the usual order.
    @Test func theManPagesSections() throws {
        let page = try Child([Offstage.path, "--print-man"], folder: "/").wait().text
        let sections = page.split(separator: "\n").filter { $0.hasPrefix(".SH ") }.map { String($0.dropFirst(4)) }
        #expect(
            sections == [
                "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "FILES",
                "EXAMPLES",
                "SEE ALSO",
            ])
        let name = try #require(page.split(separator: "\n").first { $0.hasPrefix("offstage \\- ") })
        for source in ["HTML", "images", "PDF pages", "sounds", "ink"] { #expect(name.contains(source)) }
        #expect(!page.contains("?:\n"))
    }

    /// An option of several commands is described once, and each command names all of its options.
    @Test func theManPageDescribesSharedOptionsOnce() throws {
        let page = try Child([Offstage.path, "--print-man"], folder: "/").wait().text.replacing("\\-", with: "-")
        for text in ["Do not use the cache", "Make the picture this wide", "Render page", "Print this help"] {
            #expect(page.ranges(of: text).count <= 1, "\(text)")
        }
        let parts = page.split(separator: "\n.SS ").dropFirst()
        for part in parts {
            let name = String(part.prefix { $0 != "\n" })
            let help = try Child([Offstage.path, name, "--help"], folder: "/").wait().text
            let own = part.prefix(upTo: part.range(of: "\n.SH ")?.lowerBound ?? part.endIndex)
            for match in help.matches(of: #/(?m)^  (?:-\w, |    )(--[a-z-]+)/#) {
                #expect(own.contains("\\fB\(match.output.1)\\fR"), "\(name) \(match.output.1)")
            }
        }
    }

    /// The guide's table and the man page list the same variables, which are those that the sources read.
    @Test func theManPageHasAllVariables() throws {
        func names(_ text: Substring) -> Set<String> {
            Set(
                text.matches(of: #/\b(?:[A-Z]+_[A-Z_]+[A-Z]|TMPDIR|PATH|PGHOST|PGSSLMODE|PGPASSFILE|PGSERVICEFILE)\b/#)
                    .map { String($0.output) })
        }
        let page = try Child([Offstage.path, "--print-man"], folder: "/").wait().text.replacing("\\fB", with: "")
        let inPage = names(
            try #require(page.firstRange(of: "\n.SH ENVIRONMENT").map { page[$0.lowerBound...] }).prefix(
                upTo: page.range(of: "\n.SH FILES")!.lowerBound))
        let guide = try #require(Document.named("docs/command-line.md")).lines.joined(separator: "\n")
        let inGuide = names(guide[guide.range(of: "\n## Environment")!.lowerBound...])
        #expect(inPage.subtracting(inGuide) == [] && inGuide.subtracting(inPage) == [])
        let files = Folder(path: Document.root.path + "/Sources")
        for name in files.files() where name.hasSuffix(".swift") && !name.contains("OffstageWebKit/") {
            let text = String(decoding: try files.data(name), as: UTF8.self)
            for match in text.matches(of: #/environment\["([A-Z_]+)"\]/#)
            where !["HOME", "TERM", "LD_PRELOAD", "LD_LIBRARY_PATH", "PGSSLROOTCERT"].contains(match.output.1) {
                #expect(inPage.contains(String(match.output.1)), "\(name) reads \(match.output.1)")
            }
        }
    }

    /// The date belongs to the version. The change log has no date for an unreleased version.
    @Test func theManPagesDate() throws {
        let page = try Child([Offstage.path, "--print-man"], folder: "/").wait().text
        let head = try #require(page.firstMatch(of: #/^\.TH OFFSTAGE 1 "(\d{4}-\d\d-\d\d)" "offstage ([\d.]+)"/#))
        let changes = try String(contentsOf: Document.root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
        let dates = changes.matches(of: #/(?m)^## \[?([\d.]+)\]?\D+(\d{4}-\d\d-\d\d)/#)
            .filter { $0.output.1 == head.output.2 }.map(\.output.2)
        #expect(dates.isEmpty && changes.contains("(not released yet)\n") || dates == [head.output.1])
    }

    @Test(arguments: [["--print-completion"], ["--print-completion", "ksh"]])
    func anotherShell(arguments: [String]) throws {
        let outcome = try Child([Offstage.path] + arguments, folder: "/").wait()
        #expect(outcome.code == 2)
        #expect(outcome.error == "offstage: --print-completion takes bash, zsh or fish\n")
        #expect(outcome.text == "")
    }
}
