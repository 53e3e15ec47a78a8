import Foundation

/// Turns the samples of a device into points of a stroke: removes the hand's tremor, and predicts the pen's position.
///
/// A point that was returned never changes. The first and the last sample are exact.
public struct InkModeler: Sendable {
    /// 0: the samples unchanged. 1: the line follows the pen slowly.
    public let stabilizer: Float
    private var samples: [InkPoint] = []
    private var position: InkPoint?
    private var speed: (x: Float, y: Float) = (0, 0)

    /// Makes a modeler for one stroke.
    ///
    /// - Parameter stabilizer: 0 to 1.
    public init(stabilizer: Float = 0) { self.stabilizer = min(max(stabilizer, 0), 1) }

    /// Adds a sample.
    ///
    /// - Returns: the point to append to the stroke; nil for a sample without new information, or without a valid
    ///   position.
    public mutating func add(_ sample: InkPoint) -> InkPoint? {
        guard sample.x.isFinite, sample.y.isFinite, sample.pressure.isFinite, sample.time.isFinite else { return nil }
        if let last = samples.last, last.x == sample.x, last.y == sample.y, abs(last.pressure - sample.pressure) < 0.02
        {
            return nil
        }
        let seconds = samples.last.map { min(max(sample.time - $0.time, 0.0005), 0.1) } ?? 0
        samples.append(sample)
        if samples.count > 8 { samples.removeFirst() }
        guard stabilizer > 0, var position else {
            position = sample
            return sample
        }
        // A mass on a spring behind the pen, with drag. Computed in small steps, so that it is stable at any sample
        // rate.
        let (spring, drag) = (
            30 + 3_000 * (1 - stabilizer) * (1 - stabilizer),
            2 * (30 + 3_000 * (1 - stabilizer) * (1 - stabilizer)).squareRoot()
        )
        let steps = max(1, Int((seconds / 0.002).rounded(.up)))
        for _ in 0..<steps {
            let step = seconds / Float(steps)
            speed.x += ((sample.x - position.x) * spring - speed.x * drag) * step
            speed.y += ((sample.y - position.y) * spring - speed.y * drag) * step
            position.x += speed.x * step
            position.y += speed.y * step
        }
        (position.pressure, position.tilt, position.azimuth) = (sample.pressure, sample.tilt, sample.azimuth)
        position.time = sample.time
        self.position = position
        return position
    }

    /// The last sample, if the line has not reached it.
    public mutating func finish() -> InkPoint? {
        guard let last = samples.last, let position, position.x != last.x || position.y != last.y else { return nil }
        return last
    }

    /// The pen's predicted next points. Draw them, but never store them.
    ///
    /// - Parameter seconds: from the last sample. Default 0.016, a frame.
    /// - Returns: a point; empty if the pen is slow or turning.
    public func prediction(after seconds: Float = 0.016) -> [InkPoint] {
        guard samples.count >= 4, let last = samples.last, stabilizer == 0 else { return [] }
        let (old, middle) = (samples[samples.count - 4], samples[samples.count - 2])
        let (whole, recent) = (last.time - old.time, last.time - middle.time)
        guard whole > 0.001, recent > 0 else { return [] }
        let (vx, vy) = ((last.x - old.x) / whole, (last.y - old.y) / whole)
        let (wx, wy) = ((last.x - middle.x) / recent, (last.y - middle.y) / recent)
        let (length, other) = ((vx * vx + vy * vy).squareRoot(), (wx * wx + wy * wy).squareRoot())
        // Points per second.
        guard length > 40, vx * wx + vy * wy > 0.8 * length * other else { return [] }
        var point = last
        let reach = min(seconds * length, 24) / length
        point.x += vx * reach
        point.y += vy * reach
        point.time += seconds
        return [point]
    }
}
