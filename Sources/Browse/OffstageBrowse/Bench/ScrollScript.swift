import Foundation
import OffstageCommandLine

/// The movements of the bench, with rests for reading.
struct ScrollScript {
    enum Part: Equatable {
        /// Steps of a wheel, `rate` a second. The direction is 1 for down and -1 for up.
        case wheel(direction: Double, rate: Double)
        /// A movement that starts with this velocity, GTK px a second, and slows down.
        case fling(velocity: Double)
        /// A drag of the scroll bar over this distance, GTK px: it speeds up, slows down, and is most precise at its
        /// end.
        case drag(distance: Double)
        case rest
    }

    /// A part and its duration, seconds.
    typealias Step = (duration: Double, part: Part)

    /// A script of a duration: repeated for a longer time, and cut off for a shorter one.
    init(_ name: BrowseRun.Script, seconds: Double) {
        let round = name == .sweep ? Self.sweep : Self.people
        var (steps, rest) = ([Step](), seconds)
        while rest > 0 {
            for step in round where rest > 0 {
                steps.append((min(step.duration, rest), step.part))
                rest -= step.duration
            }
        }
        self.steps = steps
    }

    /// 20 seconds.
    private static let sweep: [Step] =
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
        + [(1.1, .fling(velocity: 30_000)), (1.4, .rest)]

    /// 60 seconds: reading with the wheel, looking for something by flings, going somewhere else by the scroll bar.
    private static let people: [Step] =
        [(2.0, .rest)]
        + repeated(3, (0.6, .wheel(direction: 1, rate: 8)), pause: 1.6)
        + repeated(2, (0.9, .fling(velocity: 4_000)), pause: 1.2)
        + [(0.4, .wheel(direction: -1, rate: 12)), (2.5, .rest), (1.6, .drag(distance: 40_000)), (2.2, .rest)]
        + repeated(3, (0.5, .wheel(direction: 1, rate: 14)), pause: 1.1)
        + repeated(3, (0.45, .fling(velocity: 12_000))) + [(1.8, .rest)]
        + repeated(2, (0.8, .fling(velocity: -6_000)), pause: 1.4)
        + [(2.0, .drag(distance: 250_000)), (1.5, .rest), (0.7, .drag(distance: -4_000)), (2.0, .rest)]
        + repeated(3, (0.7, .wheel(direction: 1, rate: 10)), pause: 1.5)
        + [(1.0, .fling(velocity: 25_000)), (1.6, .rest), (1.2, .drag(distance: -30_000)), (2.5, .rest)]
        + repeated(2, (1.0, .fling(velocity: 8_000)), pause: 1.5)
        + [(4.05, .rest)]

    /// - Parameter pause: the rest after each, seconds.
    private static func repeated(_ count: Int, _ step: Step, pause: Double = 0) -> [Step] {
        Array(repeating: pause > 0 ? [step, (pause, .rest)] : [step], count: count).flatMap(\.self)
    }

    let steps: [Step]

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
            // The hand is nearly there before the end, and corrects slowly.
            case .drag(let distance): sum += distance * Self.reach(passed / duration)
            case .rest: break
            }
            start += duration
        }
        return sum
    }

    /// The part of a drag's distance after a part of its time: smooth at both ends, the last tenth in the last third.
    private static func reach(_ part: Double) -> Double {
        func smooth(_ part: Double) -> Double { part * part * (3 - 2 * part) }
        return 0.9 * smooth(min(1, part * 1.5)) + 0.1 * smooth(max(0, part * 3 - 2))
    }
}
