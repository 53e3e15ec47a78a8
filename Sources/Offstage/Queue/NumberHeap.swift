/// Numbers, the smallest first; a binary heap.
struct NumberHeap {
    private var numbers: [Int] = []

    var count: Int { numbers.count }
    var first: Int? { numbers.first }

    mutating func insert(_ number: Int) {
        numbers.append(number)
        var child = numbers.count - 1
        while child > 0, numbers[child] < numbers[(child - 1) / 2] {
            numbers.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func removeFirst() {
        numbers.swapAt(0, numbers.count - 1)
        numbers.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < numbers.count && numbers[child] < numbers[least] { least = child }
            if least == parent { return }
            numbers.swapAt(parent, least)
            parent = least
        }
    }

    /// Leaves one of each number that is still wanted.
    mutating func keep(where isWanted: (Int) -> Bool) {
        // A sorted array is a heap.
        numbers = Set(numbers.filter(isWanted)).sorted()
    }
}
