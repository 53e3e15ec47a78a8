import Foundation
import Offstage
import OffstageWorkers
import Testing

@testable import OffstageSound

/// Peaks that a sound of the file's size, or of the stated length, cannot have.
struct UntruePeakTests {
    /// A WAV file for `offstage-hostile-worker`.
    private func sound(_ command: String) -> Waveform {
        var request = Waveform(identifier: "sound", sound: Sound(Data("RIFF....WAVE\(command)".utf8)))
        request.limits.budget.seconds = 600
        return request
    }

    private func withEngine<R: Sendable>(_ body: (SoundEngine) async throws -> R) async throws -> R {
        let engine = SoundEngine(SoundSource(program: WorkerProgram("offstage-hostile-worker")), workers: 1)
        do {
            let result = try await body(engine)
            await engine.shutDown()
            return result
        } catch {
            await engine.shutDown()
            throw error
        }
    }

    /// Too many peaks for the file; too many for its channels; more and fewer than its frames allow; peaks of two
    /// sounds.
    @Test(arguments: ["b", "h", "m", "f", "c"]) func untruePeaksAreRefused(command: String) async throws {
        try await withEngine { engine async throws in
            #expect(await failure(sound(command), engine) == "worker-invalid-answer")
            // None of the peaks are in memory.
            #expect(try await engine.stored(sound(command)) == nil)
            #expect(engine.decodings == 0 && engine.continuations == 0)
            #expect(try await engine.peaks(of: sound("t")).peaks.count == 173)
        }
    }

    /// The connection refuses more bytes than the peaks of the file can have, so the host never accepts them.
    @Test func theFileBoundsTheParts() throws {
        func bytes(_ count: Int, _ head: String) throws -> Int {
            let sound = Sound(Data(head.utf8) + Data(count: count))
            return try SoundSource.job(for: sound, framesPerPeak: 256, limits: SoundLimits(), mode: .peaks, track: nil)
                .budget
                .partBytes
        }
        #expect(try bytes(44, "RIFF....WAVE") < 100_000)
        #expect(try bytes(1 << 20, "RIFF....WAVE") < 1 << 27)
        // Silence compresses to almost nothing.
        #expect(try bytes(1 << 20, "fLaC") == 2 << 30)
        let sound = Sound(Data("fLaC".utf8) + Data(count: 1 << 20))
        var limits = SoundLimits()
        limits.soundSeconds = 10
        #expect(SoundBounds(of: sound, .flac, framesPerPeak: 256, limits).bytes(channels: 1) < 100_000)
    }

    private func failure(_ request: Waveform, _ engine: SoundEngine) async -> String? {
        do throws(DrawingError) {
            _ = try await engine.peaks(of: request)
            return nil
        } catch { return error.problemCode }
    }
}
