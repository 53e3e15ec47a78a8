import CWebKitGTK
import Offstage

/// What ends a wait for WebKit's answer other than the answer.
enum Interruption: Error {
    /// WebKit answered with an error, in its words.
    case failed(String)
    /// The drawing's deadline passed; the view still works.
    case deadline
    /// The display that the view is on was lost.
    case displayLost(EngineUnavailable)
    /// The web process ended.
    case crashed
    /// The web process gives no answer any more.
    case hung
    /// The web process has more memory than it may, and was ended.
    case overMemory(LimitExcess)
}

/// The answer of one asynchronous call into WebKit, which one task awaits. The first to come counts; later ones, such as
/// an answer after the deadline, are dropped.
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

    /// This object as a callback's `user_data`, which keeps it alive until `take`.
    func retained() -> gpointer { Unmanaged.passRetained(self).toOpaque() }

    /// The object behind a callback's `user_data`; once a callback.
    static func take(_ data: gpointer?) -> Reply { Unmanaged<Reply>.fromOpaque(data!).takeRetainedValue() }
}
