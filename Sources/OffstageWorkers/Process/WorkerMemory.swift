import Foundation

/// The memory of a worker, as the kernel counts it.
enum WorkerMemory {
    /// The bytes in memory that belong only to the process; nil if unknown.
    static func ownBytes(of process: pid_t) -> Int? {
        let file = open("/proc/\(process)/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 256)
        let count = read(file, &text, text.count)
        guard count > 0 else { return nil }
        // Pages: all, in memory, shared.
        let numbers = String(decoding: text[..<count], as: UTF8.self).split(separator: " ").map { Int($0) }
        guard numbers.count > 2, let resident = numbers[1], let shared = numbers[2] else { return nil }
        return (resident - shared) * sysconf(Int32(_SC_PAGESIZE))
    }
}
