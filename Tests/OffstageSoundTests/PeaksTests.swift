import Foundation
import Offstage
import OffstageSound
import SeededRandom
import Testing

@Suite struct PeaksTests {
    /// The values of a peak, computed without the worker.
    private func expected(_ samples: [Int16], channels: Int, track: Peaks.Track, framesPerPeak: Int) -> [[Int16]] {
        let values: [Int16] = stride(from: 0, to: samples.count, by: channels).map { start in
            switch track {
            case .mix: Int16(samples[start..<start + channels].reduce(0) { $0 + Int($1) } / channels)
            case .channel(let number): samples[start + number]
            }
        }
        return stride(from: 0, to: values.count, by: framesPerPeak).map { start in
            let piece = values[start..<min(start + framesPerPeak, values.count)]
            return [piece.min()!, piece.max()!]
        }
    }

    @Test(arguments: [1, 2, 5, 32]) func everyChannelHasItsPeaks(channels: Int) async throws {
        let samples = tone(3000, channels: channels)
        let peaks = try await peaks(RawWAV(samples, channels: channels).data)
        #expect(peaks.channels == channels)
        #expect(peaks.rate == 8000)
        #expect(peaks.count == 12)
        for track in [Peaks.Track.mix] + (0..<channels).map({ .channel($0) }) {
            let expected = expected(samples, channels: channels, track: track, framesPerPeak: 256)
            #expect((0..<peaks.count).map { [peaks[track, $0].lowest, peaks[track, $0].highest] } == expected)
        }
    }

    @Test func meanSquares() async throws {
        // A square wave's RMS equals its height, and a piece that is half silent has half the mean square.
        let samples = (0..<512).map { $0 < 384 ? Int16($0 % 2 == 0 ? 20_000 : -20_000) : 0 }
        let peaks = try await peaks(RawWAV(samples).data)
        #expect(peaks[.mix, 0].meanSquare == 4e8)
        #expect(abs(peaks[.mix, 1].meanSquare - 2e8) < 2e6)
    }

    /// Parts of the merged peaks, computed from the pyramid's levels.
    @Test(arguments: [1, 2]) func aPartHasTheValuesOfTheWhole(channels: Int) async throws {
        var random = SeededGenerator(seed: 9)
        let samples = (0..<60_001 * channels).map { _ in Int16.random(in: -30_000...30_000, using: &random) }
        let pyramid = try await engine.peaks(
            of: request(RawWAV(samples, channels: channels).data) { $0.framesPerPeak = 7 })
        for frames in [1, 7, 8, 14, 100, 441, 7 * 1024, 59_999, 60_000, 70_000, 1 << 40] {
            let whole = pyramid.peaks.rescaled(to: frames)
            let all = pyramid.range(framesPerPeak: frames)
            #expect(all.total == whole.count && all.numbers == 0..<whole.count && all.peaks.count == whole.count)
            #expect(all.peaks.framesPerPeak == whole.framesPerPeak)
            for split in [false, true] {
                var options = AudiowaveformOptions()
                options.splitsChannels = split
                #expect(all.peaks.audiowaveformData(options) == whole.audiowaveformData(options), "\(frames)")
            }
            for _ in 0..<20 {
                let from = Double.random(in: 0..<7.5, using: &random)
                let to = Double.random(in: from..<9, using: &random)
                let part = pyramid.range(from: from, to: to, framesPerPeak: frames)
                #expect(part.peaks.audiowaveformData() == whole.part(from: from, to: to).audiowaveformData())
                #expect(part.numbers.count == part.peaks.count && part.total == whole.count)
            }
        }
        #expect(pyramid.range(from: 8, to: nil, framesPerPeak: 70).numbers.isEmpty)
    }

    @Test func aPyramidFindsThePeakOfEveryPart() async throws {
        var random = SeededGenerator(seed: 4)
        let samples = (0..<200_000).map { _ in Int16.random(in: -30_000...30_000, using: &random) }
        let pyramid = try await engine.peaks(
            of: request(RawWAV(samples, channels: 2).data) { $0.framesPerPeak = 3 })
        let peaks = pyramid.peaks
        #expect(pyramid.byteCount < peaks.count * 15 * 9 / 8 + 1000)
        for _ in 0..<300 {
            let first = Int.random(in: 0..<peaks.count, using: &random)
            let end = Int.random(in: first + 1...peaks.count, using: &random)
            let all = (first..<end).map { peaks[.channel(1), $0] }
            let found = pyramid.peak(of: .channel(1), in: first..<end)
            #expect(found.lowest == all.map(\.lowest).min())
            #expect(found.highest == all.map(\.highest).max())
            let mean = all.map(\.meanSquare).reduce(0, +) / Double(all.count)
            #expect(abs(found.meanSquare - mean) < mean * 0.02)
        }
        #expect(pyramid.peak(of: .mix, in: 1e9..<2e9) == Peaks.Peak(lowest: 0, highest: 0))
        #expect(pyramid.peak(of: .mix, in: -5 ..< -4) == Peaks.Peak(lowest: 0, highest: 0))
    }

    /// Files of all lossless kinds have the same peaks as the WAV file; the others nearly the same.
    @Test(arguments: ["aiff", "au", "w64", "caf", "flac", "ogg", "opus", "mp3"])
    func kinds(type: String) async throws {
        let wav = RawWAV(tone(96_000, channels: 2, rate: 48_000), rate: 48_000, channels: 2).data
        let file = try converted(wav, to: type)
        let (one, other) = (try await peaks(wav), try await peaks(file))
        #expect(other.rate == 48_000)
        #expect(other.channels == 2)
        if ["ogg", "opus", "mp3"].contains(type) {
            #expect(abs(other.count - one.count) < 12)
            for index in stride(from: 5, to: min(one.count, other.count) - 12, by: 10) {
                #expect(abs(Int(one[.channel(0), index].highest) - Int(other[.channel(0), index].highest)) < 3000)
            }
        } else {
            #expect(one == other)
        }
    }

    /// The engine draws the part that is in the file, with a warning.
    @Test(arguments: ["wav", "aiff", "au", "w64", "caf", "flac", "ogg", "opus"])
    func cutFiles(type: String) async throws {
        let wav = RawWAV(tone(480_000, channels: 2, rate: 48_000), rate: 48_000, channels: 2).data
        let file = type == "wav" ? wav : try converted(wav, to: type)
        let cut = Data(file.prefix(file.count * 6 / 10))
        let (one, other) = (try await peaks(file), try await peaks(cut))
        #expect((one.count / 4..<one.count).contains(other.count), "\(other.count) of \(one.count)")
        if ["wav", "aiff", "au", "w64", "caf"].contains(type) {
            #expect(abs(Double(other.count) / Double(one.count) - 0.6) < 0.01)
            // `facts` reads only the header, and returns the duration of the part that is in the file.
            #expect(abs(try await engine.facts(about: request(cut)).duration - 6) < 0.1)
        }
        #expect(try await engine.draw(request(cut)).warnings.map(\.code) == [.soundDamaged])
        #expect(try await engine.draw(request(file)).warnings == [])
    }

    /// A recorder that does not know the length yet writes -1.
    @Test func aCAFFileOfUnknownLength() async throws {
        let file = try converted(RawWAV(tone(8000)).data, to: "caf")
        let place = try #require(file.range(of: Data("data".utf8))).upperBound
        var unknown = file
        unknown.replaceSubrange(place..<place + 8, with: Data(repeating: 0xFF, count: 8))
        #expect(try await peaks(unknown) == peaks(file))
        #expect(try await engine.draw(request(unknown)).warnings == [])
    }

    @Test(arguments: ["8", "24", "32", "f32", "f64"]) func sampleSizes(bits: String) async throws {
        let wav = RawWAV(tone(8000)).data
        let size =
            bits.hasPrefix("f") ? ["-e", "floating-point", "-b", String(bits.dropFirst())] : ["-b", bits]
        let file = try output(of: ["sox", "-D", "-t", "wav", "-"] + size + ["-t", "wav", "-"], input: wav)
        let (one, other) = (try await peaks(wav), try await peaks(file))
        #expect(one.count == other.count)
        for index in 0..<one.count {
            #expect(abs(Int(one[.mix, index].highest) - Int(other[.mix, index].highest)) <= (bits == "8" ? 256 : 2))
        }
    }

    /// Joined files: even if the first header contains a length, the other files are read, too.
    @Test func joinedMP3FilesAreReadToTheEnd() async throws {
        let one = try converted(RawWAV(tone(88_200, rate: 44_100), rate: 44_100).data, to: "mp3")
        let drawing = try await engine.draw(request(one + one + one))
        guard case .number(let duration)? = drawing.contents[0].facts["duration"] else {
            Issue.record("no duration")
            return
        }
        #expect(abs(duration - 6) < 0.3)
    }

    @Test func progressAndCancelling() async throws {
        let data = RawWAV(tone(4_000_000)).data
        let seen = Seen()
        let pyramid = try await engine.peaks(of: request(data)) { seen.add($0) }
        let all = seen.all
        #expect(all.count >= 10)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.share <= $1.share && $0.peaks.count < $1.peaks.count })
        #expect(all.last?.peaks == pyramid.peaks)

        let other = RawWAV(tone(4_000_001)).data
        let task = Task { () -> DrawingError? in
            do throws(DrawingError) {
                _ = try await engine.peaks(of: request(other))
                return nil
            } catch { return error }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        _ = try await engine.peaks(of: request(other))
    }
}

/// The values that a callback received, in order.
final class Seen: @unchecked Sendable {
    // Every access is protected by the lock.
    private let lock = NSLock()
    private var progress: [SoundProgress] = []

    func add(_ one: SoundProgress) { lock.withLock { progress.append(one) } }
    var all: [SoundProgress] { lock.withLock { progress } }
}
