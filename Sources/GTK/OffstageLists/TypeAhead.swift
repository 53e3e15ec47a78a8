/// The letters that a user types to find an item.
package struct TypeAhead: Sendable {
    package private(set) var text = ""
    private var lastTime: UInt32 = 0

    /// The time without a letter, in milliseconds, after which a new word begins.
    private static let pause: UInt32 = 1_000
    /// The maximum number of items to examine for one letter.
    package static let most = 10_000

    package init() {}

    /// Adds a letter.
    ///
    /// - Parameter time: milliseconds of any clock; it may wrap around.
    package mutating func type(_ letter: Character, at time: UInt32) {
        if time &- lastTime > Self.pause { text = "" }
        text.append(letter)
        lastTime = time
    }

    /// True if a letter at this time would continue a word.
    package func isTyping(at time: UInt32) -> Bool { !text.isEmpty && time &- lastTime <= Self.pause }

    /// The next item whose name begins with the letters, ignoring case; nil if none does. Repeating the same letter
    /// moves from item to item.
    ///
    /// - Parameter current: the item at which the cursor is, or nil.
    package func find(from current: Int?, count: Int, name: (Int) -> String?) -> Int? {
        guard count > 0, let first = text.first else { return nil }
        let isRepeated = text.allSatisfy { $0 == first }
        let wanted = (isRepeated ? String(first) : text).lowercased()
        let start = current.map { isRepeated ? $0 + 1 : $0 } ?? 0
        return (0..<min(count, Self.most)).lazy.map { (start + $0) % count }.first {
            name($0)?.lowercased().hasPrefix(wanted) == true
        }
    }
}
