/// Limits the number of drawings that run beside a host's frames, depending on how late the frames are. A pure value,
/// without clocks and timers.
///
/// Drawings use the processors that the host's frames need. While something moves, all drawings may run as long as
/// frames are on time, one drawing after a frame that was nearly late, and none for a while after a late frame. If no
/// drawing ran beside a late frame, drawings were not the cause: the frame only shows the cost of the host's own work
/// and of other programs.
public struct FrameGovernor: Sendable {
    /// The number of drawings that may run.
    public enum Allowance: Sendable, Hashable { case none, one, all }

    /// The thresholds: how much later a frame is than frames without drawings. A frame's lateness is the time between
    /// when it was due and when it was painted.
    public struct Times: Sendable, Hashable {
        /// After a frame that is this late, one drawing may run at a time. Default 3 ms.
        public var tight: Duration
        /// After a frame that is this late, no drawing may start. Default 5 ms: a third of a frame at 60 Hz.
        public var late: Duration
        /// The time without drawings, and then the time with one drawing. Default 150 ms.
        public var pause: Duration

        public init(
            tight: Duration = .milliseconds(3), late: Duration = .milliseconds(5), pause: Duration = .milliseconds(150)
        ) {
            self.tight = tight
            self.late = late
            self.pause = pause
        }
    }

    public let times: Times
    /// The lateness of frames without drawings, on average; at most `mostUsual`.
    public private(set) var usual = Duration.zero
    /// The upper limit: frames have to be on time even if the host's own work or other programs delay them, for which
    /// the rest of the 16.7 ms is reserved.
    private static let mostUsual = Duration.milliseconds(6)
    public private(set) var allowance = Allowance.all
    /// The time at which the allowance rises unless another frame is late; nil while everything is allowed.
    public private(set) var nextChange: ContinuousClock.Instant?

    public init(times: Times = Times()) { self.times = times }

    /// Notes a frame that was painted while something moves.
    ///
    /// - Parameters:
    ///   - late: the time between when the frame was due and when it was painted.
    ///   - isDrawing: true if a drawing ran since the last frame.
    ///   - now: the time at which the frame was painted.
    public mutating func noteFrame(late: Duration, isDrawing: Bool, at now: ContinuousClock.Instant) {
        update(at: now)
        if !isDrawing {
            usual = min(usual + (late - usual) / 8, Self.mostUsual)
        } else if late >= usual + times.late {
            set(.none, at: now)
        } else if late >= usual + times.tight, allowance != .none {
            set(.one, at: now)
        }
    }

    /// Raises the allowance if its time has come.
    public mutating func update(at now: ContinuousClock.Instant) {
        while let change = nextChange, change <= now {
            if allowance == .none { set(.one, at: change) } else { rest() }
        }
    }

    /// Allows everything, because nothing moves.
    public mutating func rest() { (allowance, nextChange) = (.all, nil) }

    private mutating func set(_ allowance: Allowance, at now: ContinuousClock.Instant) {
        self.allowance = allowance
        nextChange = now.advanced(by: times.pause)
    }
}
