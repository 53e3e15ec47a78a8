import COffstageSystem
import COffstageWebKit
import Foundation
import Offstage
import Synchronization

extension Sandbox {
    /// Starts to check whether a sandbox is possible here, concurrently with other work.
    func look() { if self != .never { _ = Self.found } }

    /// True if the snippet is drawn in a sandbox.
    nonisolated(nonsending) func holds(_ snippet: Snippet) async throws(EngineUnavailable) -> Bool {
        if self == .never { return false }
        guard let absence = await Self.absence else { return true }
        if self == .always || snippet.runsScripts { throw absence }
        return false
    }

    /// The reason why bubblewrap cannot create a sandbox here; nil if it can. WebKit itself would continue without one,
    /// or end the program.
    private static func problem() -> (detail: String, remedy: String)? {
        // `--as-pid-1` avoids an intermediate process, which would not be reaped.
        let arguments = [
            "/usr/bin/bwrap", "--unshare-all", "--as-pid-1", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev",
            "true",
        ]
        var argv = arguments.map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let output = offstage_memory_file("offstage-bwrap")
        defer {
            close(input)
            close(output)
        }
        // The process ends by itself. A signal when this process ends could interrupt it between two steps, and a
        // process that it has just started would then wait forever.
        let process = offstage_spawn_bare(&argv, [input, output, output], 3, 0)
        guard process > 0 else {
            return (
                "bubblewrap cannot be started: \(String(cString: strerror(errno)))",
                "install the Debian package bubblewrap"
            )
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        if status == 0 { return nil }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = max(0, pread(output, &buffer, buffer.count, 0))
        let said = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").first ?? "no message"
        return ("bubblewrap cannot create one: \(said)", "allow user namespaces for this user or container")
    }

    /// The result of the check, which runs once per process and takes about 10 ms.
    private static let found = Task.detached { () -> EngineUnavailable? in
        discardFilesOfTheDead()
        // This path is compiled into WebKit.
        if access("/usr/bin/bwrap", X_OK) != 0 {
            return unavailable("/usr/bin/bwrap does not exist", "install the Debian package bubblewrap")
        }
        return problem().map { unavailable($0.detail, $0.remedy) }
    }

    private static func unavailable(_ detail: String, _ remedy: String) -> EngineUnavailable {
        EngineUnavailable(
            problem: "no sandbox is available: \(detail)", remedy: "\(remedy), or run without one (--no-sandbox)")
    }

    /// The reason why this machine has no sandbox. Nil if it has one.
    package nonisolated(nonsending) static var absence: EngineUnavailable? {
        get async {
            if let withdrawn = withdrawn.withLock({ $0 }) { return withdrawn }
            return await found.value
        }
    }

    /// Removes the files that WebKit wrote for portals for each sandbox of this process. WebKit would leave them behind.
    ///
    /// - Parameter keepsFolder: If true, keeps the folder of WebKit's bus filters. WebKit creates it only once, and without it
    ///   the next filter ends the program.
    package static func discardFiles(keepsFolder: Bool = false) {
        let folder = String(cString: offstage_sandbox_folder())
        if access(folder, F_OK) != 0 { return }
        if !keepsFolder {
            try? FileManager.default.removeItem(atPath: folder)
            return
        }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name != "webkitgtk" {
            try? FileManager.default.removeItem(atPath: folder + "/" + name)
        }
    }

    /// Removes the folders of processes that were killed. Considers only processes of this PID namespace: other numbers
    /// are meaningless here.
    private static func discardFilesOfTheDead() {
        let own = URL(fileURLWithPath: String(cString: offstage_sandbox_folder()))
        // Everything except the process number at the end. The prefix names the PID namespace.
        let prefix = own.lastPathComponent.reversed().drop { $0 != "-" }.reversed().map(String.init).joined()
        let place = own.deletingLastPathComponent().path
        ContentFilter.discardFoldersOfTheDead()
        FolderOfTheDead.discard(in: place, prefix: prefix)
    }

    private static let withdrawn = Mutex<EngineUnavailable?>(nil)

    /// WebKit requests more from bubblewrap than the check does, such as access to the user's font folders, and
    /// bubblewrap may fail because of that.
    ///
    /// - Returns: True if this has just happened to WebKit. From now on, no sandbox is available.
    @MainActor
    static func withdrawIfRefused() -> Bool {
        let said = String(cString: offstage_helpers_sandbox_complaint())
        if said.isEmpty { return false }
        withdrawn.withLock {
            $0 = unavailable("bubblewrap cannot create WebKit's sandbox: \(said)", "see the system log for the reason")
        }
        return true
    }
}
