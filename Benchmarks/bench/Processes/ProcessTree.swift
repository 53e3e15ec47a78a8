import Foundation

/// A process and all its descendants.
enum ProcessTree {
    /// Bytes of memory: each process's private pages plus its share of pages that several processes use (PSS).
    static func memory(of process: pid_t) -> Int {
        ([process] + descendants(of: process)).reduce(0) { $0 + ownMemory(of: $1) }
    }

    static func descendants(of process: pid_t) -> [pid_t] {
        // A process is listed under the thread that started it.
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return tasks.flatMap { task in
            words(in: "/proc/\(process)/task/\(task)/children").compactMap { pid_t($0) }
        }.flatMap { [$0] + descendants(of: $0) }
    }

    /// False for a process that has ended, even if its parent has not waited for it yet.
    static func runs(_ process: pid_t) -> Bool {
        // The state follows the name, which is in parentheses.
        guard let data = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return false }
        let state = String(decoding: data, as: UTF8.self).split(separator: ")").last?.split(separator: " ").first
        return state != "Z" && state != "X"
    }

    /// 0 for a process that no longer exists.
    private static func ownMemory(of process: pid_t) -> Int {
        let words = words(in: "/proc/\(process)/smaps_rollup")
        guard let label = words.firstIndex(of: "Pss:"), label + 1 < words.count else { return 0 }
        return (Int(words[label + 1]) ?? 0) << 10
    }

    private static func words(in path: String) -> [Substring] {
        // The kernel generates these files as they are read.
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    }
}
