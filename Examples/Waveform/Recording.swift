import Foundation
import Offstage

/// The first channel of a WAV file of 16-bit samples.
struct Recording {
    var samples: [Int16] = []

    /// - Throws: `DrawingError` with the problem and a remedy.
    init(wav: Data) throws(DrawingError) {
        let bytes = [UInt8](wav)
        func number(_ count: Int, at offset: Int) -> Int {
            bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        func name(at offset: Int) -> String { String(decoding: bytes[offset..<offset + 4], as: UTF8.self) }
        guard bytes.count >= 12, name(at: 0) == "RIFF", name(at: 8) == "WAVE" else {
            throw .invalidRequest("it is not a WAV file; use one with 16-bit samples")
        }
        var (chunk, frame) = (12, 0)
        while chunk + 8 <= bytes.count {
            let (start, size) = (chunk + 8, number(4, at: chunk + 4))
            let end = min(start + size, bytes.count)
            switch name(at: chunk) {
            case "fmt " where end >= start + 16:
                guard number(2, at: start) == 1, number(2, at: start + 14) == 16 else {
                    throw .invalidRequest("its samples do not have 16 bits; use a 16-bit WAV file")
                }
                frame = number(2, at: start + 12)
            case "data" where frame > 0:
                samples = stride(from: start, to: end - frame + 1, by: frame).map {
                    Int16(truncatingIfNeeded: number(2, at: $0))
                }
            default: break
            }
            chunk = start + size + size % 2
        }
        if samples.isEmpty { throw .empty }
    }

    /// The lowest and the highest sample of each of `count` equal parts.
    func extremes(_ count: Int) -> [ClosedRange<Int16>] {
        (0..<count).map { part in
            let start = part * samples.count / count
            let slice = samples[start..<max(start + 1, (part + 1) * samples.count / count)]
            return slice.min()!...slice.max()!
        }
    }
}
