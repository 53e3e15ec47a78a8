import Foundation
import Testing

/// Untrusted manifests: whatever an identifier is, nothing is written outside `--out`.
@Suite struct HostileManifestTests {
    /// Identifiers that resemble a dot, a slash or another identifier but differ from it.
    private static let lookAlikes = [
        "\u{FF0E}\u{FF0E}/b", "\u{2024}\u{2024}/b", "..\u{2215}b", "..\u{FF0F}..\u{FF0F}b", "\u{2026}/b", "%2e%2e/b",
        "%2e%2e%2fb", "..\\..\\b", "C:\\b", "~/b", "~root/b", "$HOME/b", "`b`", "-o", "--out=x", "b;c", "b|c", "b*",
        "a\u{202E}gnp.b", "a\u{200B}b", "\u{FEFF}b", "é", "e\u{301}", "ﬀ", "ff", "K", "\u{212A}", ".hidden", "...", " ",
        "CON", "b.png", "b.png/c", "x/" + String(repeating: "d/", count: 200) + "y",
    ]

    @Test func lookAlikesStayInside() throws {
        try withFolder { folder in
            let rows = try Self.lookAlikes.map { try Self.row($0) }
            try folder.write("in/rows.jsonl", rows.joined(separator: "\n"))
            let outcome = try Child(
                [Offstage.path, "render", "--manifest", "rows.jsonl", "--out", "out", "-q", "--no-cache"],
                folder: folder.path("in")
            ).wait()
            #expect(outcome.code == 0, "\(outcome.error)")
            // Each is a different name and is used unchanged.
            let expected = Self.lookAlikes.map { Array("in/out/\($0).png".utf8) }
            let found = folder.files().filter { $0 != "in/rows.jsonl" }.map { Array($0.utf8) }
            #expect(Set(found) == Set(expected))
        }
    }

    @Test(arguments: [
        String(repeating: "a", count: 10_000), String(repeating: "a/", count: 5_000) + "b",
        "a\u{0}../b", "a\n../b", "a\r../b", "b/../../../c", "/tmp/b", "..", ".",
    ])
    func othersAreRefused(identifier: String) throws {
        try withFolder { folder in
            try folder.write("in/rows.jsonl", try Self.row("good") + "\n" + Self.row(identifier))
            let outcome = try Child(
                [Offstage.path, "render", "--manifest", "rows.jsonl", "--out", "out", "-q", "--no-cache"],
                folder: folder.path("in")
            ).wait()
            #expect(outcome.code == 2 || outcome.code == 1)
            #expect(outcome.error.hasPrefix("offstage: "))
            #expect(!outcome.error.dropLast().contains("\n"), "one line")
            #expect(folder.files().allSatisfy { $0 == "in/rows.jsonl" || $0.hasPrefix("in/out/") })
        }
    }

    /// A line of 10 MB with a document is drawn; a line of 10 MB that is not JSON is refused, with its line number.
    @Test func longLines() throws {
        try withFolder { folder in
            let long = "<!-- " + String(repeating: "filler", count: 1_700_000) + " -->"
            try folder.write("good.jsonl", try Self.row("good", html: "<p>a" + long) + "\n" + Self.row("next"))
            let good = try Offstage.run("render", "--manifest", "good.jsonl", "--out", "out", "-q", in: folder)
            #expect(good.code == 0, "\(good.error)")
            #expect(folder.files("out") == ["good.png", "next.png"])
            for wrong in [
                String(repeating: "[", count: 10_000_000),
                "{\"identifier\": \"" + String(repeating: "a", count: 10_000_000),
            ] {
                try folder.write("wrong.jsonl", try Self.row("good") + "\n" + wrong)
                let outcome = try Offstage.run("render", "--manifest", "wrong.jsonl", "--out", "none", "-q", in: folder)
                #expect(outcome.code == 2)
                #expect(outcome.error.hasPrefix("offstage: wrong.jsonl:2: "))
                #expect(outcome.error.utf8.count < 1_000)
                #expect(folder.files("none") == [])
            }
        }
    }

    private static func row(_ identifier: String, html: String = "<p>a") throws -> String {
        let data = try JSONSerialization.data(withJSONObject: ["identifier": identifier, "html": html])
        return String(decoding: data, as: UTF8.self)
    }
}
