import Offstage
import Synchronization

/// How long drawings take here, to tell those who have to wait when to ask again.
final class DrawingPace: Sendable {
    /// Seconds of a drawing: a mean in which each one counts an eighth, so that it follows what is drawn now.
    private let mean = Mutex<Double?>(nil)

    func note(_ duration: Duration) {
        let seconds = duration / .seconds(1)
        mean.withLock { $0 = $0.map { $0 + (seconds - $0) / 8 } ?? seconds }
    }

    /// Seconds until what waits now is drawn, whole ones from 1 to 300.
    ///
    /// - Parameter width: how many are drawn at once.
    func seconds(toDraw waiting: Int, width: Int) -> Int {
        guard let mean = mean.withLock({ $0 }) else { return 1 }
        return Int(min(max((Double(waiting) * mean / Double(max(width, 1))).rounded(.up), 1), 300))
    }
}
