import XCTest

@testable import OffstageGTK
@testable import OffstageSound

/// A waveform while its sound is decoded.
final class PartialWaveformTests: XCTestCase {
    func testThePeaksSoFarAreShownWhileTheSoundIsDecoded() {
        onMain {
            // Long enough for several peaks per px, so that the rest of the picture needs no finer peaks.
            let whole = WaveformBench(seconds: 200)
            XCTAssert(whole.pumpUntilComplete())
            let wanted = whole.wholeScreens().unplayed
            var peaks: Peaks?
            let (engine, waveform) = (whole.engine, whole.view.waveform)
            Task { peaks = try await engine.peaks(of: waveform).peaks }
            XCTAssert(pump { peaks != nil })
            guard let peaks else { return }
            whole.close()

            let bench = WaveformBench(seconds: 200)
            bench.view.renderer.isSuspended = true
            XCTAssert(pump { bench.view.width > 1 && bench.view.height > 1 })
            bench.settle()
            let blank = bench.screen
            // What a worker reports halfway through the file.
            let half = Peaks(
                rate: peaks.rate, channels: peaks.channels, framesPerPeak: peaks.framesPerPeak,
                records: peaks.records.prefix(peaks.records.count / peaks.count * (peaks.count / 2)))
            let share = Double(half.count * half.framesPerPeak) / Double(half.rate) / 200
            bench.engine.decoding.tell(("another#1", SoundProgress(share: 1, peaks: peaks)))
            bench.engine.decoding.tell(("sound#1", SoundProgress(share: share, peaks: half)))
            XCTAssert(pump { bench.screen.differences(to: blank) > 0 }, "nothing is shown")
            bench.settle()
            let screen = bench.screen
            func isEqual(_ columns: Range<Int>) -> Bool {
                columns.allSatisfy { x in (0..<screen.height).allSatisfy { screen[x, $0] == wanted[x, $0] } }
            }
            XCTAssert(isEqual(0..<screen.width / 2 - 8))
            XCTAssertFalse(isEqual(screen.width / 2 + 8..<screen.width))

            bench.view.renderer.isSuspended = false
            XCTAssert(bench.pumpUntilComplete())
            XCTAssertEqual(bench.wholeScreens().unplayed.differences(to: wanted), 0)
            bench.close()
        }
    }
}
