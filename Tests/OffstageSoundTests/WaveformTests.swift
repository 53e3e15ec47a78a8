import Foundation
import Offstage
import OffstageSound
import OffstageVector
import Testing

/// Pictures of sounds.
@Suite struct WaveformTests {
    /// Four seconds: silence, full amplitude, half of it, a quarter of it.
    private static let steps = RawWAV(
        (0..<4000).map { frame in
            let height = [0, 32_767, 16_384, 8192][frame / 1000]
            return Int16(frame % 2 == 0 ? height : -height)
        }, rate: 1000
    ).data

    private func picture(_ change: (inout Waveform) -> Void) async throws -> Offstage.Pixmap {
        try await engine.draw(
            request(Self.steps) {
                $0.style.width = 80
                $0.style.height = 40
                $0.style.shape = .filled
                $0.framesPerPeak = 50
                change(&$0)
            }
        ).pixmaps[0]
    }

    /// The painted rows of a column; nil if one is only partly painted.
    private func rows(_ picture: Offstage.Pixmap, _ x: Int) -> Range<Int>? {
        let alphas = (0..<picture.size.height).map { y in picture.withRow(y) { $0[4 * x + 3] } }
        guard let first = alphas.firstIndex(where: { $0 > 0 }), let last = alphas.lastIndex(where: { $0 > 0 }) else {
            return 0..<0
        }
        return alphas[first...last].allSatisfy { $0 == 255 } ? first..<last + 1 : nil
    }

    @Test(arguments: [1.0, 2, 3, 1.5]) func topsAreOnDevicePixels(scale: Double) async throws {
        for shape in [WaveformStyle.Shape.filled, .bars] {
            let picture = try await picture {
                $0.scale = scale
                $0.style.shape = shape
                $0.style.barRadius = 0
                ($0.style.barWidth, $0.style.barGap) = (3, 1)
            }
            for x in 0..<picture.size.width { #expect(rows(picture, x) != nil, "\(shape) \(x)") }
            // A column of a bar may be a gap.
            if shape == .bars { continue }
            let height = picture.size.height
            #expect(rows(picture, Int(30 * scale)) == 0..<height)
            let half = try #require(rows(picture, Int(50 * scale)))
            #expect(abs(half.count - height / 2) <= 1)
            #expect(rows(picture, Int(8 * scale))?.count == Int((2 * scale / 2).rounded()) * 2)
        }
    }

    @Test func alignment() async throws {
        #expect(rows(try await picture { $0.style.alignment = .bottom }, 50) == 20..<40)
        #expect(rows(try await picture { $0.style.alignment = .top }, 50) == 0..<20)
        #expect(rows(try await picture { $0.style.isNormalized = true }, 30) == 0..<40)
        let decibels = try await picture {
            $0.style.amplitude = .decibels
            $0.style.alignment = .bottom
        }
        // -6 dB on a scale of 60 dB.
        #expect(rows(decibels, 50) == 4..<40)
    }

    @Test func thePlayedPartEndsBetweenTwoDevicePixels() async throws {
        let unplayed = try await picture { $0.style.played = 0 }
        let played = try await picture { $0.style.played = 1 }
        let half = try await picture { $0.style.played = 0.625 }
        for y in 0..<40 {
            let (left, right, both) = (
                played.withRow(y) { Array($0) }, unplayed.withRow(y) { Array($0) }, half.withRow(y) { Array($0) }
            )
            #expect(both == Array(left[..<200]) + Array(right[200...]))
        }
    }

    @Test func aPartOfTheSound() async throws {
        let part = try await picture { ($0.style.from, $0.style.to) = (1, 2) }
        for x in [0, 40, 79] { #expect(rows(part, x) == 0..<40) }
        let regions = try await picture {
            $0.style.regions = [.init(from: 0, to: 0.5)]
            $0.style.markers = [3]
            $0.style.colors.region.alpha = 1
        }
        #expect(rows(regions, 5) == 0..<40)
        #expect(rows(regions, 60) == 0..<40)
        let axis = try await picture { $0.style.showsAxis = true }
        #expect(rows(axis, 30)?.lowerBound == 0)
        #expect((rows(axis, 30)?.count ?? 40) <= 23)
    }

    @Test func vectorsHaveTheSamePicture() async throws {
        let drawing = try await engine.draw(
            request(Self.steps) {
                $0.medium = .vector()
                ($0.style.width, $0.style.height) = (80, 40)
            })
        let pdf = try FileFormat.pdf().encode(drawing.pictures[0], scale: 1)
        #expect(pdf.starts(with: Data("%PDF-".utf8)))
        let svg = String(decoding: try FileFormat.svg().encode(drawing.pictures[0], scale: 1), as: UTF8.self)
        #expect(svg.contains(#"viewBox="0 0 80 40""#))
        let dat = try FileFormat.dat().encode(drawing.pictures[0], scale: 1)
        #expect(dat == (try await peaks(Self.steps)).audiowaveformData())
        // The same request gives the same bytes.
        let again = try await SoundEngine(workers: 1).draw(
            request(Self.steps) {
                $0.medium = .vector()
                ($0.style.width, $0.style.height) = (80, 40)
            })
        #expect(try FileFormat.pdf().encode(again.pictures[0], scale: 1) == pdf)
    }

    @Test func peaksAreStoredForTheNextEngine() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("peaks-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var decodings: [Int] = []
        for width in [100, 200, 300] {
            let engine = SoundEngine(workers: 1)
            var configuration = RendererConfiguration()
            configuration.store = PictureStore(folder: folder)
            let renderer = Renderer(engine: engine, configuration: configuration)
            let picture = try await renderer.picture(for: request(Self.steps) { $0.style.width = width })
            #expect(picture.size.width == width)
            decodings.append(engine.decodings)
            await renderer.finish()
        }
        #expect(decodings == [1, 0, 0])
    }

    /// Only the added part is decoded, and the peaks equal those of the whole recording.
    @Test(arguments: ["wav", "flac", "mp3"]) func aRecordingThatGrows(type: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("peaks-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var wav = RawWAV(tone(90_000, channels: 2), channels: 2)
        let coded = type == "wav" ? nil : try converted(wav.data, to: type)
        // A recorder does not know the length in advance.
        wav.dataLength = 0xFFFF_FFFF
        wav.riffLength = 0xFFFF_FFFF
        let whole = coded ?? wav.data
        var configuration = RendererConfiguration()
        configuration.store = PictureStore(folder: folder)
        // A new engine has no peaks in memory.
        let first = SoundEngine(workers: 1)
        _ = try await Renderer(engine: first, configuration: configuration).picture(
            for: request(Data(whole.prefix(whole.count * 2 / 3))))
        let second = SoundEngine(workers: 1)
        let renderer = Renderer(engine: second, configuration: configuration)
        _ = try await renderer.picture(for: request(whole))
        #expect((first.continuations, second.continuations) == (0, 1))
        let grown = try await second.peaks(of: request(whole))
        #expect(grown.peaks == (try await peaks(whole)))
        // A different file under the same name.
        _ = try await renderer.picture(for: request(RawWAV(tone(200_000, channels: 2), channels: 2).data))
        #expect(second.continuations == 1)
        await renderer.finish()
    }

    @Test func aFileIsReadPieceByPieceAndItsChangeIsNoticed() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("sound-\(UUID().uuidString).wav").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Self.steps.write(to: URL(fileURLWithPath: path))
        var waveform = Waveform(identifier: "file", sound: try Sound(contentsOf: path))
        waveform.framesPerPeak = 50
        #expect(try await engine.peaks(of: waveform).peaks == (try await peaks(Self.steps, framesPerPeak: 50)))
        // The content changes after the digest was computed, so the picture must not be cached.
        _ = engine.fingerprint(of: waveform)
        waveform.framesPerPeak = 51
        try RawWAV(tone(3000)).data.write(to: URL(fileURLWithPath: path))
        #expect(try await engine.draw(waveform).warnings.map(\.code).contains(.soundChanged))
        #expect(throws: SourceFileError.self) { try Sound(contentsOf: "/nonexistent/sound.wav") }
        #expect(throws: SourceFileError.self) { try Sound(contentsOf: "/dev/zero") }
        #expect(throws: SourceFileError.self) { try Sound(contentsOf: path, limit: 10) }
    }
}
