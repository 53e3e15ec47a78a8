import Foundation
import Offstage
import OffstageSound
import Testing

/// The loudness, the loudness range, and peaks between samples.
@Suite struct LoudnessTests {
    /// Four seconds of 1 kHz at 48 kHz, with a level for each channel.
    private static func floats(_ heights: [Double], seconds: Int = 4, phase: Double = 0) -> [Float] {
        (0..<48_000 * seconds).flatMap { frame in
            heights.map { Float($0 * sin(2 * .pi * 1000 * Double(frame) / 48_000 + phase)) }
        }
    }

    /// A WAV file of floating-point samples with a channel mask.
    private static func wav(_ samples: [Float], channels: Int, mask: Int) -> Data {
        let bytes = samples.reduce(into: Data()) { data, sample in
            withUnsafeBytes(of: sample.bitPattern.littleEndian) { data.append(contentsOf: $0) }
        }
        let fields = [
            (0xFFFE, 2), (channels, 2), (48_000, 4), (48_000 * channels * 4, 4), (channels * 4, 2), (32, 2), (22, 2),
            (32, 2), (mask, 4), (3, 2),
        ]
        let guid = Data([0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71])
        let format = fields.reduce(Data()) { $0 + Chunks.number($1.0, $1.1) } + guid
        return Chunks.wav(Chunks.chunk("fmt ", format), Chunks.chunk("data", bytes))
    }

    private func loudness(_ heights: [Double], mask: Int) async throws -> Double {
        let data = Self.wav(Self.floats(heights), channels: heights.count, mask: mask)
        return try #require(try await engine.facts(about: request(data)).loudness)
    }

    /// The tone of EBU Tech 3341: -23 dBFS in both channels are -23 LUFS.
    @Test func aKnownTone() async throws {
        let height = pow(10, -23.0 / 20)
        #expect(abs(try await loudness([height, height], mask: 3) + 23) < 0.1)
    }

    /// A tone in a single channel of 7.1, compared with the same tone in a front channel.
    @Test func placesOfChannels() async throws {
        func alone(_ channel: Int) async throws -> Double {
            try await loudness((0..<8).map { $0 == channel ? 0.1 : 0 }, mask: 0x63F)
        }
        let front = try await alone(0)
        for (channel, more) in [(1, 0.0), (2, 0), (4, 0), (5, 0), (6, 1.5), (7, 1.5)] {
            #expect(abs(try await alone(channel) - front - more) < 0.05, "\(channel)")
        }
        // The low-frequency channel does not count.
        let low = Self.wav(Self.floats([0, 0, 0, 0.1, 0, 0, 0, 0]), channels: 8, mask: 0x63F)
        #expect(try await engine.facts(about: request(low)).loudness == nil)
        // In 5.1, the two back channels are the surround channels.
        let surround = try await loudness([0, 0, 0, 0, 0.1, 0], mask: 0x3F)
        #expect(abs(surround - front - 1.5) < 0.05)
    }

    /// The samples of a tone at a quarter of the rate miss its crests by 3 dB.
    @Test func thePeakBetweenSamples() async throws {
        let samples = (0..<48_000 * 4).map { Float(0.5 * sin(.pi / 2 * Double($0) + .pi / 4)) }
        let facts = try await engine.facts(about: request(RawWAV(floats: samples, rate: 48_000).data))
        #expect(abs(try #require(facts.truePeak) + 6) < 0.3, "\(facts.truePeak ?? 0)")
    }

    /// The loudness and peaks of floating-point samples are measured before the samples are clipped.
    @Test func floatsBeyondFullScale() async throws {
        let data = RawWAV(floats: Self.floats([2]), rate: 48_000).data
        let facts = try await engine.facts(about: request(data))
        let quiet = try await engine.facts(about: request(RawWAV(floats: Self.floats([0.5]), rate: 48_000).data))
        #expect(abs(try #require(facts.truePeak) - 6) < 0.1)
        #expect(abs(try #require(facts.loudness) - (try #require(quiet.loudness)) - 12) < 0.1)
        #expect(facts.warnings.map(\.code) == [.soundClipped])
    }

    @Test func theRange() async throws {
        let steps = Self.floats([0.05], seconds: 20) + Self.floats([0.5], seconds: 20)
        let facts = try await engine.facts(about: request(RawWAV(floats: steps, rate: 48_000).data))
        #expect(abs(try #require(facts.loudnessRange) - 20) < 1)
        let short = try await engine.facts(
            about: request(RawWAV(floats: Self.floats([0.5], seconds: 2), rate: 48_000).data))
        #expect(short.loudnessRange == nil && short.loudness != nil)
        let silent = try await engine.facts(about: request(RawWAV([Int16](repeating: 0, count: 40_000)).data))
        #expect(silent.loudness == nil && silent.loudnessRange == nil && silent.truePeak == nil)
    }
}
