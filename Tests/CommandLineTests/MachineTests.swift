import Foundation
import Testing

/// A machine on which something is missing: exit code 3, and a message that names the package or the setting.
@Suite struct MachineTests {
    @Test(arguments: [
        ["render", "in", "--out", "out"], ["render", "in", "--out", "out", "--json"], ["sheet", "pngs", "-o", "s"],
    ])
    func noXvfb(command: [String]) throws {
        try withFolder { folder in
            try folder.write("in/a.html", row())
            try folder.write("in/b.html", row())
            try folder.write("pngs/a.png", Self.png)
            let outcome = try Child(
                [Offstage.path] + command, environment: ["PATH": folder.path("pngs")], folder: folder.path
            ).wait()
            #expect(outcome.code == 3)
            #expect(
                outcome.error
                    == "offstage: Xvfb cannot be started: No such file or directory; install the Debian package xvfb\n")
            #expect(outcome.text == "")
            #expect(folder.files("out") == [])
        }
    }

    @Test func anXvfbThatDoesNotStart() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let program = try folder.write("bin/Xvfb", "#!/bin/sh\necho '(EE) no such screen' >&2\nexit 1\n")
            chmod(program, 0o755)
            let outcome = try Offstage.run(
                "render", "a.html", "--out", "out", environment: ["PATH": folder.path("bin")], in: folder)
            #expect(outcome.code == 3)
            #expect(
                outcome.error
                    == "offstage: Xvfb ended at once: (EE) no such screen; make sure that /tmp is writable, or run Xvfb by hand\n"
            )
        }
    }

    @Test func noTemporaryFolder() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let outcome = try Offstage.run(
                "render", "a.html", "--out", "out", environment: ["TMPDIR": "/nowhere"], in: folder)
            #expect(outcome.code == 3)
            #expect(outcome.error.hasPrefix("offstage: cannot create /nowhere/offstage-filter-"))
            #expect(
                outcome.error.hasSuffix(": No such file or directory; set TMPDIR to a writable folder\n"))
        }
    }

    /// `ulimit -f` also limits memory files: the program prints a message instead of ending with a signal.
    @Test func aFileSizeLimit() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let temporary = try folder.make("tmp")
            let outcome = try Child(
                ["sh", "-c", "ulimit -f 0; exec \"$0\" render a.html --out out --no-cache", Offstage.path],
                environment: ["TMPDIR": temporary.path], folder: folder.path
            ).wait()
            #expect(outcome.code == 3)
            #expect(
                outcome.error.hasPrefix(
                    "offstage: cannot create a memory file for the display's cookie (File too large); "))
            #expect(temporary.files() == [])
        }
    }

    /// After the run, the temporary folder is empty again.
    @Test func theTemporaryFolderIsLeftClean() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let temporary = try folder.make("tmp")
            let outcome = try Offstage.run(
                "render", "a.html", "--out", "out", environment: ["TMPDIR": temporary.path], in: folder)
            #expect(outcome.code == 0)
            #expect(temporary.files() == [])
        }
    }

    /// A PNG file of one pixel.
    static let png = Data(
        base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")!
}
