import Foundation

/// The children of this process, read from /proc.
enum Processes {
    struct Child: Hashable {
        let id: pid_t
        let name: String
    }

    /// All children that any thread has started, except those that have ended but have not been waited for.
    static func children() -> Set<Child> {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let ids = threads.flatMap { thread in
            let list = (try? String(contentsOfFile: "/proc/self/task/\(thread)/children", encoding: .utf8)) ?? ""
            return list.split(separator: " ").compactMap { pid_t($0) }
        }
        return Set(ids.filter(isAlive).map { Child(id: $0, name: name(of: $0)) })
    }

    /// The kernel truncates names to 15 characters.
    static let webProcess = "WebKitWebProces"
    static let networkProcess = "WebKitNetworkPr"

    /// Children with this name that are not in `before`.
    static func new(_ name: String, since before: Set<Child>) -> [pid_t] {
        children().subtracting(before).filter { $0.name == name }.map(\.id)
    }

    static func isAlive(_ id: pid_t) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8) else { return false }
        // The name, in parentheses, may contain anything; the state follows it.
        return stat.split(separator: ")").last?.split(separator: " ").first.map { $0 != "Z" && $0 != "X" } ?? false
    }

    private static func name(of id: pid_t) -> String {
        let name = (try? String(contentsOfFile: "/proc/\(id)/comm", encoding: .utf8)) ?? ""
        return name.trimmingCharacters(in: .newlines)
    }
}
