import Foundation

extension SeededGenerator {
    /// True once in this many calls, on average.
    public mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}

/// Seeds for random sequences.
public enum Seed {
    /// The seeds to try: new ones each time, or the one in `OFFSTAGE_TEST_SEED`, which a failure prints.
    public static func some(_ count: Int) -> [UInt64] {
        let text = ProcessInfo.processInfo.environment["OFFSTAGE_TEST_SEED"]
        if let seed = text.flatMap({ UInt64($0) }) { return [seed] }
        return (0..<count).map { _ in UInt64.random(in: 0...UInt64.max) }
    }
}
