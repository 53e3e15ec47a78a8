import CWebKitGTK
import Offstage

/// The reasons why a wait for WebKit's answer can end without one.
enum Interruption: Error {
    /// WebKit answered with an error. The value is its message.
    case failed(String)
    /// The drawing's deadline passed. The view still works.
    case deadline
    /// The view can draw nothing more.
    case lost(ProcessLoss.Cause)
}

/// The answer to one asynchronous WebKit call, awaited by one task. The first outcome counts; later ones, such as an answer
/// after the deadline, are dropped.
@MainActor
final class Reply<Value> {
    typealias Outcome = Result<Value, Interruption>

    private var waiting: CheckedContinuation<Void, Never>?
    private var outcome: Outcome?

    /// Starts the call and waits for its outcome.
    func wait(_ start: () -> Void) async -> Outcome {
        start()
        if outcome == nil { await withCheckedContinuation { waiting = $0 } }
        return outcome!
    }

    func give(_ outcome: Outcome) {
        if self.outcome != nil { return }
        self.outcome = outcome
        waiting?.resume()
        waiting = nil
    }

    /// This object as a callback's `user_data`. It stays alive until `take`.
    func retained() -> gpointer { Unmanaged.passRetained(self).toOpaque() }

    /// The object in a callback's `user_data`. Call it once per callback.
    static func take(_ data: gpointer?) -> Reply { Unmanaged<Reply>.fromOpaque(data!).takeRetainedValue() }
}
