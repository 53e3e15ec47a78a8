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

    /// Takes the file away if it is still this server's.
    private func remove() {
        if let identity, identity == Self.identity(of: path) { unlink(path) }
    }

    /// Nil where there is no socket.
    private static func identity(of path: String) -> [Int]? {
        var info = stat()
        guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFSOCK else { return nil }
        // A number of a file that went is given to the next one; the time is not.
        return [Int(info.st_dev), Int(info.st_ino), info.st_ctim.tv_sec, info.st_ctim.tv_nsec]
    }
}
