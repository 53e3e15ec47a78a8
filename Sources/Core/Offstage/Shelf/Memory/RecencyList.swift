/// Keys in the order of their last use, each with a cost. Every operation is O(1).
///
/// Not thread-safe: its owner guards it.
final class RecencyList<Key> {
    final class Node {
        let key: Key
        let cost: Int
        // Two neighbours retain each other until `remove` unlinks one of them.
        fileprivate(set) var newer: Node?
        fileprivate var older: Node?
        fileprivate var isListed = false

        init(_ key: Key, cost: Int) {
            self.key = key
            self.cost = cost
        }
    }

    private(set) var count = 0
    /// The cost of all nodes.
    private(set) var cost = 0
    private var newest: Node?
    private(set) var oldest: Node?

    deinit {
        // Release nodes one by one: releasing a long chain at once would recurse once per node.
        while let oldest { remove(oldest) }
    }

    func insert(_ node: Node) {
        precondition(!node.isListed, "the node is already in a list")
        node.isListed = true
        node.older = newest
        newest?.newer = node
        newest = node
        oldest = oldest ?? node
        count += 1
        cost += node.cost
    }

    /// Has no effect on a node that is not in the list.
    func remove(_ node: Node) {
        guard node.isListed else { return }
        node.isListed = false
        if let newer = node.newer { newer.older = node.older } else { newest = node.older }
        if let older = node.older { older.newer = node.newer } else { oldest = node.newer }
        (node.newer, node.older) = (nil, nil)
        count -= 1
        cost -= node.cost
    }

    /// Moves the node to the newest position.
    func touch(_ node: Node) {
        guard node.isListed, node !== newest else { return }
        remove(node)
        insert(node)
    }
}
