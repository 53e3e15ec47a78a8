import COffstageSystem
import COffstageWebKit
import Foundation
import Offstage
import Synchronization

/// WebKit's sandbox for web processes, which bubblewrap makes: a file system with nothing of the user's, no other processes, no
/// user's buses.
public enum Sandbox: Sendable, Hashable {
    /// For all web processes where bubblewrap can make one. Where it cannot, page scripts are an error, and all else is drawn
    /// without. The default.
    case wherePossible
    /// For all; where there is none, a drawing is an error.
    case always
    /// For none.
    case never

    /// Begins to find out whether one can be made here, beside other work.
    func look() { if self != .never { _ = Self.found } }

    /// Whether the snippet is drawn in one.
    nonisolated(nonsending) func holds(_ snippet: Snippet) async throws(EngineUnavailable) -> Bool {
        if self == .never { return false }
        guard let absence = await Self.absence else { return true }
        if self == .always || snippet.runsScripts { throw absence }
        return false
    }

    /// Why bubblewrap cannot make one here; nil where it can. WebKit would go on without, or end the program.
    private static func problem() -> (detail: String, remedy: String)? {
        // Without a process in between, which would be nobody's to wait for.
        let arguments = [
            "bwrap", "--unshare-all", "--as-pid-1", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true",
        ]
        var argv = arguments.map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let output = offstage_memory_file("offstage-bwrap")
        defer {
            close(input)
            close(output)
        }
        let process = offstage_spawn(&argv, [input, output, output], 3)
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
        let said = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").first ?? "it said nothing"
        return ("bubblewrap cannot make one: \(said)", "allow user namespaces to this user or container")
    }

    /// Once a process, in some 10 ms.
    private static let found = Task.detached { () -> EngineUnavailable? in
        discardFilesOfTheDead()
        // WebKit has its path compiled in.
        if access("/usr/bin/bwrap", X_OK) != 0 {
            return unavailable("/usr/bin/bwrap is not there", "install the Debian package bubblewrap")
        }
        return problem().map { unavailable($0.detail, $0.remedy) }
    }

    private static func unavailable(_ detail: String, _ remedy: String) -> EngineUnavailable {
        EngineUnavailable(
            problem: "there is no sandbox, \(detail)", remedy: "\(remedy), or go on without one (--no-sandbox)")
    }

    /// Why there is none on this machine; nil where there is.
    package nonisolated(nonsending) static var absence: EngineUnavailable? {
        get async {
            if let withdrawn = withdrawn.withLock({ $0 }) { return withdrawn }
            return await found.value
        }
    }

    /// Removes what WebKit has written for portals, of each sandbox of this process, and would leave there.
    ///
    /// - Parameter keepsFolder: leaves the folder of WebKit's filters for buses, which it makes once, and whose absence ends the
    ///   program when the next filter starts.
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

    /// Removes the folders of processes that were killed, as far as their numbers mean something here.
    private static func discardFilesOfTheDead() {
        let own = URL(fileURLWithPath: String(cString: offstage_sandbox_folder()))
        // All but the process's number, which comes last.
        let prefix = own.lastPathComponent.reversed().drop { $0 != "-" }.reversed().map(String.init).joined()
        let place = own.deletingLastPathComponent().path
        for other in (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [] where other.hasPrefix(prefix) {
            guard let process = pid_t(other.dropFirst(prefix.count)), kill(process, 0) != 0, errno == ESRCH else {
                continue
            }
            var info = stat()
            let path = "\(place)/\(other)"
            guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR, info.st_uid == geteuid() else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    private static let withdrawn = Mutex<EngineUnavailable?>(nil)

    /// WebKit asks bubblewrap for more than the first look does, such as the user's folders for fonts, and may be refused.
    ///
    /// - Returns: whether it just was, and there is no sandbox from now on.
    @MainActor
    static func withdrawIfRefused() -> Bool {
        let said = String(cString: offstage_helpers_sandbox_complaint())
        if said.isEmpty { return false }
        withdrawn.withLock {
            $0 = unavailable("bubblewrap cannot make WebKit's: \(said)", "see what is in the way there")
        }
        return true
    }
}
