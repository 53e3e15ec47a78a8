import Foundation

/// Numbers that are the same for the same seed: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// True once in so many.
    mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}

enum Seed {
    /// Seeds of the sequences to try: new ones each time, or the one in `OFFSTAGE_TEST_SEED`, which a failure names.
    static func some(_ count: Int) -> [UInt64] {
        let text = ProcessInfo.processInfo.environment["OFFSTAGE_TEST_SEED"]
        if let seed = text.flatMap({ UInt64($0) }) { return [seed] }
        return (0..<count).map { _ in UInt64.random(in: 0...UInt64.max) }
    }
}
