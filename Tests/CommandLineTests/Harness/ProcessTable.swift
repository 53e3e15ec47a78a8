import Foundation

/// What `/proc` says of processes.
enum ProcessTable {
    /// The processes below one, with their start times: a number alone may be given to another process.
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

        /// A process that has ended and that nobody has asked about still counts.
        var isThere: Bool { ProcessTable.entry(id)?.start == start }
        var description: String { "\(name) (\(id))" }
    }

    private static func entries() -> [Entry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.compactMap(entry)
    }

    private static func entry(_ id: pid_t) -> Entry? {
        guard let file = FileManager.default.contents(atPath: "/proc/\(id)/stat") else { return nil }
        let line = String(decoding: file, as: UTF8.self)
        // The name stands in parentheses and may hold anything (proc(5)).
        guard let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")") else { return nil }
        let fields = line[line.index(after: close)...].split(separator: " ")
        guard fields.count > 19, let parent = pid_t(fields[1]) else { return nil }
        return Entry(
            id: id, name: String(line[line.index(after: open)..<close]), parent: parent, start: String(fields[19]))
    }
}
