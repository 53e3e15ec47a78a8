import Foundation
import OffstageRequests

/// The messages between systemd and the service: sd_listen_fds(3) and sd_notify(3), whose protocols are stable and smaller than
/// a library to load. Without systemd nothing happens.
package enum Activation {
    /// True: systemd started it with sockets.
    package static var hasSockets: Bool { count > 0 }

    /// The first descriptor that systemd hands over: SD_LISTEN_FDS_START.
    private static let first: Int32 = 3

    private static var count: Int32 {
        let environment = ProcessInfo.processInfo.environment
        guard environment["LISTEN_PID"] == "\(getpid())" else { return 0 }
        return environment["LISTEN_FDS"].flatMap { Int32($0) } ?? 0
    }

    /// The sockets that systemd has opened. Call it once.
    static func descriptors() -> [Int32] {
        let all = (0..<max(0, count)).map { first + $0 }
        for descriptor in all { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return all
    }

    /// `READY=1`, `STOPPING=1`.
    package static func tell(_ state: String) {
        let name = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"] ?? ""
        var address = sockaddr_un()
        guard name.hasPrefix("/") || name.hasPrefix("@"), name.utf8.count < MemoryLayout.size(ofValue: address.sun_path)
        else { return }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { place in
            place.copyBytes(from: name.utf8)
            // An abstract one.
            if name.hasPrefix("@") { place[0] = 0 }
        }
        let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if file < 0 { return }
        defer { close(file) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(file, state, state.utf8.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}
