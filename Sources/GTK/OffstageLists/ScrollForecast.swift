import Foundation

/// Predicts how far something that scrolls will go, from its latest movements. A pure value, without clocks and timers.
///
/// Distances are in px, but a host can also use items or pages.
public struct ScrollForecast: Sendable {
    /// The kind of a movement, which determines how it continues.
    public enum Movement: Sendable, Hashable {
        case rest
        /// One long step: a key, a search, a program.
        case jump
        /// Steps with pauses between them: a mouse wheel, a held key.
        case wheel
        /// In every frame: kinetic scrolling, a touchpad, an animation.
        case glide
        /// A button or a finger is down: the scroll bar.
        case drag

        /// The time after which the speed has fallen to 1/e, seconds. For a glide, GTK's own value. The others are
        /// rules of thumb: a hand on the wheel continues for a moment, and a hand on the scroll bar stops soon.
        fileprivate var decay: Double {
            switch self {
            case .rest, .jump: 0
            case .wheel: 0.2
            case .glide: 0.25
            case .drag: 0.1
            }
        }
    }

    /// The latest movement.
    public private(set) var movement = Movement.rest
    /// True if the next frames are expected to move too. A jump ends with its first frame.
    package var isOngoing: Bool { movement != .rest && movement != .jump }
    /// Px per second; negative backwards.
    public private(set) var velocity = 0.0
    /// The movements within `memory`, oldest first, each with its time and the sum of all movements up to it.
    private var samples: [(time: ContinuousClock.Instant, sum: Double)] = []

    /// Older movements do not count.
    private static let memory = Duration.milliseconds(200)
    /// The velocity of a glide or a drag changes, so it is measured over this time only.
    private static let recent = Duration.milliseconds(60)
    /// If steps are further apart than this, the movement comes from a wheel: a frame and a half at 60 Hz.
    private static let step = Duration.milliseconds(25)

    public init() {}

    /// Notes a movement. Call it in each frame that has one.
    ///
    /// - Parameters:
    ///   - distance: px, since the last movement; negative backwards.
    ///   - page: the height of the screen, px. After a rest, a step over more than one and a half screens is a jump.
    ///   - isHeld: true while a button or a finger is down.
    ///   - now: the time of the frame.
    public mutating func note(_ distance: Double, page: Double, isHeld: Bool, at now: ContinuousClock.Instant) {
        let sum = (samples.last?.sum ?? 0) + distance
        samples.removeAll { $0.time.duration(to: now) > Self.memory }
        if samples.isEmpty {
            movement = isHeld ? .drag : abs(distance) > 1.5 * page ? .jump : .glide
            // A single step has no velocity yet. Assume that it took a frame at 60 Hz, which is right for a glide.
            velocity = movement == .jump ? 0 : distance * 60
        } else {
            let time = samples[0].time.duration(to: now)
            movement = isHeld ? .drag : time > Self.step * samples.count ? .wheel : .glide
            let first =
                movement == .wheel
                ? samples[0] : samples.first { $0.time.duration(to: now) <= Self.recent } ?? samples.last!
            velocity = (sum - first.sum) / max(first.time.duration(to: now) / .seconds(1), 1 / 240)
        }
        samples.append((now, sum))
    }

    /// Notes that all movement has stopped.
    public mutating func rest() {
        samples = []
        (movement, velocity) = (.rest, 0)
    }

    /// The distance that the movement will cover in a given time (in seconds) if it continues as usual for its kind.
    public func distance(in seconds: Double) -> Double {
        let decay = movement.decay
        return decay > 0 ? velocity * decay * (1 - exp(-seconds / decay)) : 0
    }

    /// The velocity after a given time, px per second.
    public func velocity(after seconds: Double) -> Double {
        let decay = movement.decay
        return decay > 0 ? velocity * exp(-seconds / decay) : 0
    }
}
