import Foundation

/// Facts from `/proc` about processes.
enum ProcessTable {
    /// The descendants of a process, with their start times, because a process id may be reused.
    static func descendants(of id: pid_t) -> [Entry] {
        var found: [Entry] = []
        var parents: Set<pid_t> = [id]
        let all = entries()
        while true {
            let next = all.filter { parents.contains($0.parent) && !found.contains($0) }
            if next.isEmpty { return found }
            found += next
            parents = Set(next.map(\.id))
        }
    }

    struct Entry: Equatable, CustomStringConvertible {
        var id: pid_t
        var name: String
        var parent: pid_t
        var start: String

        /// A process that has ended but has not been waited for still counts.
        var isThere: Bool { ProcessTable.entry(id)?.start == start }
        var description: String { "\(name) (\(id))" }
    }

    /// The file of the socket on which an X server listens.
    static func socket(of server: pid_t) -> SocketFile? {
        let folder = "/proc/\(server)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let links = names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0) }
        // FileManager reads only one page of this file.
        let list = (try? FileHandle(forReadingAtPath: "/proc/net/unix")?.readToEnd()) ?? Data()
        for line in String(decoding: list, as: UTF8.self).split(separator: "\n") {
            // The fields are number, count, protocol, flags, type, state, inode and path. An abstract socket's path
            // begins with @.
            let fields = line.split(separator: " ")
            guard fields.count == 8, fields[7].hasPrefix("/tmp/.X11-unix/"), links.contains("socket:[\(fields[6])]")
            else { continue }
            return SocketFile(path: String(fields[7]))
        }
        return nil
    }

    /// A file whose path another file may take over.
    struct SocketFile {
        let path: String
        private let stamp: [Int]

        init?(path: String) {
            self.path = path
            stamp = Self.stamp(path)
            if stamp.isEmpty { return nil }
        }

        var isThere: Bool { Self.stamp(path) == stamp }

        private static func stamp(_ path: String) -> [Int] {
            var info = stat()
            guard lstat(path, &info) == 0 else { return [] }
            return [Int(info.st_ino), info.st_ctim.tv_sec, info.st_ctim.tv_nsec]
        }
    }

    private static func entries() -> [Entry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.compactMap(entry)
    }

    private static func entry(_ id: pid_t) -> Entry? {
        guard let file = FileManager.default.contents(atPath: "/proc/\(id)/stat") else { return nil }
        let line = String(decoding: file, as: UTF8.self)
        // The name is in parentheses and may contain anything (proc(5)).
        guard let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")") else { return nil }
        let fields = line[line.index(after: close)...].split(separator: " ")
        guard fields.count > 19, let parent = pid_t(fields[1]) else { return nil }
        return Entry(
            id: id, name: String(line[line.index(after: open)..<close]), parent: parent, start: String(fields[19]))
    }
}
