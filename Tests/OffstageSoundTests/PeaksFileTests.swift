import Foundation
import Offstage
import OffstageSound
import Testing

/// Peaks files compared with those of the program audiowaveform, if a folder beside the project contains some.
@Suite struct PeaksFileTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../shared/data/waveforms").standardizedFileURL
    private static let sounds =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".wav") }.map { String($0.dropLast(4)) }.sorted()

    private static func file(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(name))
    }

    private static let split: AudiowaveformOptions = {
        var options = AudiowaveformOptions()
        options.splitsChannels = true
        return options
    }()
    private static let eight: AudiowaveformOptions = {
        var options = AudiowaveformOptions()
        options.bits = .eight
        return options
    }()

    @Test(arguments: sounds) func theBytesAreAudiowaveforms(name: String) async throws {
        let wav = try Self.file("\(name).wav")
        for data in [wav, try converted(wav, to: "flac")] {
            let peaks = try await peaks(data)
            #expect(peaks.audiowaveformData() == (try Self.file("\(name).z256.b16.dat")))
            #expect(peaks.audiowaveformData(Self.eight) == (try Self.file("\(name).z256.b8.dat")))
            #expect(peaks.audiowaveformData(Self.split) == (try Self.file("\(name).split.z256.b16.dat")))
            let fine = try await OffstageSoundTests.peaks(data, framesPerPeak: 64)
            #expect(fine.audiowaveformJSON() == (try Self.file("\(name).z64.b16.json")))
            if let rescaled = try? Self.file("\(name).rescaled.z1024.b16.dat") {
                #expect(peaks.rescaled(to: 1024).audiowaveformData() == rescaled)
            }
        }
    }

    @Test func filesAreReadAsTheyAreWritten() async throws {
        let peaks = try await peaks(RawWAV(tone(5000, channels: 2), channels: 2).data)
        for options in [AudiowaveformOptions(), Self.split, Self.eight] {
            let data = try Peaks(audiowaveformData: peaks.audiowaveformData(options))
            let json = try Peaks(audiowaveformJSON: peaks.audiowaveformJSON(options))
            #expect(data == json)
            #expect(data.audiowaveformData(options) == peaks.audiowaveformData(options))
            #expect(json.audiowaveformJSON(options) == peaks.audiowaveformJSON(options))
        }
        let other = try Peaks(wavesurferJSON: peaks.wavesurferJSON())
        #expect(other.channels == 2)
        #expect(other.count == peaks.count)
        #expect(abs(other.duration - peaks.duration) < 0.01)
        for index in 0..<peaks.count {
            let (one, two) = (peaks[.channel(1), index], other[.channel(1), index])
            #expect(abs(Int(one.highest) - Int(two.highest)) <= 2 && abs(Int(one.lowest) - Int(two.lowest)) <= 2)
        }
    }

    @Test func otherBytesAreErrors() {
        let head: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x1F, 0, 0, 0, 1, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]
        for data in [Data(), Data("hello".utf8), Data([3] + head.dropFirst()), Data([2] + head.dropFirst())] {
            #expect(throws: PeaksFileError.self) { try Peaks(audiowaveformData: data) }
        }
        // A wrong length.
        #expect((try? Peaks(audiowaveformData: Data(head + [1, 2, 3, 4, 5])))?.count == 1)
        for text in [
            "", "{}", "[]", "[[]]", #"{"sample_rate":0,"samples_per_pixel":1,"data":[]}"#, #"{"peaks":[[]]}"#,
        ] {
            #expect(throws: PeaksFileError.self) { try Peaks(audiowaveformJSON: Data(text.utf8)) }
            #expect(throws: PeaksFileError.self) { try Peaks(wavesurferJSON: Data(text.utf8)) }
        }
        #expect((try? Peaks(wavesurferJSON: Data("[[1e300,-1e300]]".utf8)))?[.mix, 0].highest == 32767)
    }

    @Test func rescalingMergesPeaks() async throws {
        let fine = try await peaks(RawWAV(tone(100_000)).data, framesPerPeak: 64)
        #expect(fine.rescaled(to: 64) == fine)
        #expect(fine.rescaled(to: 1) == fine)
        let coarse = try await peaks(RawWAV(tone(100_000)).data, framesPerPeak: 640)
        #expect(fine.rescaled(to: 640).audiowaveformData() == coarse.audiowaveformData())
        #expect(fine.rescaled(to: 100).count == 1001)
        #expect(fine.rescaled(to: .max).count == 1)
    }
}
