import Offstage
import Synchronization

/// Measures the duration of drawings, to advise clients when to try again.
final class DrawingPace: Sendable {
    /// The mean seconds of a drawing. Each new one counts an eighth, so that the mean follows the current load.
    private let mean = Mutex<Double?>(nil)

    func note(_ duration: Duration) {
        let seconds = duration / .seconds(1)
        mean.withLock { $0 = $0.map { $0 + (seconds - $0) / 8 } ?? seconds }
    }

    /// The whole seconds until the waiting drawings are finished, from 1 to 300.
    ///
    /// - Parameter width: the number of drawings at the same time.
    func seconds(toDraw waiting: Int, width: Int) -> Int {
        guard let mean = mean.withLock({ $0 }) else { return 1 }
        return Int(min(max((Double(waiting) * mean / Double(max(width, 1))).rounded(.up), 1), 300))
    }
}
