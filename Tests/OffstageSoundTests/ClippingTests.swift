import Foundation
import Offstage
import OffstageSound
import Testing

/// Samples at full scale, and the definition of clipping.
@Suite struct ClippingTests {
    /// A tone that is clipped above full scale.
    private static func wave(_ height: Double, hertz: Double, rate: Int = 44_100, seconds: Double = 0.5) -> [Int16] {
        (0..<Int(seconds * Double(rate))).map { frame in
            let value = height * 32_767 * sin(2 * .pi * hertz * Double(frame) / Double(rate))
            return Int16(max(-32_768, min(32_767, value.rounded())))
        }
    }

    private func warnings(_ data: Data) async throws -> [DrawingWarning] {
        let drawing = try await engine.draw(request(data))
        // Measuring the loudness gives the same warnings.
        #expect(try await engine.facts(about: request(data)).warnings == drawing.warnings)
        return drawing.warnings
    }

    /// The crests of normalised tones have several samples at full scale; the higher the rate, the more samples.
    @Test(arguments: [20.0, 50, 440, 2000], [44_100, 192_000]) func aNormalisedToneIsNotClipped(
        hertz: Double, rate: Int
    ) async throws {
        #expect(try await warnings(RawWAV(Self.wave(1, hertz: hertz, rate: rate), rate: rate).data) == [])
        #expect(
            try await warnings(RawWAV(Self.wave(1.2, hertz: hertz, rate: rate), rate: rate).data).map(\.code)
                == [.soundClipped])
    }

    @Test func theWarningNamesTheFirstPlace() async throws {
        var samples = tone(16_000).map { $0 / 2 }
        for first in [9600, 12_000] { for frame in first..<first + 3 { samples[frame] = 32_767 } }
        let warning = try #require(try await warnings(RawWAV(samples).data).first)
        #expect(warning.description == "clipped at full scale: 2 places (the first one at 0:01.2)")
        let facts = try await engine.facts(about: request(RawWAV(samples).data))
        #expect(facts.clippedRuns == 2 && facts.firstClipped == 1.2)
        // Two samples are not clipped.
        samples[9602] = 0
        samples[12_002] = 0
        #expect(try await warnings(RawWAV(samples).data) == [])
    }

    @Test(arguments: ["8", "24", "f32", "ogg", "opus", "mp3"]) func kinds(type: String) async throws {
        for (height, codes) in [(0.95, []), (1.6, [DrawingWarning.Code.soundClipped])] {
            let wav = RawWAV(Self.wave(height, hertz: 440, rate: 48_000), rate: 48_000).data
            let file: Data
            switch type {
            case "8", "24":
                file = try output(of: ["sox", "-D", "-t", "wav", "-", "-b", type, "-t", "wav", "-"], input: wav)
            case "f32":
                let floats = (0..<24_000).map { Float(height * sin(2 * .pi * 440 * Double($0) / 48_000)) }
                file = RawWAV(floats: floats, rate: 48_000).data
            default: file = try converted(wav, to: type)
            }
            #expect(try await warnings(file).map(\.code) == codes, "\(type) \(height)")
        }
    }

    /// Vorbis samples above full scale used to be drawn with the wrong sign.
    @Test func aLoudCodecIsClippedAtFullScale() async throws {
        let wav = RawWAV(Self.wave(3, hertz: 440, rate: 48_000), rate: 48_000).data
        for type in ["ogg", "opus"] {
            let peaks = try await peaks(try converted(wav, to: type), framesPerPeak: 8)
            let crests = (200..<1200).filter { peaks[.mix, $0].highest == 32_767 }
            #expect(crests.count > 200, "\(type) \(crests.count)")
            // A piece of eight samples contains only one crest of this tone.
            #expect(crests.allSatisfy { peaks[.mix, $0].lowest > -32_768 })
        }
    }

    /// Marks appear only for the second channel, and only in the half that is too loud.
    @Test func marksAreWhereTheSamplesAre() async throws {
        let loud = Self.wave(1.5, hertz: 440)
        let samples = loud.indices.flatMap { [loud[$0] / 4, $0 < loud.count / 2 ? loud[$0] / 4 : loud[$0]] }
        let data = RawWAV(samples, rate: 44_100, channels: 2).data
        let peaks = try await peaks(data)
        #expect((0..<peaks.count).allSatisfy { !peaks[.channel(0), $0].isClipped && !peaks[.mix, $0].isClipped })
        let clipped = (0..<peaks.count).filter { peaks[.channel(1), $0].isClipped }
        #expect(clipped.count > peaks.count / 2 - 3 && clipped.first! >= peaks.count / 2 - 1)

        func columns(_ change: @Sendable @escaping (inout Waveform) -> Void = { _ in }) async throws -> [Int] {
            let picture = try await engine.draw(
                request(data) {
                    ($0.style.width, $0.style.height, $0.style.shape) = (100, 40, .filled)
                    $0.style.showsClipping = true
                    change(&$0)
                }
            ).pixmaps[0]
            // #e6007e, in memory order.
            return (0..<100).filter { x in
                (0..<picture.size.height).contains { y in
                    picture.withRow(y) { [$0[4 * x], $0[4 * x + 1], $0[4 * x + 2]] == [0x7E, 0, 0xE6] }
                }
            }
        }
        // The peak that begins before the loud half may mark one more column.
        for isSplit in [false, true] {
            let marked = try await columns { $0.style.splitsChannels = isSplit }
            #expect(marked == Array(50..<100) || marked == Array(49..<100), "\(marked)")
        }
        #expect(try await columns { $0.style.from = 0.25 } == Array(0..<100))
        // A part that is drawn from finer peaks.
        #expect(try await columns { ($0.style.from, $0.style.to) = (0.2, 0.3) }.first ?? 0 >= 48)
        #expect(try await columns { $0.style.showsClipping = false } == [])
    }

    /// For a growing recording, the clipped positions cover the whole recording.
    @Test func placesOfAGrowingRecordingAddUp() async throws {
        let samples = Self.wave(1.2, hertz: 440)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("peaks-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var configuration = RendererConfiguration()
        configuration.store = PictureStore(folder: folder)
        var open = RawWAV(samples, rate: 44_100)
        (open.dataLength, open.riffLength) = (0xFFFF_FFFF, 0xFFFF_FFFF)
        let whole = open.data
        let first = SoundEngine(workers: 1)
        _ = try await Renderer(engine: first, configuration: configuration).picture(
            for: request(Data(whole.prefix(whole.count * 2 / 3))))
        let grown = SoundEngine(workers: 1)
        let renderer = Renderer(engine: grown, configuration: configuration)
        let picture = try await renderer.picture(for: request(whole))
        #expect(grown.continuations == 1)
        #expect(picture.warnings == (try await engine.draw(request(whole))).warnings)
        #expect(picture.warnings.map(\.code) == [.soundLength, .soundClipped])
        await renderer.finish()
    }
}
