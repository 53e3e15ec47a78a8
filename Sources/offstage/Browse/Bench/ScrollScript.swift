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

    /// 20 seconds.
    static let standard = ScrollScript([
        (1.0, .rest), (2.0, .wheel(direction: 1, rate: 10)), (1.0, .rest), (2.5, .fling(velocity: 4_000)), (1.0, .rest),
        (2.5, .fling(velocity: 12_000)), (1.0, .rest), (2.0, .wheel(direction: -1, rate: 15)), (1.0, .rest),
        (2.5, .fling(velocity: -8_000)), (1.0, .rest), (1.5, .wheel(direction: 1, rate: 25)), (1.0, .rest),
    ])

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
