import CWebKitGTK
import OffstageGLib

/// Repeatedly checks that a web process still answers while a user looks at its view.
///
/// WebKit's own property `is-web-process-responsive` changes only if user input is not answered.
@MainActor
final class ResponseWatch {
    private var timer: LoopTimer?
    /// The question that has not been answered yet.
    private var question: Reply<String>?
    /// The time since the question was asked, in seconds. Counted in turns of the main loop, so that
    /// time in which the host blocks the loop does not count.
    private var waited = 0.0

    /// - Parameters:
    ///   - view: Must stay alive until `stop`.
    ///   - grace: Seconds within which an answer must arrive.
    ///   - report: Called if no answer arrives in that time, unless the watch was stopped.
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
        // Call it here rather than in the task: the view may be gone when the task runs.
        ScriptWorld.evaluate("return ''", in: view, reply)
        Task { [weak self] in
            _ = await reply.wait {}
            if let self, question === reply { question = nil }
        }
    }

    isolated deinit { stop() }

    func stop() {
        timer = nil
        question?.give(.failure(.lost(.crashed)))
        question = nil
    }
}
