import Foundation

/// The resources of this process: its descriptors and children.
enum OwnProcess {
    static var descriptors: Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1 }

    /// The children and their children, including those that have ended but have not been waited for.
    static var descendants: [pid_t] { descendants(of: getpid()) }

    private static func descendants(of parent: pid_t) -> [pid_t] {
        let children = processes.filter { $0.parent == parent }.map(\.number)
        return children + children.flatMap { descendants(of: $0) }
    }

    /// Whether the process has ended, even if it has not been waited for.
    static func hasEnded(_ number: pid_t) -> Bool {
        guard let process = processes.first(where: { $0.number == number }) else { return true }
        return process.state == "Z" || process.state == "X"
    }

    /// The letter of the process's state, such as T for stopped; nil if it does not exist.
    static func state(of number: pid_t) -> Substring? { processes.first { $0.number == number }?.state }

    private static var processes: [(number: pid_t, parent: pid_t, state: Substring)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { name in
            guard let number = pid_t(name),
                let text = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8)
            else { return nil }
            // The state follows the name, which can contain anything.
            let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
            guard fields.count > 1, let parent = pid_t(fields[1]) else { return nil }
            return (number, parent, fields[0])
        }
    }
}
