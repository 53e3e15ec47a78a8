import Foundation
import Testing

/// `--sandbox` and `--no-sandbox`: WebKit's sandbox, which is used by default where it is available.
@Suite struct SandboxOptionTests {
    /// Machines that have bubblewrap but no sandbox.
    enum Refusal: CaseIterable {
        /// No sandbox works, as without user namespaces.
        case anything
        /// Only WebKit's sandbox is missing, because it needs a system call filter: as with a kernel or a container
        /// without seccomp.
        case filters

        /// Runs a program on such a machine.
        var prefix: [String] {
            switch self {
            case .anything:
                [
                    "unshare", "--user", "--map-root-user", "sh", "-c",
                    #"echo 0 > /proc/sys/user/max_pid_namespaces && exec "$@""#, "sh",
                ]
            case .filters: ["python3", "-c", Self.filter]
            }
        }

        /// The program's error message.
        var problem: String {
            switch self {
            case .anything: "no sandbox is available: bubblewrap cannot create one: "
            case .filters:
                "no sandbox is available: bubblewrap cannot create WebKit's sandbox: Unable to set up system call filtering as requested: "
            }
        }

        /// Installs a system call filter, which a process and its children keep for good and which makes
        /// `prctl(PR_SET_SECCOMP)` fail with `EINVAL`.
        private static let filter = """
            import ctypes, os, struct, sys
            libc = ctypes.CDLL(None, use_errno=True)
            prctl = {'x86_64': 157, 'aarch64': 167}[os.uname().machine]
            steps = [
                (0x20, 0, 0, 0), (0x15, 0, 3, prctl),  # the call's number; is it another?
                (0x20, 0, 0, 16), (0x15, 0, 1, 22),  # its first argument; is it not PR_SET_SECCOMP?
                (0x06, 0, 0, 0x00050016), (0x06, 0, 0, 0x7fff0000)]  # EINVAL; allowed
            code = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *step) for step in steps))
            class Program(ctypes.Structure):
                _fields_ = [('count', ctypes.c_ushort), ('code', ctypes.c_void_p)]
            program = Program(len(steps), ctypes.addressof(code))
            if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.byref(program)):
                sys.exit('no filter: ' + os.strerror(ctypes.get_errno()))
            os.execvp(sys.argv[1], sys.argv[1:])
            """
    }

    private let script = row() + "<script>document.body.append('text')</script>"

    /// The web process runs, but sees none of the user's files.
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
            #expect(eventually { run.leftOver.isEmpty })
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

    /// A folder that is not visible in the sandbox by default.
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

    @Test(arguments: Refusal.allCases) func withoutOneScriptsNeedAWord(refusal: Refusal) throws {
        try withFolder { folder in
            try folder.write("a.html", script)
            try folder.write("b.html", script)
            for options in [["--javascript"], ["--sandbox"], ["--sandbox", "--javascript"]] {
                let outcome = try Child(
                    refusal.prefix + [Offstage.path, "render", "a.html", "b.html", "--out", "out"] + options,
                    folder: folder.path
                ).wait()
                #expect(outcome.code == 3)
                #expect(outcome.errorLines.count == 1, "\(outcome.error)")
                #expect(outcome.error.hasPrefix("offstage: " + refusal.problem), "\(outcome.error)")
                #expect(outcome.error.hasSuffix(", or run without one (--no-sandbox)\n"), "\(outcome.error)")
                #expect(folder.files("out") == [])
            }
            let plain = try Offstage.run(
                "render", "a.html", "b.html", "--out", "out", in: folder, prefix: refusal.prefix)
            #expect(plain.code == 0)
            #expect(
                plain.errorLines.count {
                    $0.hasPrefix("offstage: \(refusal.problem)") && $0.hasSuffix("; drawn without a sandbox")
                }
                    == 1, "\(plain.error)")
            #expect(folder.files("out") == ["a.png", "b.png"])
            for options in [["--javascript", "--no-sandbox"], ["--no-sandbox"], []] {
                let outcome = try Child(
                    refusal.prefix + [Offstage.path, "render", "a.html", "-o", "a.png", "-q"] + options,
                    folder: folder.path
                ).wait()
                #expect(outcome.code == 0)
                #expect(outcome.error == "")
                let hasText = try folder.picture("a.png").ink(below: 40) > 10
                #expect(hasText == options.contains("--javascript"))
            }
        }
    }

    @Test(arguments: Refusal.allCases) func doctorTellsWhy(refusal: Refusal) throws {
        try withFolder { folder in
            let outcome = try Offstage.run("doctor", "--json", in: folder, prefix: refusal.prefix)
            #expect(outcome.code == 0)
            let checks = try #require(try outcome.objects.first?["checks"] as? [[String: String]])
            let sandbox = try #require(checks.first { $0["name"] == "sandbox" })
            #expect(sandbox["state"] == "remark")
            #expect(sandbox["detail"]?.hasPrefix(refusal.problem) == true, "\(sandbox)")
            #expect(sandbox["remedy"]?.hasSuffix(", or run without one (--no-sandbox)") == true, "\(sandbox)")
            #expect(checks.first { $0["name"] == "drawing" }?["state"] == "ok")
        }
    }

    /// In the sandbox, WebKit uses a /var/tmp of its own.
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
            #expect(outcome.error == "offstage: --sandbox and --no-sandbox cannot be combined; use one\n")
        }
    }
}
