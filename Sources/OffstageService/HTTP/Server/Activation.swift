import CSystemd
import Foundation
import OffstageRequests
import OffstageWebKit

/// What systemd and the service tell each other. Without systemd nothing is loaded and nothing happens.
package enum Activation {
    /// The sockets that systemd has opened.
    static func descriptors() throws -> [Int32] {
        guard ProcessInfo.processInfo.environment["LISTEN_FDS"] != nil else { return [] }
        try SharedLibrary.systemd.load()
        // True: what we start does not take the words for its own.
        let count = sd_listen_fds(1)
        if count < 0 { throw UsageError("systemd's sockets cannot be used: \(String(cString: strerror(-count)))") }
        // SD_LISTEN_FDS_START, a macro
        return (0..<count).map { 3 + $0 }
    }

    /// True: systemd started it with sockets.
    package static var hasSockets: Bool {
        let environment = ProcessInfo.processInfo.environment
        return environment["LISTEN_FDS"] != nil && environment["LISTEN_PID"] == "\(getpid())"
    }

    /// `READY=1`, `STOPPING=1`.
    package static func tell(_ state: String) {
        guard ProcessInfo.processInfo.environment["NOTIFY_SOCKET"] != nil,
            (try? SharedLibrary.systemd.load()) != nil
        else { return }
        sd_notify(0, state)
    }
}
