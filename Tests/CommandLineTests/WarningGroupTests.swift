import Foundation
import Testing

/// Warnings of the same kind are combined into one line.
@Suite struct WarningGroupTests {
    private static let email =
        "<!doctype html><p>x" + (1...30).map { "<img src=https://img.example/\($0).png>" }.joined()
        + "<img src=none-1.png><img src=none-2.png>"

    @Test func thirtyRemoteImages() throws {
        try withFolder { folder in
            try folder.write("mail.html", Self.email)
            let outcome = try Offstage.run("render", "mail.html", "-o", "mail.png", in: folder)
            #expect(outcome.code == 0)
            let warnings = outcome.errorLines.filter { $0.hasPrefix("offstage: mail.html: ") }
            #expect(warnings.count == 2, "\(outcome.error)")
            let blocked = try #require(warnings.first { $0.contains("blocked") })
            #expect(
                blocked.contains(
                    "https://img.example/1.png, https://img.example/2.png, https://img.example/3.png and 27 more"))
            #expect(blocked.hasSuffix("; --allow-host img.example loads them"))
            #expect(warnings.contains { $0.hasSuffix("not found in the base folder: none-1.png, none-2.png") })
            // Programs get each warning separately.
            let json = try Offstage.run("render", "mail.html", "-o", "mail.png", "--json", in: folder)
            #expect((try json.objects[0]["warnings"] as? [Any])?.count == 32)
            // An error summarizes them in the same way.
            let strict = try Offstage.run("render", "mail.html", "-o", "mail.png", "--strict", "-q", in: folder)
            #expect(strict.code == 1)
            #expect(strict.errorLines.count == 1)
            #expect(
                strict.error.contains(" and 27 more; ") && strict.error.contains("--allow-host img.example loads them"))
        }
    }

    /// A host name is untrusted text from a document: a name that the option would reject is not suggested.
    @Test func hosts() throws {
        try withFolder { folder in
            let urls = ["https://a.example:8443/x", "http://user@b.example/x", "https://$(id)/x"]
            try folder.write("a.html", "<!doctype html><p>x" + urls.map { "<img src='\($0)'>" }.joined())
            let outcome = try Offstage.run("render", "a.html", "-o", "a.png", in: folder)
            #expect(
                outcome.error.contains("; --allow-host a.example:8443 --allow-host b.example loads them\n"),
                "\(outcome.error)")
            try folder.write(
                "b.html", "<!doctype html><p>x" + (1...9).map { "<img src='https://h\($0).example/x'>" }.joined())
            let many = try Offstage.run("render", "b.html", "-o", "b.png", in: folder)
            #expect(many.error.contains("; --allow-host HOST loads them, one for each of 9 hosts\n"), "\(many.error)")
        }
    }
}
