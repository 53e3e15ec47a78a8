import COffstageSystem
import COffstageWebKit
import Foundation
import OffstageWorkers

extension ChildProcesses {
    /// Kills all child processes, among them Xvfb and WebKit's processes, and waits for their end. For a program that is about to exit. Call it on the main thread, but
    /// not from a job of the main loop: GDK ends the program when it finds the display lost.
    public static func endAllWithDisplays() {
        DisplayWatch.expectEnd()
        defer { Sandbox.discardFiles() }
        defer { DisplaySocket.removeAll() }
        adoptOrphans()
        // Another thread may be starting a process now, to replace one that was killed or for another reason.
        for _ in 0..<10 {
            let children = all()
            if children.isEmpty { return }
            // An Xvfb that is still starting has not reported its socket yet, so it must remove the socket itself (SIGTERM).
            // The other servers must not: a server first gives up its number, and may then remove the socket of a new server
            // with the same number.
            let servers = children.filter { !DisplaySocket.isKnown($0) && name(of: $0) == "Xvfb" }
            let others = children.filter { !servers.contains($0) }
            for child in others { kill(child, SIGKILL) }
            for child in others { reap(child) }
            for server in servers { end(server) }
        }
    }

    /// Waits for the end of a child process that was killed. GLib reaps those that it has started; from version 2.84
    /// on, it logs a warning if it is too late.
    private static func reap(_ child: pid_t) {
        if offstage_helpers_glib_awaits(child) {
            var info = siginfo_t()
            while waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT) != 0 { if errno != EINTR { return } }
            // There is no call that waits until another thread has reaped a child, so poll; this is at the program's
            // end, and takes at most 0.2 s.
            for _ in 0..<1000 {
                if waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT | WNOHANG) != 0 { return }
                usleep(200)
            }
        }
        waitpid(child, nil, 0)
    }

    private static func end(_ server: pid_t) {
        kill(server, SIGTERM)
        for _ in 0..<500 {
            // Another thread may have reaped it.
            if waitpid(server, nil, WNOHANG) != 0 { return }
            usleep(1000)
        }
        kill(server, SIGKILL)
        waitpid(server, nil, 0)
    }
}
