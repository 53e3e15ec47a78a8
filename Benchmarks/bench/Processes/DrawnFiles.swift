import Foundation

/// The pictures that a run left in a folder, with the times at which they were written.
struct DrawnFiles {
    /// Nanoseconds since 1970, in order.
    let times: [Int]

    init(in folder: String) {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        times = names.filter { $0.hasSuffix(".png") }.compactMap { name in
            var info = Foundation.stat()
            guard stat(folder + "/" + name, &info) == 0 else { return nil }
            return info.st_mtim.tv_sec * 1_000_000_000 + info.st_mtim.tv_nsec
        }.sorted()
    }

    var count: Int { times.count }

    /// Milliseconds per picture from the first to the last, which excludes the start and the end; nil for fewer than
    /// two.
    var steady: Double? {
        guard count > 1 else { return nil }
        return Double(times[count - 1] - times[0]) / 1e6 / Double(count - 1)
    }

    /// The number of files present at a given time.
    func count(at time: Int) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
