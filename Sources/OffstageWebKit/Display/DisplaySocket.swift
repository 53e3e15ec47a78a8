import Foundation
import Synchronization

/// The file of a server's socket, which a server that is killed leaves behind.
struct DisplaySocket: Sendable, Equatable {
    let path: String
    /// Which file it was when its server had made it: another server may have taken the number since, and the file's place.
    private let identity: [Int]?

    init(path: String) {
        self.path = path
        identity = Self.identity(of: path)
    }

    /// Those of the servers that this process has started, by process.
    private static let all = Mutex<[pid_t: DisplaySocket]>([:])

    static func isKnown(_ server: pid_t) -> Bool { all.withLock { $0[server] != nil } }

    static func add(_ socket: DisplaySocket, of server: pid_t) { all.withLock { $0[server] = socket } }

    /// For a server that is gone.
    static func remove(of server: pid_t) { all.withLock { $0.removeValue(forKey: server) }?.remove() }

    /// When all servers are gone.
    static func removeAll() {
        let sockets = all.withLock { all in
            defer { all = [:] }
            return all.values
        }
        for socket in sockets { socket.remove() }
    }

    /// Takes the file away if it is still this server's. A server takes its number by an abstract socket of the same name, and
    /// makes the file after that: meanwhile it is ours, and no server can come between the look and the end. It tries the next
    /// number then.
    private func remove() {
        let hold = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if hold < 0 { return }
        defer { close(hold) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The first byte stays 0.
        withUnsafeMutableBytes(of: &address.sun_path) { $0[1...].copyBytes(from: path.utf8) }
        let size = MemoryLayout<sa_family_t>.size + 1 + path.utf8.count
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(hold, $0, socklen_t(size)) }
        }
        if code == 0, let identity, identity == Self.identity(of: path) { unlink(path) }
    }

    /// Nil where there is no socket.
    private static func identity(of path: String) -> [Int]? {
        var info = stat()
        guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFSOCK else { return nil }
        // A number of a file that went is given to the next one; the time is not.
        return [Int(info.st_dev), Int(info.st_ino), info.st_ctim.tv_sec, info.st_ctim.tv_nsec]
    }
}
