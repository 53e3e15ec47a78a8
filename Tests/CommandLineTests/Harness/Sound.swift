import Foundation

/// A sound file.
enum Sound {
    /// One second of 8,000 samples: half of it is silent, and the other half has full amplitude.
    static let wav = wav(seconds: 1)

    /// Four seconds of a tone of 50 Hz, of which the first two are clipped.
    static let clipped = wav(
        (0..<32_000).map { frame in
            let value = (frame < 16_000 ? 50_000 : 10_000) * sin(2 * .pi * 50 * Double(frame) / 8000)
            return Int(max(-32_768, min(32_767, value)))
        })

    /// Repeats `wav`, one second after the other.
    static func wav(seconds: Int) -> Data {
        wav((0..<8000 * seconds).map { $0 % 8000 < 4000 ? 0 : ($0 % 2 == 0 ? 32767 : -32768) })
    }

    /// A file with 16-bit samples, 8,000 per second.
    private static func wav(_ samples: [Int]) -> Data {
        func bytes(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 0xFF) } }
        var data = Data("RIFF".utf8) + Data(bytes(36 + 2 * samples.count, 4)) + Data("WAVEfmt ".utf8)
        let format = [(16, 4), (1, 2), (1, 2), (8000, 4), (16_000, 4), (2, 2), (16, 2)]
        data += Data(format.flatMap { bytes($0.0, $0.1) })
        data += Data("data".utf8) + Data(bytes(2 * samples.count, 4)) + Data(samples.flatMap { bytes($0, 2) })
        return data
    }
}
