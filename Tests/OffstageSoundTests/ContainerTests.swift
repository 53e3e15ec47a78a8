import Foundation
import Offstage
import OffstageSound
import OffstageWorkers
import Testing

/// AAC and the sound of videos, by way of GStreamer.
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

    /// In any order, from a worker that has decoded others, and in another jail.
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

    /// Each cut, and bytes of noise in each place: an error or a part, and the worker draws on.
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
}
