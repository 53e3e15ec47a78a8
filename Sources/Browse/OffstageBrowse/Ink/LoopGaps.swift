import CGTK
import Foundation
import OffstageGTK
import OffstageWebKit

/// Measures for how long the main loop runs nothing else: the time between two calls of a timer of 1 ms.
@MainActor
final class LoopGaps {
    /// Milliseconds between successive calls.
    private(set) var all: [Double] = []
    /// The same in this thread's processor time, which excludes the time in which other programs had the processor.
    private(set) var processor: [Double] = []
    private var timer: LoopTimer?
    private var last = (wall: 0.0, processor: 0.0)

    init() {
        last = (Self.wall, Self.thread)
        timer = LoopTimer(seconds: 0.001, repeats: true) { [weak self] in self?.note() }
    }

    func stop() {
        note()
        timer = nil
    }

    private func note() {
        let now = (wall: Self.wall, processor: Self.thread)
        all.append(now.wall - last.wall)
        processor.append(now.processor - last.processor)
        last = now
    }

    /// Milliseconds of the monotonic clock.
    nonisolated static var wall: Double { Double(g_get_monotonic_time()) / 1e3 }
    /// Milliseconds of this thread's processor time.
    nonisolated static var thread: Double { milliseconds(CLOCK_THREAD_CPUTIME_ID) }
    /// Milliseconds of this process's processor time.
    nonisolated static var process: Double { milliseconds(CLOCK_PROCESS_CPUTIME_ID) }

    private nonisolated static func milliseconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}

extension [Double] {
    /// The quantile: the value that this fraction of the values does not exceed; 0 without values.
    func part(_ part: Double) -> Double {
        let values = sorted()
        return values.isEmpty ? 0 : values[Int(Double(values.count - 1) * part)]
    }

    var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }
}
