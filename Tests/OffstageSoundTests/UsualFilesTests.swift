import Foundation
import Offstage
import OffstageSound
import Testing

/// Undamaged files, as recorders, radio stations and taggers write them.
@Suite struct UsualFilesTests {
    private static let samples = tone(16_000)
    private static let wav = RawWAV(samples).data
    private static let format = Chunks.chunk("fmt ", wav[20..<36])
    private static let data = Data(wav[44...])

    private func facts(_ data: Data) async throws -> SoundFacts { try await engine.facts(about: request(data)) }

    @Test func theKindIsThatOfTheSoundBehindATag() async throws {
        let tag = Chunks.id3(Data("PRIV".utf8) + Data(count: 3000))
        for (file, kind) in [(try converted(Self.wav, to: "flac"), SoundKind.flac), (Containers.aac, .aac)] {
            #expect(Sound(tag + file).kind == kind)
            #expect(try await facts(tag + file).kind == kind.rawValue)
            #expect(try await peaks(tag + file) == (try await peaks(file)))
            #expect(try await peaks(tag + tag + file) == (try await peaks(file)))
        }
        // From a file of which only a part is read.
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("sound-\(UUID().uuidString).flac").path
        try (tag + converted(Self.wav, to: "flac")).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try Sound(contentsOf: path).kind == .flac)
    }

    /// A recording of a radio station: one stream per title.
    @Test(arguments: ["ogg", "opus"]) func everyStreamIsDrawn(type: String) async throws {
        let (first, second) = (RawWAV(tone(16_000)).data, RawWAV(tone(24_000)).data)
        let (one, two) = (try converted(first, to: type), try converted(second, to: type))
        let both = try await facts(one + two)
        #expect(abs(both.duration - 5) < 0.01)
        #expect(both.warnings == [])
        #expect(try await engine.facts(about: request(one + two), measuresLoudness: false).frames == both.frames)
        // Each stream is as loud at its end as when it is drawn alone, even if the next stream is a copy.
        for (chain, length) in [(one + two, 5.0), (one + one, 4.0)] {
            let pyramid = try await engine.peaks(of: request(chain))
            #expect(pyramid.largest(of: [.mix], in: 1.8..<1.95) > 25_000)
            #expect(pyramid.largest(of: [.mix], in: 2.05..<2.1) < 5000)
            #expect(pyramid.largest(of: [.mix], in: length - 0.2..<length - 0.05) > 25_000)
        }
        // A title with another rate and more channels keeps its duration.
        let other = try converted(
            RawWAV(tone(48_000, channels: 2, rate: 16_000), rate: 16_000, channels: 2).data, to: type)
        for chain in [one + other, other + one] {
            let facts = try await facts(chain)
            #expect(abs(facts.duration - 5) < 0.01)
            #expect(facts.warnings == [])
        }
        let cut = try await facts(one + two.prefix(two.count / 2))
        #expect(cut.warnings.map(\.code) == [.soundDamaged])
        let odd = try await facts(one + Chunks.oggPage(Data("something".utf8)) + Chunks.oggPage(Data("else".utf8)))
        #expect(abs(odd.duration - 2) < 0.01 && odd.warnings.map(\.code) == [.soundDamaged])
    }

    @Test func flacIsReadToItsEnd() async throws {
        let file = try converted(Self.wav, to: "flac")
        var short = file
        short.replaceSubrange(22..<26, with: Chunks.number(8000, 4, isBig: true))
        #expect(try await peaks(short) == (try await peaks(file)))
        #expect(try await facts(short).warnings.map(\.code) == [.soundLength])
        #expect(try await facts(file).warnings == [])
        let head = try await engine.facts(about: request(file), measuresLoudness: false)
        #expect(head.frames == 16_000 && head.warnings == [])
    }

    /// A length of 0 means that the recording program was killed or is still recording.
    @Test(arguments: [nil, 0, 8, -1]) func aLengthOfZeroIsReadToTheEnd(length: Int?) async throws {
        for size in [0, -1] {
            let open = Chunks.wav(Self.format, Chunks.chunk("data", Self.data, length: size), length: length)
            #expect(try await peaks(open) == (try await peaks(Self.wav)))
            if size == -1 || length != 8 { #expect(try await facts(open).warnings.map(\.code) == [.soundLength]) }
        }
        let silent = Chunks.wav(Self.format, Chunks.chunk("data", Data()), Chunks.chunk("LIST", Data(count: 20)))
        #expect(await failure(silent)?.problemCode == "no-samples")
    }

    @Test func unusualHeadsAreRead() async throws {
        let expected = try await peaks(Self.wav)
        let long = Chunks.chunk(
            "ds64", Chunks.number(32_072, 8) + Chunks.number(32_000, 8) + Chunks.number(16_000, 8) + Data(count: 4))
        let endless = Chunks.chunk("data", Self.data, length: -1)
        let whole = Chunks.chunk("data", Self.data)
        let parts =
            Chunks.chunk("data", Self.data.prefix(10_000)) + Chunks.chunk("LIST", Data(count: 20))
            + Chunks.chunk("data", Data(Self.data.dropFirst(10_000)))
        let files = [
            "BW64": Chunks.wav(long, Self.format, endless, name: "BW64", length: -1),
            "two formats": Chunks.wav(Self.format, Self.format, whole), "two parts": Chunks.wav(Self.format, parts),
        ]
        for (name, file) in files {
            #expect(try await peaks(file) == expected, "\(name)")
            #expect(try await facts(file).warnings == [], "\(name)")
        }
    }

    /// libsndfile notes that such a length should be even. It is still correct: the byte after it does not count.
    @Test func anOddNumberOfBytesIsNoWrongLength() async throws {
        let odd = try output(of: [
            "sox", "-D", "-n", "-r", "11025", "-b", "8", "-t", "wav", "-", "synth", "1", "sine", "300",
        ])
        #expect(odd.count % 2 == 0 && odd.count > 11_025)
        let facts = try await facts(odd)
        #expect(facts.warnings.isEmpty && facts.frames == 11_025)
    }

    @Test func alacWithoutFlagsIsRead() async throws {
        let samples = Array(Self.samples.suffix(4096))
        #expect(try await peaks(Chunks.alac(samples)) == (try await peaks(RawWAV(samples).data)))
    }

    /// Saving such a file again would not help, so it is not called damaged.
    @Test func otherCodecsAreNotCalledDamaged() async {
        var odd = RawWAV(Self.samples)
        odd.format = 0x161
        let files = [odd.data, Chunks.oggPage(Data("Speex   1.2".utf8))]
        for file in files { #expect(await failure(file)?.problemCode == "undecoded-sound") }
    }

    /// If a library does not know such a header, it looks for another file beside the sound, which a jailed process
    /// may not do.
    @Test func aDamagedHeadIsNotAnAttack() async throws {
        let engine = SoundEngine(workers: 1)
        var file = try converted(Self.wav, to: "caf")
        file[8] ^= 9
        for data in [file, file.prefix(11), Data("fLaC".utf8)] {
            #expect(await failure(data, in: engine)?.problemCode == "sound-damaged")
        }
        #expect(await engine.restarts == 0)
        await engine.shutDown()
    }
}
