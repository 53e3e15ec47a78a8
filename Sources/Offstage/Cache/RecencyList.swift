/// Keys in the order of their last use, each with a cost. Every step is O(1).
///
/// Not for several threads at once: its owner guards it.
final class RecencyList<Key> {
    final class Node {
        let key: Key
        let cost: Int
        // Two listed neighbours hold each other; `remove` parts them, so that nothing is left behind.
        fileprivate(set) var newer: Node?
        fileprivate var older: Node?
        fileprivate var isListed = false

        init(_ key: Key, cost: Int) {
            self.key = key
            self.cost = cost
        }
    }

    private(set) var count = 0
    /// Of all nodes.
    private(set) var cost = 0
    private var newest: Node?
    private(set) var oldest: Node?

    deinit {
        // One by one: a long chain let go at once would need as deep a stack.
        while let oldest { remove(oldest) }
    }

    func insert(_ node: Node) {
        precondition(!node.isListed, "a node is in one place of a list")
        node.isListed = true
        node.older = newest
        newest?.newer = node
        newest = node
        oldest = oldest ?? node
        count += 1
        cost += node.cost
    }

    /// Does nothing for a node that is not in the list.
    func remove(_ node: Node) {
        guard node.isListed else { return }
        node.isListed = false
        if let newer = node.newer { newer.older = node.older } else { newest = node.older }
        if let older = node.older { older.newer = node.newer } else { oldest = node.newer }
        (node.newer, node.older) = (nil, nil)
        count -= 1
        cost -= node.cost
    }

    /// Makes it the newest.
    func touch(_ node: Node) {
        guard node.isListed, node !== newest else { return }
        remove(node)
        insert(node)
    }
}
