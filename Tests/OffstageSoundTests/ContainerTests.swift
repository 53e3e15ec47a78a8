import Foundation
import Offstage
import OffstageSound
import OffstageWorkers
import Testing

/// AAC and the sound of videos, decoded with GStreamer.
@Suite struct ContainerTests {
    private static let all: [(kind: SoundKind, data: Data)] = [
        (.mp4, Containers.m4a), (.aac, Containers.aac), (.matroska, Containers.webm), (.mp4, Containers.mp4),
    ]

    @Test(arguments: all) func theSoundIsDecoded(kind: SoundKind, data: Data) async throws {
        #expect(SoundKind(of: data) == kind)
        let facts = try await engine.facts(about: request(data))
        #expect(facts.kind == kind.rawValue)
        #expect(facts.channels == 1)
        #expect(abs(facts.duration - 1) < 0.2, "\(facts.duration)")
        #expect(facts.warnings == [])
        #expect(try #require(facts.loudness) < 0)
        let pyramid = try await engine.peaks(of: request(data))
        func largest(_ part: Range<Double>) -> Int { pyramid.largest(of: [.mix], in: part) }
        #expect(largest(0.1..<0.35) < 300, "\(largest(0.1..<0.35))")
        #expect((16_000...32_768).contains(largest(0.6..<0.9)), "\(largest(0.6..<0.9))")
    }

    /// The peaks are the same in any order, from a worker that has decoded other files, and without a jail.
    @Test func theSamePeaksOnEachRun() async throws {
        let first = SoundEngine(workers: 1)
        let second = SoundEngine(workers: 1, jail: .never)
        for (engine, order) in [(first, Self.all), (second, Self.all.reversed())] {
            for (_, data) in order {
                let own = try await engine.peaks(of: request(data)).peaks.audiowaveformData()
                #expect(own == (try await OffstageSoundTests.engine.peaks(of: request(data)).peaks.audiowaveformData()))
            }
        }
        await first.shutDown()
        await second.shutDown()
    }

    /// Files cut at many positions, and noise at many positions, give an error or a part, and the worker continues.
    @Test func damagedFiles() async throws {
        for (_, data) in Self.all {
            var kept = 0
            for share in stride(from: 0.05, to: 1, by: 0.1) {
                let cut = data.prefix(Int(Double(data.count) * share))
                var noisy = data
                for place in stride(from: cut.count, to: min(cut.count + 40, data.count), by: 3) {
                    noisy[place] ^= 0x5A
                }
                for damaged in [Data(cut), noisy] {
                    do throws(DrawingError) {
                        _ = try await engine.peaks(of: request(damaged))
                        kept += 1
                    } catch {
                        guard case .unusable = error else {
                            Issue.record("\(error)")
                            continue
                        }
                    }
                }
            }
            #expect(kept > 0)
            #expect(try await engine.peaks(of: request(data)).peaks.count > 20)
        }
    }

    @Test func whatHasNoSoundIsAnError() async throws {
        let problems: [(Data, String)] = [
            (Data([0, 0, 0, 16]) + Data("ftypisom".utf8) + Data(count: 4), "no-samples"),
            (Data("RIFF".utf8) + Data(count: 4) + Data("AVI LIST".utf8) + Data(count: 60), "undecoded-sound"),
            (Data([0, 0, 0, 24]) + Data("ftypheic".utf8) + Data(count: 60), "not-a-sound"),
        ]
        for (data, code) in problems {
            do throws(DrawingError) {
                _ = try await engine.peaks(of: request(data))
                Issue.record("no error for \(code)")
            } catch {
                guard case .unusable(let problem) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(problem.code == code)
            }
        }
    }

    /// The pictures of a video can continue after its sound and begin before it.
    @Test func aVideoWithLessSoundIsWhole() async throws {
        let facts = try await engine.facts(about: request(Containers.edited(duration: 4000)))
        #expect(abs(facts.duration - 1) < 0.01 && facts.warnings == [])
        let late = Containers.edited(duration: 4000, start: 1500)
        #expect(abs(try await engine.facts(about: request(late)).duration - 2.5) < 0.01)
        let pyramid = try await engine.peaks(of: request(late))
        #expect(pyramid.largest(of: [.mix], in: 0..<1.45) == 0)
        #expect(pyramid.largest(of: [.mix], in: 1.6..<1.85) < 300)
        #expect(pyramid.largest(of: [.mix], in: 2.1..<2.4) > 16_000)
        // A short delay removes nothing from the end.
        for hasLongTimes in [false, true] {
            let short = Containers.edited(duration: 4000, start: 500, hasLongTimes: hasLongTimes)
            #expect(abs(try await engine.facts(about: request(short)).duration - 1.5) < 0.01)
            let pyramid = try await engine.peaks(of: request(short))
            #expect(pyramid.largest(of: [.mix], in: 0..<0.85) < 300)
            #expect(pyramid.largest(of: [.mix], in: 1.3..<1.45) > 16_000)
        }
        // A start that is later than any sound of this file size could be is the time of day, and is ignored.
        let clock = try await engine.facts(about: request(Containers.edited(duration: 4000, start: 2_000_000_000)))
        #expect(abs(clock.duration - 1) < 0.01)
        let cut = try await engine.facts(about: request(Containers.edited(duration: 4000).prefix(3000)))
        #expect(cut.warnings.map(\.code) == [.soundDamaged])
        // The table of samples is at the end.
        #expect(await failure(Containers.m4a.prefix(1500))?.problemCode == "sound-damaged")
    }

    /// Good videos, and one with a damaged text. The first text in another character set, the first old date and the
    /// first message used to make a library open files, which counted as an attack.
    @Test(arguments: ["Mac", "Windows", "date", "message"]) func textsAndDatesAreNotAnAttack(name: String) async throws
    {
        func box(_ name: String, _ content: Data) -> Data {
            Chunks.number(content.count + 8, 4, isBig: true) + Data(name.unicodeScalars.map { UInt8($0.value) })
                + content
        }
        let mac = Chunks.number(41, 2, isBig: true) + Data(count: 2) + Data(repeating: 0x8E, count: 41)
        let text =
            Chunks.number(1, 4, isBig: true) + Data(count: 4)
            + Data("caf\u{E9} noir".unicodeScalars.map { UInt8($0.value) })
        let file: Data
        switch name {
        case "Mac": file = Containers.edited(title: box("\u{A9}nam", mac))
        case "Windows":
            file = Containers.edited(
                title: box("meta", Data(count: 4) + box("ilst", box("\u{A9}nam", box("data", text)))))
        case "date": file = Containers.edited(created: 0x2500_0000)
        default:
            var webm = Containers.webm
            let place = try #require(webm.range(of: Data("01.008".utf8))?.lowerBound)
            webm[place] = 0xB8
            file = webm
        }
        let engine = SoundEngine(workers: 1)
        #expect(try await engine.facts(about: request(file)).warnings == [])
        #expect(await engine.restarts == 0)
        await engine.shutDown()
    }
}
