import Foundation
import Offstage
import OffstageSound
import Testing

/// Pictures in which a px covers less than one of the usual peaks, and pictures of several channels.
@Suite struct DetailTests {
    private func columns(_ data: Data, _ change: (inout Waveform) -> Void) async throws -> [[Int]] {
        let picture = try await engine.draw(
            request(data) {
                ($0.style.width, $0.style.height, $0.style.shape) = (800, 120, .filled)
                change(&$0)
            }
        ).pixmaps[0]
        return (0..<picture.size.width).map { x in
            (0..<picture.size.height).filter { y in picture.withRow(y) { $0[4 * x + 3] } > 127 }
        }
    }

    /// One loud sample per hundredth of a second, in files of any kind.
    @Test(arguments: ["wav", "flac", "aiff", "parts"]) func clicksAreThin(type: String) async throws {
        var samples = [Int16](repeating: 0, count: 44_100)
        for index in stride(from: 220, to: samples.count, by: 441) { samples[index] = 32_767 }
        let wav = RawWAV(samples, rate: 44_100).data
        // A file with two parts is decoded from the beginning.
        let parts = [wav[44..<60_044], wav[60_044...]].map { Chunks.chunk("data", Data($0)) }
        let divided = Chunks.wav(Chunks.chunk("fmt ", wav[20..<36]), parts[0], parts[1])
        let file = type == "wav" ? wav : type == "parts" ? divided : try converted(wav, to: type)
        for (scale, from) in [(1.0, 0.1), (2, 0.1), (1, 0.0), (1, 0.9)] {
            let columns = try await columns(file) {
                ($0.style.from, $0.style.to, $0.scale) = (from, from + 0.1, scale)
            }
            let high = columns.indices.filter { columns[$0].count > Int(100 * scale) }
            // Each click is in the middle of its hundredth of a second.
            let places = (0..<10).map { Int((Double($0 * 441 + 220) / 4410 * 800 * scale).rounded(.down)) }
            #expect(Set(high.map { x in places.min { abs($0 - x) < abs($1 - x) } }).count == 10)
            #expect(high.count <= 20 && high.allSatisfy { x in places.contains { abs($0 - x) <= 1 } }, "\(high)")
        }
        // Bars of clicks are just as thin.
        let bars = try await columns(file) { ($0.style.from, $0.style.to, $0.style.shape) = (0.1, 0.2, .bars) }
        #expect((30...60).contains(bars.count { $0.count > 100 }))
    }

    /// A tone is drawn as a wave, even with a codec that must be decoded from the beginning.
    @Test(arguments: ["wav", "ogg"]) func aToneIsAWave(type: String) async throws {
        let wave = (0..<88_200).map { Int16(29_000 * sin(Double($0) * 440 * 2 * .pi / 44_100)) }
        let wav = RawWAV(wave, rate: 44_100).data
        let file = type == "wav" ? wav : try converted(wav, to: type)
        let columns = try await columns(file) {
            ($0.style.from, $0.style.to, $0.style.shape) = (1, 1.02, .line)
        }
        // The middle of the line has one position per column, and moves up and down nine times.
        let middles = columns.map { Double($0.reduce(0, +)) / Double(max(1, $0.count)) }
        let crossings = zip(middles, middles.dropFirst()).count { $0 <= 59.5 && $1 > 59.5 }
        #expect((8...9).contains(crossings), "\(crossings)")
        #expect(columns.allSatisfy { !$0.isEmpty && $0.count < 12 })
        #expect(middles.min()! < 12 && middles.max()! > 107)
    }

    /// With a wrongly wired cable, the mix is silent but the sound is not.
    @Test func invertedChannelsAreDrawn() async throws {
        let one = tone(80_000)
        let mono = RawWAV(one).data
        let stereo = RawWAV(one.flatMap { [$0, -$0] }, channels: 2).data
        for shape in WaveformStyle.Shape.allCases {
            let (left, right) = (
                try await columns(mono) { $0.style.shape = shape }, try await columns(stereo) { $0.style.shape = shape }
            )
            #expect(left == right)
        }
        let normalized = try await columns(stereo) { $0.style.isNormalized = true }
        #expect(normalized.last?.count ?? 0 > 110)
        // Files for the program audiowaveform contain its mix.
        let peaks = try await peaks(stereo)
        #expect((0..<peaks.count).allSatisfy { peaks[.mix, $0].highest == 0 && peaks[.mix, $0].lowest == 0 })
    }

    @Test func splitChannelsAreInFiles() async throws {
        let data = RawWAV(tone(5000, channels: 2), channels: 2).data
        let peaks = try await peaks(data)
        var split = AudiowaveformOptions()
        for isSplit in [false, true] {
            split.splitsChannels = isSplit
            let drawing = try await engine.draw(
                request(data) { ($0.medium, $0.style.splitsChannels) = (.vector(), isSplit) })
            let picture = try #require(drawing.pictures.first)
            let expected = [
                (FileFormat.dat(), peaks.audiowaveformData(split)),
                (.json(), peaks.audiowaveformJSON(split)),
                (.json(.wavesurfer(splitsChannels: false)), peaks.wavesurferJSON(splitsChannels: isSplit)),
            ]
            for (format, bytes) in expected { #expect(try format.encode(picture, scale: 1) == bytes) }
        }
    }
}
