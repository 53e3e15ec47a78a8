import Foundation
import Synchronization

/// PostgreSQL for tests: a cluster in a temporary folder, on a Unix socket, for as long as the process runs.
/// PostgreSQL refuses to run as root, so in that case it runs as the user `postgres`.
public final class Cluster: Sendable {
    public static let shared = Cluster()
    public let folder: String
    /// The port is also part of the Unix socket's name.
    public let port: Int

    /// The programs of the newest version that is installed.
    private static let programs: String = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return "\(root)/\(versions.compactMap(Int.init).max() ?? 0)/bin/"
    }()
    private static let names = Mutex(0)

    /// - Parameters:
    ///   - port: the port on the loopback interface, if the settings listen there.
    ///   - settings: creates files in the folder before the server starts, and returns additional settings.
    public init(port: Int = 5432, settings: (_ folder: String) -> [String] = { _ in ["listen_addresses=''"] }) {
        var template = Array((NSTemporaryDirectory() + "offstage-pg-XXXXXX").utf8CString)
        folder = String(cString: mkdtemp(&template))
        self.port = port
        if getuid() == 0, let user = getpwnam("postgres") {
            chown(folder, user.pointee.pw_uid, user.pointee.pw_gid)
        }
        run(["initdb", "-D", "\(folder)/data", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync"])
        let all = ["port=\(port)", "fsync=off", "max_connections=200"] + settings(folder)
        run([
            "pg_ctl", "-D", "\(folder)/data", "-w", "-l", "\(folder)/log", "-o",
            "-k \(folder) " + all.map { "-c \($0)" }.joined(separator: " "), "start",
        ])
        let isFirst = Self.stopAtExit.withLock { folders in
            folders.append(folder)
            return folders.count == 1
        }
        if isFirst { atexit { Cluster.stop() } }
    }

    private static let stopAtExit = Mutex<[String]>([])

    private static func stop() {
        for folder in stopAtExit.withLock({ $0 }) {
            execute([programs + "pg_ctl", "-D", "\(folder)/data", "-m", "immediate", "stop"])
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    private func run(_ words: [String]) { Self.execute([Self.programs + words[0]] + words.dropFirst()) }

    /// Runs a command as PostgreSQL's user and waits for its end. A failure ends the tests.
    public static func execute(_ command: [String]) {
        let asUser = getuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        // Foundation's processes have a descriptor that signals their end, which PostgreSQL's server would inherit.
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
        precondition(status == 0 || command.contains("stop"), "\(command) failed")
    }

    /// The connection string of a new database.
    public func database() -> String {
        let name = Self.names.withLock { number in
            number += 1
            return "test\(number)"
        }
        run(["createdb", "-h", folder, "-p", "\(port)", "-U", "postgres", name])
        return "host=\(folder) port=\(port) user=postgres dbname=\(name)"
    }

    /// Writes a database as a custom archive of `pg_dump`.
    public func dump(_ database: String, to file: String) {
        run(["pg_dump", "-Fc", "-f", file, "-d", database])
    }

    /// Replaces all of Offstage's tables with those in an archive.
    public func restore(_ file: String, into database: String) {
        run(["pg_restore", "--clean", "--if-exists", "--single-transaction", "-d", database, file])
    }
}
