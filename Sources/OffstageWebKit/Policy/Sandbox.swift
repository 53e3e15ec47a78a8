import COffstageSystem
import Foundation
import Offstage

/// WebKit's sandbox for web processes, which bubblewrap makes: a file system with nothing of the user's, no other processes, no
/// user's buses.
public enum Sandbox: Sendable, Hashable {
    /// For web processes that run page scripts; one that cannot be had is an error there. The default.
    case withScripts
    /// For all.
    case always
    /// For none.
    case never

    func isWanted(for snippet: Snippet) -> Bool {
        switch self {
        case .withScripts: snippet.runsScripts
        case .always: true
        case .never: false
        }
    }

    /// Why bubblewrap cannot make one here; nil where it can. WebKit would go on without, or end the program.
    package static func problem() -> (detail: String, remedy: String)? {
        let arguments = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true"]
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

    /// Found out once a process, in some 10 ms, off the main thread.
    private static let found = Task.detached { () -> EngineUnavailable? in
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

    static func check() async throws(EngineUnavailable) {
        if let unavailable = await found.value { throw unavailable }
    }
}
