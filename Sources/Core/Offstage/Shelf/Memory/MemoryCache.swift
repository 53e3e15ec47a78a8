import Foundation
import Synchronization

/// Finished pictures in memory, decoded and ready to paint, by key. The least recently used pictures are evicted first.
///
/// Safe on any thread. A hit is O(1), copies nothing and decodes nothing.
///
/// `NSCache` stores the values, but this class decides which values to evict: NSCache on Linux evicts the cheapest
/// value first, even one that was just inserted. NSCache's own limits are unset and its costs are all 0, which also
/// makes its insertion O(1).
public final class MemoryCache<Value: Sendable>: Sendable {
    public let limits: MemoryCacheLimits
    private let cost: @Sendable (Value) -> Int
    private let onEvict: (@Sendable (PictureKey, Value, EvictionReason) -> Void)?
    private let state = Mutex(CacheState<Value>())
    /// The renderers that use the cache.
    let observers = Listeners<(key: PictureKey, reason: EvictionReason)>()

    /// - Parameters:
    ///   - limits: the cache evicts the least recently used values to stay within them.
    ///   - cost: the bytes that a value takes.
    ///   - onEvict: called for each value that is evicted, but not for removed or replaced values, on the thread that
    ///     caused the eviction. It may use the cache.
    public init(
        limits: MemoryCacheLimits = MemoryCacheLimits(), cost: @escaping @Sendable (Value) -> Int,
        onEvict: (@Sendable (PictureKey, Value, EvictionReason) -> Void)? = nil
    ) {
        self.limits = limits
        self.cost = cost
        self.onEvict = onEvict
    }

    /// Returns the value, which becomes the most recently used one; nil for a miss.
    public func value(for key: PictureKey) -> Value? {
        let key = CacheKey(key)
        return state.withLock { $0.value(for: key) }
    }

    /// Inserts a value, or replaces the old one. Evicts other values if necessary. A value over a tenth of the limit is
    /// not inserted, but the old value is still removed.
    public func insert(_ value: Value, for key: PictureKey) {
        let cost = max(0, cost(value))
        if cost > limits.largest {
            remove(key)
            return tell([(key, value)], .tooLarge)
        }
        let cacheKey = CacheKey(key)
        let left = state.withLock { state in
            state.insert(value, for: cacheKey, cost: cost)
            return state.evict(toBytes: limits.bytes, count: limits.count ?? .max)
        }
        tell(left, .limit)
    }

    public func remove(_ key: PictureKey) {
        let key = CacheKey(key)
        state.withLock { $0.remove(key) }
    }

    /// Removes all values whose identifier begins with a text. Takes time in proportion to the number of values.
    public func removeAll(identifierPrefix prefix: String = "") {
        state.withLock { $0.removeAll { $0.identifier.utf8.starts(with: prefix.utf8) } }
    }

    /// Evicts the least recently used values until at most a fraction of the limits is in use.
    ///
    /// - Parameter fraction: 0 to evict all values, 1 to evict none.
    public func trimMemory(to fraction: Double) {
        func part(of limit: Int) -> Int {
            // At 1, return the limit itself: Int.max does not fit into a Double. NaN counts as 0.
            if fraction >= 1 { return limit }
            return fraction > 0 ? Int(Double(limit) * fraction) : 0
        }
        let left = state.withLock { state in
            state.evict(
                toBytes: part(of: limits.bytes), count: limits.count.map(part) ?? .max)
        }
        tell(left, .pressure)
    }

    /// The number of values.
    public var count: Int { state.withLock { $0.count } }
    /// The bytes of all values together.
    public var bytes: Int { state.withLock { $0.cost } }

    /// Call this without the lock, so that the callback may use the cache.
    private func tell(_ left: [(PictureKey, Value)], _ reason: EvictionReason) {
        for (key, value) in left {
            onEvict?(key, value, reason)
            observers.tell((key, reason))
        }
    }
}
