import Foundation
import Offstage
import OffstageSound
import SeededRandom
import Testing

@Suite struct HostileSoundTests {
    /// Each sound gives a picture or its own error in time, and the next sound is drawn as usual.
    @Test func hostileSoundsCostOneResult() async throws {
        let sounds = try HostileSounds.all()
        #expect(sounds.count >= 50)
        // No sound may end a worker.
        let engine = SoundEngine(workers: 1)
        for (name, data) in sounds {
            let error = await failure(data, in: engine) { $0.limits.budget.seconds = 600 }
            switch error {
            case nil, .unusable: break
            default: Issue.record("\(name): \(String(describing: error))")
            }
            if case .unusable(let problem) = error {
                let codes = [
                    "sound-damaged", "no-samples", "too-many-channels", "sound-too-long", "not-a-sound",
                    "undecoded-sound",
                ]
                #expect(codes.contains(problem.code), "\(name): \(problem.code)")
            }
        }
        #expect(await engine.restarts == 0)
        #expect(await failure(HostileSounds.good, in: engine) == nil)
    }

    @Test func theDecodablePartIsDrawnWithAWarning() async throws {
        let sounds = Dictionary(uniqueKeysWithValues: try HostileSounds.all().map { ($0.name, $0.data) })
        func warnings(_ name: String) async throws -> [DrawingWarning.Code] {
            try await engine.draw(request(try #require(sounds[name]))).warnings.map(\.code)
        }
        for name in ["cut FLAC", "FLAC of 2^32 samples", "data length beyond the end", "cut in the samples"] {
            #expect(try await warnings(name) == [.soundDamaged], "\(name)")
        }
        for name in ["data length all ones"] { #expect(try await warnings(name) == [.soundLength], "\(name)") }
        for name in ["not numbers", "infinite"] { #expect(try await warnings(name) == [.soundSamples], "\(name)") }
        #expect(try await warnings("huge").isEmpty)
        // Samples that are not numbers are silent; infinite samples have the maximum value.
        let silent = try await peaks(try #require(sounds["not numbers"]))
        #expect(silent[.mix, 3] == Peaks.Peak(lowest: 0, highest: 0))
        let loud = try await peaks(try #require(sounds["infinite"]))
        #expect(loud[.mix, 3].lowest == -32768 && loud[.mix, 3].highest == 32767)
        #expect(await failure(try #require(sounds["33 channels"]))?.problemCode == "too-many-channels")
        #expect(await failure(try #require(sounds["no samples"]))?.problemCode == "no-samples")
        #expect(await failure(Data("hello".utf8))?.problemCode == "not-a-sound")
        #expect(await failure(Data()) == .empty)
    }

    @Test func limits() async throws {
        let data = HostileSounds.good
        #expect(await failure(data) { $0.limits.soundSeconds = 0.00001 }?.problemCode == "sound-too-long")
        guard case .overLimit(let excess)? = await failure(data, { $0.limits.budget.documentBytes = 100 }) else {
            Issue.record("no limit of bytes")
            return
        }
        #expect(excess.limit == .inputBytes)
        guard case .tooManyPixels? = await failure(data, { $0.limits.budget.pixels = 100 }) else {
            Issue.record("no limit of pixels")
            return
        }
        #expect(await failure(data) { $0.style.from = 100 }?.problemCode == "no-such-part")
        let wild: [(inout Waveform) -> Void] = [
            { $0.style.width = .max }, { $0.style.height = -3 }, { $0.scale = .nan }, { $0.scale = .infinity },
            { $0.style.barWidth = 0 }, { $0.style.barGap = .nan }, { $0.style.from = .infinity },
            { $0.style.to = .nan },
            { $0.style.markers = [.nan, .infinity, -.infinity, 1e300] }, { $0.style.played = .infinity },
            { $0.style.regions = [.init(from: .nan, to: 1), .init(from: -.infinity, to: .infinity)] },
            { ($0.style.from, $0.style.to, $0.style.showsAxis) = (0, 1e-300, true) },
            { ($0.style.from, $0.style.to, $0.style.showsAxis) = (0.5, 0.500000001, true) },
            { ($0.style.to, $0.style.showsAxis) = (9e8, true) }, { $0.framesPerPeak = .min },
            { $0.framesPerPeak = .max },
            { ($0.style.barWidth, $0.style.barGap) = (1e-300, 0) },
            { ($0.style.height, $0.style.showsAxis) = (1, true) },
            { ($0.style.minimumHeight, $0.style.lineWidth, $0.style.shape) = (9e8, 9e8, .line) },
            { $0.style.barRadius = 9e8 }, { $0.limits.soundSeconds = .nan }, { $0.limits.budget.memory = 0 },
        ]
        for change in wild { _ = await failure(data, change) }
        for change in wild {
            _ = await failure(data) { request in
                request.medium = .vector()
                change(&request)
            }
        }
        #expect(await failure(data) == nil)
    }

    @Test(arguments: Seed.some(4)) func changedFilesCostOneResult(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let good = HostileSounds.good
        let expected = try await peaks(good)
        for type in ["wav", "flac", "ogg", "opus", "mp3", "aiff", "caf", "w64"] {
            let file = type == "wav" ? good : try converted(good, to: type)
            for _ in 0..<6 {
                var changed = file
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                let error = await failure(changed) { $0.limits.budget.seconds = 600 }
                if case .unusable? = error { continue }
                #expect(error == nil, "\(type)")
            }
        }
        #expect(try await peaks(good) == expected)
    }
}
