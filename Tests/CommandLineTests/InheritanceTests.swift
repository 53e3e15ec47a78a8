import Foundation
import Testing

/// Processes that a document's code could take over inherit nothing from the program except what
/// `Fixtures/web-process.txt` lists.
@Suite struct InheritanceTests {
    /// Variables that a caller may have set and that no process needs. Some name folders that WebKit would bind into
    /// its sandbox.
    private static func environment(_ folder: Folder) -> [String: String?] {
        [
            "SECRET_TOKEN": secret, "PGPASSWORD": secret, "SSH_AUTH_SOCK": folder.path(secret),
            "XDG_CACHE_HOME": folder.path("cache"), "XDG_DATA_HOME": folder.path("data"),
            "XDG_RUNTIME_DIR": folder.path("runtime"), "XDG_DATA_DIRS": "/usr/local/share:/usr/share",
            "TMPDIR": folder.path("tmp"), "GST_PLUGIN_PATH": folder.path("plugins"),
            "GST_PLUGIN_SYSTEM_PATH": folder.path("plugins"), "GST_REGISTRY": folder.path("plugins/registry"),
            "PULSE_SERVER": "unix:" + folder.path("plugins/pulse"), "PULSE_CLIENTCONFIG": folder.path("plugins/pulse"),
        ]
    }

    private static let secret = "offstage-secret-\(UUID().uuidString)"

    /// Runs `body` with an `offstage pipe` that has drawn a picture, and its descendant processes. Its descriptor 9
    /// is a file of the caller.
    private func withPipe(_ options: String..., body: (Child, [ProcessTable.Entry], Folder) throws -> Void) throws {
        try withFolder { folder in
            for name in ["cache/fontconfig", "runtime/pulse", "tmp"] { try folder.make(name) }
            for name in ["data/fonts", "data/themes", "data/gstreamer-1.0"] { try folder.make(name) }
            for name in ["cache/other", "plugins/pulse", "plugins/registry", "file"] { try folder.write(name, "text") }
            let child = try Child(
                ["sh", "-c", #"exec "$0" pipe --no-cache "$@" 9<file"#, Offstage.path] + options, holdsInput: true,
                environment: Self.environment(folder), folder: folder.path)
            child.send(request("a", #""javascript": true"#) + "\n")
            #expect(eventually { child.hasEnded || child.text(0).contains("\n") })
            #expect(child.text(0).contains(#""status":"drawn""#), "\(child.text(0)) \(child.text(1))")
            let processes = ProcessTable.descendants(of: child.id)
            for name in ["Xvfb", "WebKitNetworkPr", "WebKitWebProces"] {
                #expect(processes.contains { $0.name == name }, "\(name) is not in \(processes)")
            }
            try body(child, processes, folder)
            child.endInput()
            #expect(try child.wait().code == 0)
        }
    }

    @Test(arguments: ["--sandbox", "--no-sandbox"]) func noProcessHasASecretOrTheCallersFiles(option: String) throws {
        try withPipe(option, "--javascript") { child, processes, folder in
            let own = ProcessView(id: child.id).descriptors
            let callers = [own[0], own[1], own[9]].compactMap { $0 }
            #expect(callers.count == 3)
            #expect(ProcessView(id: child.id).variables.contains { $0.contains(Self.secret) })
            for process in processes {
                let view = ProcessView(id: process.id)
                #expect(view.variables.allSatisfy { !$0.contains(Self.secret) }, "\(process)")
                for (number, file) in view.descriptors {
                    #expect(!callers.contains(file), "descriptor \(number) of \(process) is \(file)")
                }
                if process.name.hasPrefix("WebKit") || process.name == "bwrap" {
                    #expect(view.descriptors[0] == "/dev/null" && view.descriptors[1] == "/dev/null", "\(process)")
                }
            }
        }
    }

    /// Everything that a web process in the sandbox sees is in the list. Everything in the list exists, except lines
    /// with a question mark, which depend on the machine.
    @Test func aWebProcessSeesWhatIsInTheList() throws {
        let url = try #require(
            Bundle.module.url(forResource: "web-process", withExtension: "txt", subdirectory: "Fixtures"))
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        let needed = Set(lines.filter { !$0.hasPrefix("? ") }.map(String.init))
        let allowed = needed.union(lines.filter { $0.hasPrefix("? ") }.map { String($0.dropFirst(2)) })
        try withPipe("--sandbox", "--javascript") { _, processes, folder in
            let web = processes.filter { $0.name == "WebKitWebProces" }
            #expect(!web.isEmpty)
            for process in web {
                let seen = Self.list(ProcessView(id: process.id), folder)
                #expect(seen.subtracting(allowed).sorted() == [], "what it sees and the list does not have")
                #expect(needed.subtracting(seen).sorted() == [], "what the list has and it does not see")
            }
        }
    }

    /// A web process has no capabilities, even if the program is root. Root owns the kernel's settings, whatever its
    /// capabilities are.
    @Test func aWebProcessHasNoPowerOverTheKernel() throws {
        try withPipe("--sandbox", "--javascript") { _, processes, _ in
            let web = processes.filter { $0.name == "WebKitWebProces" }
            #expect(!web.isEmpty)
            for process in web {
                let view = ProcessView(id: process.id)
                #expect(view.capabilities == 0)
                let settings = view.mounts.first { $0.path == "/proc/sys" }
                #expect(settings.map { !$0.isWritable } ?? (geteuid() != 0))
            }
        }
    }

    /// The list's lines for a process. Names that depend on the machine are replaced.
    private static func list(_ view: ProcessView, _ folder: Folder) -> Set<String> {
        var lines = Set(view.names.map { "variable \($0)" })
        for (number, file) in view.descriptors {
            // Descriptors from 3 on have no fixed numbers: WebKit opens them.
            lines.insert("descriptor \(number < 3 ? "\(number) " : "")\(kind(file))")
        }
        let mounts = view.mounts
        for mount in mounts {
            // File systems mounted inside a bound folder are bound, too.
            let isPart = mounts.contains {
                $0.kind == "bound" && $0.isWritable == mount.isWritable && mount.path.hasPrefix($0.path + "/")
            }
            if isPart { continue }
            let access = mount.isWritable ? "writable" : "read-only"
            lines.insert("\(mount.kind) \(access) \(place(mount.path, folder))")
        }
        return lines
    }

    private static func kind(_ file: String) -> String {
        if file.hasPrefix("/memfd:") { return "memory " + file.dropFirst(7).prefix { $0 != " " } }
        if file.hasPrefix("/") { return file.replacing(#/^/proc/\d+/#, with: "/proc/PROCESS") }
        // The names of sockets and pipes end with a number.
        return file.hasPrefix("anon_inode") ? file : String(file.prefix { $0 != ":" })
    }

    private static func place(_ path: String, _ folder: Folder) -> String {
        path.replacing(folder.path("cache"), with: "CACHE").replacing(folder.path("data"), with: "DATA")
            .replacing(#/X11-unix/X\d+/#, with: "X11-unix/X")
            .replacing(#/.*/(offstage-egl.json|libOffstageEGL.so)/#) { "PROGRAM/\($0.1)" }
    }
}
