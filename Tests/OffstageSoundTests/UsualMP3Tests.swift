import Foundation
import Offstage
import OffstageSound
import Testing

/// MP3 as streams, pipes and recorders write it: without a length, and with other bytes around the frames.
@Suite struct UsualMP3Tests {
    /// A tone encoded into a pipe, so that the encoder cannot go back to the first frame.
    private static func piped(_ quality: String, rate: Int, _ effects: String) throws -> Data {
        try output(of: ["sh", "-c", "sox -R -n -r \(rate) -c 1 -t mp3 -C \(quality) - synth \(effects) | cat"])
    }

    /// 4 s, in frames of 417 and 418 bytes.
    private static let short = Result { try piped("128", rate: 44_100, "4 sine 440 fade t 3") }

    private func facts(_ data: Data) async throws -> SoundFacts { try await engine.facts(about: request(data)) }

    /// Two minutes: the longer the sound, the larger the error of a guessed length.
    @Test(arguments: ["64", "-4.2"]) func aStreamWithoutALengthIsWhole(quality: String) async throws {
        for effects in ["120 sine 440", "60 pinknoise pad 60"] {
            let facts = try await facts(try Self.piped(quality, rate: 22_050, effects))
            #expect(abs(facts.duration - 120) < 0.2)
            #expect(facts.warnings == [])
        }
    }

    /// The first frame as Fraunhofer's encoder writes it, with a table and without sound.
    @Test func aFrameWithATableIsNotPlayed() async throws {
        let file = try Self.short.get()
        func number(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        func table(frames: Int) -> Data {
            let tag = Array("VBRI".utf8) + [0, 1, 0, 0, 0, 0] + number(file.count) + number(frames)
            let frame = [0xFF, 0xFB, 0x90, 0xC4] + [UInt8](repeating: 0, count: 32) + tag
            return Data(frame + [UInt8](repeating: 0, count: 417 - frame.count))
        }
        let plain = try await peaks(file)
        let count = try await facts(file).frames / 1152
        #expect(try await peaks(table(frames: count) + file) == plain)
        #expect(try await facts(table(frames: count) + file).warnings == [])
        let cut = try await facts((table(frames: count) + file).prefix(30_000))
        #expect(cut.warnings.map(\.code) == [.soundDamaged])
    }

    @Test func theFirstFrameIsFound() async throws {
        let file = try Self.short.get()
        let expected = try await peaks(file)
        let tag =
            Data("APETAGEX".utf8) + Data([0xD0, 7, 0, 0, 0x10, 0x27, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xA0]) + Data(count: 8)
        let beginnings = [
            "zeros": Data(count: 4096), "a header": Data("HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n".utf8),
            "an APE tag": tag + Data(repeating: 0x20, count: 10_000),
            "an ID3 tag": Data("ID3".utf8) + Data([4, 0, 0, 0, 0, 0x4E, 0x10]) + Data(count: 10_000),
            "two tags, and zeros": Data("ID3".utf8) + Data([4, 0, 0, 0, 0, 0, 4]) + Data(count: 4) + Data("ID3".utf8)
                + Data([3, 0, 0, 0, 0, 0, 2]) + Data(count: 700),
        ]
        for (name, beginning) in beginnings {
            let data = beginning + file
            #expect(Sound(data).kind == .mp3, "\(name)")
            #expect(try await peaks(data) == expected, "\(name)")
            #expect(try await facts(data).warnings == [], "\(name)")
        }
        // A recording that begins in the middle of a frame is read from the next frame on.
        let rest = try await facts(Data(file.dropFirst(1000)))
        #expect(abs(rest.duration - 4) < 0.15 && rest.warnings == [])
        // A single frame header, or text, is not read as MP3.
        for data in [
            Data(count: 100) + Data([0xFF, 0xFB, 0x90, 0xC4]) + Data(count: 5000),
            Data("ID4".utf8) + Data(count: 90_000),
        ] {
            #expect(Sound(data).kind == nil)
        }
    }

    /// Zeros at the end of a download used to cost the worker a call for each byte.
    @Test func junkIsSkippedAndReported() async throws {
        let file = try Self.short.get()
        let expected = try await peaks(file)
        for data in [
            file + Data(count: 60_000_000), file + Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 * 7) }),
        ] {
            let sound = request(data) { $0.limits.budget.seconds = 5 }
            let (pyramid, facts) = (try await engine.peaks(of: sound), try await engine.facts(about: sound))
            #expect(pyramid.peaks == expected)
            #expect(facts.warnings.map(\.code) == [.soundDamaged])
        }
        let twice = try await facts(file + Data(count: 20_000) + file)
        #expect(abs(twice.duration - 8) < 0.3)
        #expect(twice.warnings.map(\.code) == [.soundDamaged])
        // Tags at the end do not count as damage.
        let footer = Data("APETAGEX".utf8) + Data([0xD0, 7, 0, 0, 0x30, 0x27, 0, 0]) + Data(count: 16)
        let tagged = file + Data(count: 10_000) + footer + Data("TAG".utf8) + Data(count: 125)
        #expect(try await facts(tagged).warnings == [])
        #expect(try await peaks(tagged) == expected)
    }
}
