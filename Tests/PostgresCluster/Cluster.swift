import Foundation
import Synchronization

/// PostgreSQL for tests: a cluster in a temporary folder, at a Unix socket, for as long as the process runs. PostgreSQL refuses to run
/// as root, so it then runs as the user `postgres`.
public final class Cluster: Sendable {
    public static let shared = Cluster()
    public let folder: String

    private static let programs = "/usr/lib/postgresql/15/bin/"
    private static let names = Mutex(0)

    private init() {
        var template = Array("/tmp/offstage-pg-XXXXXX".utf8CString)
        folder = String(cString: mkdtemp(&template))
        if getuid() == 0, let user = getpwnam("postgres") {
            chown(folder, user.pointee.pw_uid, user.pointee.pw_gid)
        }
        run(["initdb", "-D", "\(folder)/data", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync"])
        run([
            "pg_ctl", "-D", "\(folder)/data", "-w", "-l", "\(folder)/log", "-o",
            "-k \(folder) -c listen_addresses='' -c fsync=off -c max_connections=200", "start",
        ])
        Self.stopAtExit.withLock { $0 = folder }
        atexit { Cluster.stop() }
    }

    private static let stopAtExit = Mutex<String?>(nil)

    private static func stop() {
        guard let folder = stopAtExit.withLock({ $0 }) else { return }
        execute(["pg_ctl", "-D", "\(folder)/data", "-m", "immediate", "stop"])
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func run(_ words: [String]) { Self.execute(words) }

    private static func execute(_ words: [String]) {
        let command = [programs + words[0]] + words.dropFirst()
        let asUser = getuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        // Foundation's processes have a descriptor by which it sees their end, and PostgreSQL's server would inherit it.
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        for number: Int32 in 1...2 { posix_spawn_file_actions_addopen(&files, number, "/dev/null", O_WRONLY, 0) }
        let arguments = (["/usr/bin/env", "--chdir=/"] + asUser + command).map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        var (process, status) = (pid_t(), Int32(-1))
        precondition(
            posix_spawn(&process, "/usr/bin/env", &files, nil, arguments + [nil], environ) == 0, "env cannot be run")
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        precondition(status == 0 || words.contains("stop"), "\(command) failed")
    }

    /// The connection string of a new database.
    public func database() -> String {
        let name = Self.names.withLock { number in
            number += 1
            return "test\(number)"
        }
        Self.execute(["createdb", "-h", folder, "-U", "postgres", name])
        return "host=\(folder) user=postgres dbname=\(name)"
    }
}
