import Foundation

/// The memory and the threads of a worker, as the kernel counts them.
enum WorkerMemory {
    /// The bytes in memory that belong only to the process; nil if unknown.
    static func ownBytes(of process: pid_t) -> Int? {
        // Pages: all, in memory, shared.
        guard let numbers = numbers(of: process, "statm"), numbers.count > 2, let resident = numbers[1],
            let shared = numbers[2]
        else { return nil }
        return (resident - shared) * sysconf(Int32(_SC_PAGESIZE))
    }

    /// The number of threads; 0 if unknown.
    static func threads(of process: pid_t) -> Int {
        // From the end, because the second field is a name, which may contain spaces.
        guard let numbers = numbers(of: process, "stat"), numbers.count > 33 else { return 0 }
        return numbers[numbers.count - 33] ?? 0
    }

    private static func numbers(of process: pid_t, _ name: String) -> [Int?]? {
        let file = open("/proc/\(process)/\(name)", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 1024)
        let count = read(file, &text, text.count)
        guard count > 0 else { return nil }
        return String(decoding: text[..<count], as: UTF8.self).split(separator: " ").map { Int($0) }
    }
}
