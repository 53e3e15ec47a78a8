/// A binary heap with the smallest element first.
struct MinHeap<Element: Comparable & Hashable> {
    private var elements: [Element] = []

    var count: Int { elements.count }
    var first: Element? { elements.first }
    /// All elements, in any order.
    var all: [Element] { elements }

    mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0, elements[child] < elements[(child - 1) / 2] {
            elements.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func removeFirst() {
        elements.swapAt(0, elements.count - 1)
        elements.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < elements.count && elements[child] < elements[least] { least = child }
            if least == parent { return }
            elements.swapAt(parent, least)
            parent = least
        }
    }

    /// Removes duplicates and unwanted elements.
    mutating func keep(where isWanted: (Element) -> Bool) {
        // A sorted array is a heap.
        elements = Set(elements.filter(isWanted)).sorted()
    }
}
