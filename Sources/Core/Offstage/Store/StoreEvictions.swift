import Foundation

/// Pictures that a store removed because of its limits.
public struct StoreEvictions: Sendable, Hashable, CustomStringConvertible {
    public enum Reason: Sendable, Hashable {
        /// The store was larger than its limit of bytes.
        case limit(Int)
        /// The disk had fewer free bytes than the store leaves for others. The value is that number of bytes.
        case littleSpace(Int)
    }

    /// The store's folder.
    public var folder: String
    public var pictures: Int
    /// The bytes that no other picture shared.
    public var bytes: Int
    public var reason: Reason

    public var description: String {
        let count = "\(pictures) \(pictures == 1 ? "picture" : "pictures") (\(Self.megabytes(bytes)))"
        let cause =
            switch reason {
            case .limit(let bytes): "it has reached its limit of \(Self.megabytes(bytes))"
            case .littleSpace(let bytes): "the disk has less than \(Self.megabytes(bytes)) left"
            }
        return "the cache \(folder) evicted \(count): \(cause)"
    }

    package static func megabytes(_ bytes: Int) -> String { String(format: "%.1f MB", Double(bytes) / 1e6) }
}

/// The removed pictures that have not been reported yet.
struct EvictionLog {
    /// Seconds between two reports.
    private static let interval = 60.0

    private var waiting: [(pictures: Int, bytes: Int, reason: StoreEvictions.Reason)] = []
    private var lastTime: Date?

    mutating func add(_ pictures: Int, _ bytes: Int, _ reason: StoreEvictions.Reason) {
        if let index = waiting.firstIndex(where: { $0.reason == reason }) {
            waiting[index].pictures += pictures
            waiting[index].bytes += bytes
        } else {
            waiting.append((pictures, bytes, reason))
        }
    }

    /// The evictions to report now, counted for each reason.
    mutating func take(_ now: Date, isLast: Bool, _ folder: String) -> [StoreEvictions] {
        if waiting.isEmpty { return [] }
        // Setting the clock back must not silence the reports.
        if !isLast, let lastTime, (0..<Self.interval).contains(now.timeIntervalSince(lastTime)) { return [] }
        lastTime = now
        defer { waiting = [] }
        return waiting.map { StoreEvictions(folder: folder, pictures: $0.pictures, bytes: $0.bytes, reason: $0.reason) }
    }
}
