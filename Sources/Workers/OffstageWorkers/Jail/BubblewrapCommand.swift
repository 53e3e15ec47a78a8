/// The command with which bubblewrap starts a worker that shares nothing with the host but the system's libraries, read-only.
enum BubblewrapCommand {
    static let path = "/usr/bin/bwrap"

    /// - Parameters:
    ///   - program: the path of the worker program.
    ///   - files: the files that it reads before it closes the rest of its jail; its arguments.
    static func arguments(for program: String, files: [String]) -> [String] {
        // Libraries are loaded before the worker closes the rest of its jail. It never sees other files from `/usr` and
        // `/etc`.
        let libraries = ["/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"]
        // `--as-pid-1` avoids an intermediate process. Bubblewrap itself remains as the worker's parent.
        return [path, "--unshare-all", "--as-pid-1", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
            + (libraries + files).flatMap { ["--ro-bind-try", $0, $0] } + ["--ro-bind", program, "/worker", "/worker"]
            + files
    }
}
