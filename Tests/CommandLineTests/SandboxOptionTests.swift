import Foundation
import Testing

/// `--sandbox` and `--no-sandbox`: WebKit's sandbox, by default where it can be had.
@Suite struct SandboxOptionTests {
    /// Runs a program where bubblewrap can make nothing.
    private let withoutSandbox = [
        "unshare", "--user", "--map-root-user", "sh", "-c",
        #"echo 0 > /proc/sys/user/max_pid_namespaces && exec "$@""#, "sh",
    ]
    private let script = row() + "<script>document.body.append('text')</script>"

    /// The web process is there, and sees nothing of the file system that is the user's.
    @Test(arguments: [
        (["--javascript"], true), (["--sandbox"], true), ([], true), (["--javascript", "--no-sandbox"], false),
        (["--no-sandbox"], false),
    ])
    func whatIsInTheSandbox(options: [String], isSandboxed: Bool) throws {
        try LongRun.with(options) { run in
            let web = run.processes.filter { $0.name == "WebKitWebProces" }
            #expect(!web.isEmpty)
            for process in web where process.isThere {
                #expect((access("/proc/\(process.id)/root\(Offstage.path)", F_OK) != 0) == isSandboxed, "\(options)")
            }
            kill(run.child.id, SIGTERM)
            #expect(run.leftOver(within: 5) == [])
        }
    }

    @Test func theSameBytes() throws {
        try withFolder { folder in
            try folder.write("a.html", script)
            for (index, options) in [["--sandbox"], ["--no-sandbox"]].enumerated() {
                let outcome = try Child(
                    [Offstage.path, "render", "a.html", "-o", "\(index).png", "-q", "--javascript"] + options,
                    folder: folder.path
                ).wait()
                #expect(outcome.code == 0)
                #expect(outcome.error == "")
            }
            #expect(try folder.data("0.png") == folder.data("1.png"))
        }
    }

    /// A folder that the sandbox does not show by itself.
    @Test func privateFonts() throws {
        try withFolder { folder in
            try folder.write("a.html", script)
            try folder.write(
                "fonts/a.ttf",
                try Data(contentsOf: URL(fileURLWithPath: "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf")))
            for option in ["--sandbox", "--no-sandbox"] {
                let outcome = try Offstage.run(
                    "render", "a.html", "-o", "\(option).png", "--javascript", "--fonts", "fonts", option, in: folder)
                #expect(outcome.code == 0)
            }
            #expect(try folder.data("--sandbox.png") == folder.data("--no-sandbox.png"))
            #expect(try folder.picture("--sandbox.png").ink(below: 40) > 10)
        }
    }

    @Test func withoutBubblewrapScriptsNeedAWord() throws {
        try withFolder { folder in
            try folder.write("a.html", script)
            try folder.write("b.html", script)
            let refused = try Offstage.run(
                "render", "a.html", "b.html", "--out", "out", "--javascript", in: folder, prefix: withoutSandbox)
            #expect(refused.code == 3)
            #expect(
                refused.errorLines.count == 1
                    && refused.error.contains(
                        #/^offstage: there is no sandbox, bubblewrap cannot make one: .*, or go on without one \(--no-sandbox\)\n$/#
                    ),
                "\(refused.error)")
            #expect(folder.files("out") == [])
            let plain = try Offstage.run(
                "render", "a.html", "b.html", "--out", "out", in: folder, prefix: withoutSandbox)
            #expect(plain.code == 0)
            #expect(
                plain.errorLines.count {
                    $0.hasPrefix("offstage: there is no sandbox, bubblewrap cannot make one: ")
                        && $0.hasSuffix("; drawn without")
                } == 1, "\(plain.error)")
            let all = try Offstage.run(
                "render", "a.html", "-o", "c.png", "--sandbox", in: folder, prefix: withoutSandbox)
            #expect(all.code == 3)
            for options in [["--javascript", "--no-sandbox"], ["--no-sandbox"], []] {
                let outcome = try Child(
                    withoutSandbox + [Offstage.path, "render", "a.html", "-o", "a.png", "-q"] + options,
                    folder: folder.path
                ).wait()
                #expect(outcome.code == 0)
                #expect(outcome.error == "")
            }
        }
    }

    /// WebKit has its own idea of /var/tmp in the sandbox.
    @Test func aHomeAndTemporaryFilesInVarTmp() throws {
        let home = Folder(path: "/var/tmp/offstage-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: home.path, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: home.path) }
        try home.write(".cache/fontconfig/CACHEDIR.TAG", "")
        try home.write("a.html", script)
        for options in [["--sandbox"], ["--javascript"], []] {
            let outcome = try Child(
                [Offstage.path, "render", "a.html", "-o", "a.png", "--no-cache", "-q"] + options,
                environment: ["HOME": home.path, "XDG_CACHE_HOME": home.path(".cache"), "TMPDIR": home.path],
                folder: home.path
            ).wait()
            #expect(outcome.code == 0)
            #expect(outcome.error == "")
        }
    }

    @Test func both() throws {
        try withFolder { folder in
            try folder.write("a.html", script)
            let outcome = try Offstage.run("render", "a.html", "-o", "a.png", "--sandbox", "--no-sandbox", in: folder)
            #expect(outcome.code == 2)
            #expect(outcome.error == "offstage: --sandbox and --no-sandbox cannot both be; use one\n")
        }
    }
}
