import Foundation

/// The movements of the bench. They imitate a hand: wheel and flings, in both directions, with rests for reading.
struct ScrollScript {
    enum Part: Equatable {
        /// Steps of a wheel, `rate` a second. The direction is 1 for down and -1 for up.
        case wheel(direction: Double, rate: Double)
        /// A movement that starts with this velocity, GTK px a second, and slows down.
        case fling(velocity: Double)
        case rest
    }

    /// A part and its duration, seconds.
    typealias Step = (duration: Double, part: Part)

    /// The whole script takes 20 seconds; it is repeated for a longer time, and cut off for a shorter one.
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

    /// The part at a time, seconds from the start; nil after the end.
    func part(at time: Double) -> (index: Int, part: Part)? {
        var end = 0.0
        for (index, step) in steps.enumerated() {
            end += step.duration
            if time < end { return (index, step.part) }
        }
        return nil
    }

    /// The distance from the start at a time, GTK px.
    ///
    /// - Parameter step: GTK px of one step of the wheel.
    func distance(at time: Double, wheelStep step: Double) -> Double {
        var (start, sum) = (0.0, 0.0)
        for (duration, part) in steps where time > start {
            let passed = min(time - start, duration)
            switch part {
            case .wheel(let direction, let rate): sum += direction * step * (passed * rate).rounded(.down)
            // GTK's own formula: the speed falls by a factor of e in a quarter of a second.
            case .fling(let velocity): sum += velocity * 0.25 * (1 - exp(-passed / 0.25))
            case .rest: break
            }
            start += duration
        }
        return sum
    }
}
