import Foundation
import Synchronization

/// Finished pictures in memory, decoded and ready to paint, by key. The least recently used leave first.
///
/// It may be used from any thread. A hit is O(1), copies nothing and decodes nothing.
///
/// `NSCache` holds the values. Who leaves is decided here, for NSCache on Linux evicts the cheapest first, be it the one
/// that came just now; its own limits are unset and its costs all zero, which also keeps its insertion O(1).
public final class ImageCache<Value: Sendable>: Sendable {
    public let limits: ImageCacheLimits
    private let cost: @Sendable (Value) -> Int
    private let onEvict: (@Sendable (PictureKey, Value, EvictionReason) -> Void)?
    private let state = Mutex(CacheState<Value>())
    /// Renderers that use the cache.
    let observers = Listeners<(key: PictureKey, reason: EvictionReason)>()

    /// - Parameters:
    ///   - limits: what leaves when there is more is what was not used for the longest time.
    ///   - cost: the bytes that a value takes.
    ///   - onEvict: told of each value that leaves without having been removed or replaced, on the thread that made it
    ///     leave; it may use the cache.
    public init(
        limits: ImageCacheLimits = ImageCacheLimits(), cost: @escaping @Sendable (Value) -> Int,
        onEvict: (@Sendable (PictureKey, Value, EvictionReason) -> Void)? = nil
    ) {
        self.limits = limits
        self.cost = cost
        self.onEvict = onEvict
    }

    /// The value, which is then the one used last; nil for a miss.
    public func value(for key: PictureKey) -> Value? {
        let key = CacheKey(key)
        return state.withLock { $0.value(for: key) }
    }

    /// Keeps a value, in place of one that is there. What has to leave for it leaves; a value over a tenth of the limit is
    /// not kept, and the one that was there goes all the same.
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

    /// Takes out all whose identifier begins with a text; in time that grows with what is there.
    public func removeAll(identifierPrefix prefix: String = "") {
        state.withLock { $0.removeAll { $0.identifier.utf8.starts(with: prefix.utf8) } }
    }

    /// Lets the least recently used go until no more than a part of the limits is in use.
    ///
    /// - Parameter fraction: 0 for all to go, 1 for nothing to.
    public func trimMemory(to fraction: Double) {
        func part(of limit: Int) -> Int {
            // At 1 the limit is returned as it is: Int.max does not fit a Double. NaN counts as 0.
            if fraction >= 1 { return limit }
            return fraction > 0 ? Int(Double(limit) * fraction) : 0
        }
        let left = state.withLock { state in
            state.evict(
                toBytes: part(of: limits.bytes), count: limits.count.map(part) ?? .max)
        }
        tell(left, .pressure)
    }

    /// How many values there are.
    public var count: Int { state.withLock { $0.count } }
    /// Of all values together.
    public var bytes: Int { state.withLock { $0.cost } }

    /// After the lock, so that the hook may use the cache.
    private func tell(_ left: [(PictureKey, Value)], _ reason: EvictionReason) {
        for (key, value) in left {
            onEvict?(key, value, reason)
            observers.tell((key, reason))
        }
    }
}
