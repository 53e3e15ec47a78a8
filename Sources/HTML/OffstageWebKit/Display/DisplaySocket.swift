import Foundation
import Synchronization

/// The socket file of an X server. A server that is killed leaves it behind.
struct DisplaySocket: Sendable, Equatable {
    let path: String
    /// Identifies the file that the server created. Another server may have taken the number and the path since.
    private let identity: [Int]?

    init(path: String) {
        self.path = path
        identity = Self.identity(of: path)
    }

    /// The sockets of the servers that this process started, by process.
    private static let all = Mutex<[pid_t: DisplaySocket]>([:])

    static func isKnown(_ server: pid_t) -> Bool { all.withLock { $0[server] != nil } }

    static func add(_ socket: DisplaySocket, of server: pid_t) { all.withLock { $0[server] = socket } }

    /// Removes the socket of a server that has ended.
    static func remove(of server: pid_t) { all.withLock { $0.removeValue(forKey: server) }?.remove() }

    /// Removes all sockets. Call it when all servers have ended.
    static func removeAll() {
        let sockets = all.withLock { all in
            defer { all = [:] }
            return all.values
        }
        for socket in sockets { socket.remove() }
    }

    /// Removes the file if it still belongs to this server. A server claims its number with an abstract socket of the
    /// same name and creates the file afterwards. While this process has that abstract socket, no server can create the
    /// file between the check and the removal; a starting server fails.
    private func remove() {
        let hold = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if hold < 0 { return }
        defer { close(hold) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The first byte stays 0, for an abstract socket.
        withUnsafeMutableBytes(of: &address.sun_path) { $0[1...].copyBytes(from: path.utf8) }
        let size = MemoryLayout<sa_family_t>.size + 1 + path.utf8.count
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(hold, $0, socklen_t(size)) }
        }
        if code == 0, let identity, identity == Self.identity(of: path) { unlink(path) }
    }

    /// Nil if the path is not a socket.
    private static func identity(of path: String) -> [Int]? {
        var info = stat()
        guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFSOCK else { return nil }
        // The file system reuses the number of a deleted file, but not its time.
        return [Int(info.st_dev), Int(info.st_ino), info.st_ctim.tv_sec, info.st_ctim.tv_nsec]
    }
}
