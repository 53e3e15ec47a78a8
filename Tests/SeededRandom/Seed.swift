import Foundation

extension SeededGenerator {
    /// True once in this number of calls.
    public mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}

/// Seeds of random sequences.
public enum Seed {
    /// Seeds of the sequences to try: new ones each time, or the one in `OFFSTAGE_TEST_SEED`, which a failure names.
    public static func some(_ count: Int) -> [UInt64] {
        let text = ProcessInfo.processInfo.environment["OFFSTAGE_TEST_SEED"]
        if let seed = text.flatMap({ UInt64($0) }) { return [seed] }
        return (0..<count).map { _ in UInt64.random(in: 0...UInt64.max) }
    }
}
