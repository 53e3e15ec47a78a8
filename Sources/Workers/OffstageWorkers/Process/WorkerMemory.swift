import Foundation

/// The memory and the threads of a worker, as the kernel counts them.
enum WorkerMemory {
    /// The bytes that are freed when the process ends, in memory or swapped out: private memory, and shared memory that it has mapped. Nil
    /// if unknown, such as for a process whose first thread has ended.
    static func ownBytes(of process: pid_t) -> Int? {
        guard let text = text(of: process, "status"), text.contains("\nRssAnon:") else { return nil }
        var kilobytes = 0
        for line in text.split(separator: "\n") {
            guard let name = ["RssAnon:", "RssShmem:", "VmSwap:"].first(where: { line.hasPrefix($0) }) else { continue }
            kilobytes += line.dropFirst(name.count).split { " \t".contains($0) }.first.flatMap { Int($0) } ?? 0
        }
        return kilobytes << 10
    }

    /// The number of threads; 0 if unknown.
    static func threads(of process: pid_t) -> Int {
        // Count from the end, because the second field is a name, which may contain spaces.
        guard let numbers = text(of: process, "stat")?.split(separator: " "), numbers.count > 33 else { return 0 }
        return Int(numbers[numbers.count - 33]) ?? 0
    }

    private static func text(of process: pid_t, _ name: String) -> String? {
        let file = open("/proc/\(process)/\(name)", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &text, text.count)
        return count > 0 ? String(decoding: text[..<count], as: UTF8.self) : nil
    }
}
