import Offstage

/// The most recent keys of a process.
struct RecentKeys {
    /// Takes about 1 MB.
    private static let most = 10_000
    private var keys: Set<Digest> = []
    private var order: [Digest] = []
    private var oldest = 0

    /// - Returns: true for a key that was not among the most recent ones.
    mutating func insert(_ key: Digest) -> Bool {
        guard keys.insert(key).inserted else { return false }
        if order.count < Self.most {
            order.append(key)
        } else {
            keys.remove(order[oldest])
            order[oldest] = key
            oldest = (oldest + 1) % Self.most
        }
        return true
    }
}
