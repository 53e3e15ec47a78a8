import Foundation

/// A picture's key in the form that NSCache needs: an object with its own equality.
final class CacheKey: NSObject, Sendable {
    let key: PictureKey
    private let hashed: Int

    init(_ key: PictureKey) {
        self.key = key
        hashed = key.hashValue
    }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CacheKey else { return false }
        return hashed == other.hashed && key == other.key
    }

    override var hash: Int { hashed }
}

/// The values of a `MemoryCache`, and their order.
///
/// `@unchecked Sendable` because the cache uses it only under its lock, and returns only keys and values.
final class CacheState<Value: Sendable>: @unchecked Sendable {
    private typealias Node = RecencyList<CacheKey>.Node

    private final class Entry {
        let value: Value
        let node: Node

        init(_ value: Value, _ node: Node) {
            self.value = value
            self.node = node
        }
    }

    private let values = NSCache<CacheKey, Entry>()
    private let order = RecencyList<CacheKey>()

    /// NSCache on Linux has cycles between its entries. They retain all values until the cache is emptied.
    deinit { values.removeAllObjects() }

    var count: Int { order.count }
    var cost: Int { order.cost }

    func value(for key: CacheKey) -> Value? {
        guard let entry = values.object(forKey: key) else { return nil }
        order.touch(entry.node)
        return entry.value
    }

    func insert(_ value: Value, for key: CacheKey, cost: Int) {
        remove(key)
        let node = Node(key, cost: cost)
        values.setObject(Entry(value, node), forKey: key)
        order.insert(node)
    }

    func remove(_ key: CacheKey) {
        guard let entry = values.object(forKey: key) else { return }
        values.removeObject(forKey: key)
        order.remove(entry.node)
    }

    func removeAll(where condition: (PictureKey) -> Bool) {
        var next = order.oldest
        while let node = next {
            next = node.newer
            if condition(node.key.key) { remove(node.key) }
        }
    }

    /// Removes the least recently used values until both limits are met.
    func evict(toBytes bytes: Int, count: Int) -> [(PictureKey, Value)] {
        var left: [(PictureKey, Value)] = []
        while let oldest = order.oldest, order.cost > bytes || order.count > count {
            if let entry = values.object(forKey: oldest.key) { left.append((oldest.key.key, entry.value)) }
            values.removeObject(forKey: oldest.key)
            order.remove(oldest)
        }
        return left
    }
}
