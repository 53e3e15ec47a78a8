import Foundation

/// The process that draws for a view, as `/proc` shows it: WebKit does not tell which one it is.
@MainActor
struct WebProcess {
    private let id: pid_t

    /// - Parameter start: starts one web process, and returns once it is there.
    /// - Returns: nil where none could be found; its memory is then not watched.
    init?(startedBy start: () -> Void) {
        let before = Set(ChildProcesses.all())
        start()
        // In WebKit's sandbox it is a child's child.
        let new = ChildProcesses.all().filter { !before.contains($0) && Self.name(of: $0) != "WebKitNetworkPr" }
        guard new.count == 1 else { return nil }
        id = new[0]
    }

    /// Bytes that it and its children have for themselves: what they share, pictures among it, does not count. 0 once it
    /// has ended. 10 µs.
    var memory: Int {
        var (sum, next) = (0, [id])
        while let process = next.popLast() {
            sum += Self.privateMemory(of: process)
            next += ChildProcesses.children(of: process, thread: process)
        }
        return sum
    }

    private static func name(of process: pid_t) -> String {
        let text = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        return text.map { String($0.dropLast()) } ?? ""
    }

    private static func privateMemory(of process: pid_t) -> Int {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").prefix(3).compactMap { Int($0) }
        return pages.count == 3 ? (pages[1] - pages[2]) * pageSize : 0
    }

    private static let pageSize = sysconf(Int32(_SC_PAGESIZE))
}
