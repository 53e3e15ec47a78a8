import Foundation
import Testing

/// `offstage doctor` reports which parts of this machine work, which are missing, and the remedies.
@Suite struct DoctorTests {
    private static let scripts = [
        "latin", "cyrillic", "greek", "arabic", "hebrew", "devanagari", "han-simplified", "han-traditional", "japanese",
        "korean", "emoji", "math",
    ]

    /// Scripts/setup installs everything that doctor asks for.
    @Test func aMachineThatHasAll() throws {
        try withFolder { folder in
            let outcome = try Offstage.run("doctor", in: folder)
            #expect(outcome.code == 0)
            #expect(outcome.error == "")
            for name in ["display", "webkit", "gtk", "drawing", "temporary-files"] + Self.scripts.map({ "font-\($0)" })
            {
                #expect(outcome.text.contains(try Regex("(?m)^ok    \(name) +[^ ]")), "\(outcome.text)")
            }
            #expect(outcome.text.hasSuffix("\n\nDrawing works here.\n"))
            #expect(folder.files() == [])
        }
    }

    @Test func json() throws {
        try withFolder { folder in
            let outcome = try Offstage.run("doctor", "--json", in: folder)
            #expect(outcome.code == 0)
            let object = try #require(try outcome.objects.first)
            #expect(Set(object.keys) == ["version", "works", "checks"])
            #expect(object["works"] as? Bool == true)
            #expect((object["version"] as? String)?.wholeMatch(of: #/\d+\.\d+\.\d+/#) != nil)
            let checks = try #require(object["checks"] as? [[String: String]])
            let names = checks.compactMap { $0["name"] }
            #expect(
                names == ["display", "webkit", "gtk", "drawing", "network-namespace"]
                    + Self.scripts.map { "font-\($0)" } + [
                        "sandbox", "temporary-files", "largest-side", "descriptors", "machine-class", "image-worker",
                        "pdf-worker", "sound-worker", "ink-worker", "settings",
                    ])
            let root = URL(fileURLWithPath: #filePath)
                .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            let guide = try String(contentsOf: root.appendingPathComponent("docs/command-line.md"), encoding: .utf8)
            for name in names {
                let word = name.hasPrefix("font-") ? String(name.dropFirst(5)) : name
                #expect(guide.contains("`\(word)`"), "the guide does not name \(name)")
            }
            // A successful check has no remedy.
            for check in checks where check["state"] == "ok" {
                #expect(Set(check.keys) == ["name", "state", "detail"])
            }
        }
    }

    @Test func noXvfb() throws {
        try withFolder { folder in
            let checks = try failing(["doctor", "--json"], ["PATH": folder.path], in: folder)
            #expect(
                checks["display"] == [
                    "name": "display", "state": "failure",
                    "detail": "Xvfb cannot be started: No such file or directory",
                    "remedy": "install the Debian package xvfb",
                ])
            #expect(checks["drawing"]?["detail"] == "not tried: it needs the display")
            // doctor starts bubblewrap by its path, like WebKit.
            #expect(checks["sandbox"]?["state"] == "ok")
            let text = try Offstage.run("doctor", environment: ["PATH": folder.path], in: folder)
            #expect(text.code == 3)
            #expect(text.text.contains(#/(?m)^FAIL  display +Xvfb .*; install the Debian package xvfb$/#))
            #expect(text.text.contains("\n\nDrawing does not work here: see the lines that begin with FAIL.\n"))
        }
    }

    @Test func noTemporaryFolder() throws {
        try withFolder { folder in
            let checks = try failing(["doctor", "--json"], ["TMPDIR": "/nowhere"], in: folder)
            #expect(checks["display"]?["state"] == "ok")
            #expect(checks["drawing"]?["state"] == "failure")
            #expect(
                checks["temporary-files"]?["detail"] == "cannot write to /nowhere/: No such file or directory")
            #expect(checks["temporary-files"]?["remedy"] == "set TMPDIR to a writable folder")
        }
    }

    /// A problem that affects pictures but does not prevent them is a remark.
    @Test func fewDescriptors() throws {
        try withFolder { folder in
            let outcome = try Child(
                ["sh", "-c", "ulimit -n 100; exec \"$0\" doctor", Offstage.path], folder: folder.path
            ).wait()
            #expect(outcome.code == 0)
            #expect(outcome.text.contains(#/(?m)^note  descriptors +100 .*; raise `ulimit -n` to 256 or more$/#))
        }
    }

    @Test(arguments: [
        (["doctor", "now"], "doctor takes only options, not 'now'"),
        (["doctor", "--yaml"], "unknown option --yaml; see `offstage doctor --help`"),
    ])
    func wrongUse(arguments: [String], message: String) throws {
        let outcome = try Child([Offstage.path] + arguments, folder: "/").wait()
        #expect(outcome.code == 2)
        #expect(outcome.error == "offstage: \(message)\n")
        #expect(outcome.text == "")
    }

    /// Expects exit code 3, and returns the checks, keyed by name.
    private func failing(
        _ arguments: [String], _ environment: [String: String], in folder: Folder
    ) throws -> [String: [String: String]] {
        let outcome = try Child([Offstage.path] + arguments, environment: environment, folder: folder.path).wait()
        #expect(outcome.code == 3)
        let object = try #require(try outcome.objects.first)
        #expect(object["works"] as? Bool == false)
        let checks = try #require(object["checks"] as? [[String: String]])
        return Dictionary(uniqueKeysWithValues: checks.map { ($0["name"] ?? "", $0) })
    }
}
