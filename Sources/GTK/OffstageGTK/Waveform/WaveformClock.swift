/// The position of a sound over time: a position, the time at which the sound was there, and the rate since then. It
/// only calculates, and has no timer.
struct WaveformClock: Equatable {
    /// The length of the sound, in seconds.
    private(set) var duration: Double
    private(set) var rate = 0.0
    private var anchor = 0.0
    private var time = 0.0

    init(duration: Double) { self.duration = max(0, duration) }

    /// - Parameter now: seconds of any clock.
    func position(at now: Double) -> Double { min(max(0, anchor + (now - time) * rate), duration) }

    mutating func set(position: Double, rate: Double, at now: Double) {
        (anchor, time) = (min(max(0, position.isNaN ? 0 : position), duration), now)
        self.rate = rate.isFinite ? rate : 0
    }

    mutating func set(duration: Double, at now: Double) {
        let position = position(at: now)
        self.duration = max(0, duration.isFinite ? duration : 0)
        set(position: position, rate: rate, at: now)
    }

    /// The seconds until a position is reached; nil if it will not be reached, because the sound is paused, moves away
    /// from it, or ends earlier.
    func delay(until position: Double, at now: Double) -> Double? {
        let distance = position - self.position(at: now)
        guard rate != 0, position >= 0, position <= duration, distance / rate >= 0 else { return nil }
        return distance / rate
    }
}

/// Converts times to positions on a waveform, in whole device px.
struct WaveformScale: Equatable {
    /// The visible part, seconds.
    var from: Double
    var to: Double
    /// Device px.
    var width: Int

    /// The number of played device px: those left of the position.
    func edge(at position: Double) -> Int {
        guard to > from else { return 0 }
        // A step is due at exactly the time for which the timer was set: rounding must not reduce it by one px.
        return Int(min(max(0, ((position - from) / (to - from) * Double(width) + 1e-6).rounded(.down)), Double(width)))
    }

    /// The position at which this many device px have been played.
    func position(ofEdge edge: Int) -> Double { from + (to - from) * Double(edge) / Double(max(1, width)) }

    /// The position at which the edge moves next.
    ///
    /// - Parameter rate: not 0.
    func change(after edge: Int, rate: Double) -> Double { position(ofEdge: rate > 0 ? edge + 1 : edge) }
}
