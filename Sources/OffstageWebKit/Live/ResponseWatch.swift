import CWebKitGTK
import OffstageGLib

/// Asks a web process again and again whether it still answers, while somebody looks at what it shows.
///
/// WebKit's own word on that, `is-web-process-responsive`, comes only where the user's input gets no answer.
@MainActor
final class ResponseWatch {
    private var timer: LoopTimer?
    /// The question that has no answer yet.
    private var question: Reply<String>?
    /// Seconds for which it has had none: in turns of this loop, so that a host which holds the loop up does not count.
    private var waited = 0.0

    /// - Parameters:
    ///   - view: there until `stop`.
    ///   - grace: seconds that an answer may take.
    ///   - report: called once none has come in that time, unless stopped.
    func start(_ view: UnsafeMutablePointer<WebKitWebView>, grace: Double, report: @escaping () -> Void) {
        stop()
        let interval = min(1, max(0.05, grace))
        timer = LoopTimer(seconds: interval, repeats: true, urgency: .frames) { [weak self] in
            guard let self else { return }
            if question == nil { return ask(view) }
            waited += interval
            if waited < grace { return }
            stop()
            report()
        }
    }

    private func ask(_ view: UnsafeMutablePointer<WebKitWebView>) {
        waited = 0
        let reply = Reply<String>()
        question = reply
        // Now, and not from the task: by then the view may be gone.
        ScriptWorld.evaluate("return ''", in: view, reply)
        Task { [weak self] in
            _ = await reply.wait {}
            if let self, question === reply { question = nil }
        }
    }

    isolated deinit { stop() }

    func stop() {
        timer = nil
        question?.give(.failure(.crashed))
        question = nil
    }
}
