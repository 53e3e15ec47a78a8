import Foundation

/// How the bench scrolls: as a hand does, with a wheel and with flings, both ways, and with rests to read in.
struct ScrollScript {
    enum Part: Equatable {
        /// A wheel's steps, `rate` a second. Downwards where the direction is 1, upwards where it is -1.
        case wheel(direction: Double, rate: Double)
        /// It begins with so many px a second, and gets slower.
        case fling(velocity: Double)
        case rest
    }

    /// Seconds, and what happens in them.
    typealias Step = (duration: Double, part: Part)

    /// The whole of it takes 20 seconds; for longer it begins again, for less it is cut off.
    static func standard(seconds: Double) -> ScrollScript {
        var (steps, rest) = ([Step](), seconds)
        while rest > 0 {
            for step in round.steps where rest > 0 {
                steps.append((min(step.duration, rest), step.part))
                rest -= step.duration
            }
        }
        return ScrollScript(steps)
    }

    private static let round = ScrollScript(
        [
            (1.0, .rest), (1.8, .wheel(direction: 1, rate: 10)), (0.9, .rest), (1.1, .fling(velocity: 6_000)),
            (0.9, .rest),
        ]
            + repeated(3, (0.5, .fling(velocity: 14_000))) + [
                (1.0, .rest), (1.6, .wheel(direction: -1, rate: 15)), (0.9, .rest),
            ]
            + repeated(4, (0.4, .fling(velocity: 20_000))) + [(1.0, .rest)]
            + repeated(2, (0.6, .fling(velocity: -14_000))) + [
                (1.0, .rest), (1.2, .wheel(direction: 1, rate: 25)), (0.9, .rest),
            ]
            + [(1.1, .fling(velocity: 30_000)), (1.4, .rest)])

    private static func repeated(_ count: Int, _ step: Step) -> [Step] { Array(repeating: step, count: count) }

    let steps: [Step]

    init(_ steps: [Step]) { self.steps = steps }

    var duration: Double { steps.reduce(0) { $0 + $1.duration } }

    /// What happens at a time, seconds from the start; nil after the end.
    func part(at time: Double) -> (index: Int, part: Part)? {
        var end = 0.0
        for (index, step) in steps.enumerated() {
            end += step.duration
            if time < end { return (index, step.part) }
        }
        return nil
    }

    /// How far it has gone by a time, px from where it began.
    ///
    /// - Parameter step: px of a wheel's step.
    func distance(at time: Double, wheelStep step: Double) -> Double {
        var (start, sum) = (0.0, 0.0)
        for (duration, part) in steps where time > start {
            let passed = min(time - start, duration)
            switch part {
            case .wheel(let direction, let rate): sum += direction * step * (passed * rate).rounded(.down)
            // GTK's own: speed falls by e in a quarter of a second.
            case .fling(let velocity): sum += velocity * 0.25 * (1 - exp(-passed / 0.25))
            case .rest: break
            }
            start += duration
        }
        return sum
    }
}
