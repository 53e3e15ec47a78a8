import CWebKitGTK

/// Asks a web process again and again whether it still answers, while somebody looks at what it shows.
///
/// WebKit's own word on that, `is-web-process-responsive`, comes only where the user's input gets no answer.
@MainActor
final class ResponseWatch {
    private var source: guint = 0
    private var ask: (() -> Void)?
    /// The question that has no answer yet.
    private var question: Reply<String>?
    /// Seconds for which it has had none: in turns of this loop, so that a host which holds the loop up does not count.
    private var waited = 0.0

    /// - Parameters:
    ///   - grace: seconds that an answer may take.
    ///   - report: called once none has come in that time, unless stopped.
    func start(_ view: UnsafeMutablePointer<WebKitWebView>, grace: Double, report: @escaping () -> Void) {
        stop()
        let interval = min(1, max(0.05, grace))
        ask = { [unowned self] in
            if question != nil {
                waited += interval
                if waited < grace { return }
                stop()
                return report()
            }
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
        source = g_timeout_add(
            guint(interval * 1000),
            { data in
                onMainActor(data!) { object($0, as: ResponseWatch.self).ask?() }
                return 1  // G_SOURCE_CONTINUE
            }, unretained(self))
    }

    func stop() {
        if source != 0 { g_source_remove(source) }
        source = 0
        ask = nil
        question?.give(.failure(.crashed))
        question = nil
    }
}
