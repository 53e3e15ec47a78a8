import Foundation

/// A sound file.
enum Sound {
    /// A second of 8,000 samples: half of it silent, the other half from one end to the other.
    static let wav = wav(seconds: 1)

    /// A second of `wav` after the other.
    static func wav(seconds: Int) -> Data {
        func bytes(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 0xFF) } }
        let samples = (0..<8000 * seconds).map { $0 % 8000 < 4000 ? 0 : ($0 % 2 == 0 ? 32767 : -32768) }
        var data = Data("RIFF".utf8) + Data(bytes(36 + 16_000 * seconds, 4)) + Data("WAVEfmt ".utf8)
        let format = [(16, 4), (1, 2), (1, 2), (8000, 4), (16_000, 4), (2, 2), (16, 2)]
        data += Data(format.flatMap { bytes($0.0, $0.1) })
        data += Data("data".utf8) + Data(bytes(16_000 * seconds, 4)) + Data(samples.flatMap { bytes($0, 2) })
        return data
    }
}
