import COffstage
import CWebKitGTK

/// What is called when a request has ended, and where: in the main context of who asked.
///
/// `@unchecked Sendable` because the context may be used from any thread, and the function and its data are only handed on to
/// it: they are the caller's, who gets them back there.
final class Answer: @unchecked Sendable {
    private let context: OpaquePointer
    private let body: (Outcome) -> Void
    /// What the call tells; set once, before the context gets to see it.
    private var outcome: Outcome?

    enum Outcome: Sendable {
        case picture(PictureHandle)
        case failure(Failure)
        case finished
    }

    /// - Parameter ready: called once, after `give`.
    convenience init(_ ready: @escaping OffstageReady, _ data: gpointer?) {
        self.init { outcome in
            switch outcome {
            case .picture(let picture):
                // Held by the outcome until the call has returned.
                ready(picture.pointer, nil, data)
            case .failure(let failure):
                let error = failure.gError()
                ready(nil, error, data)
                g_error_free(error)
            case .finished: break
            }
        }
    }

    convenience init(_ finished: @escaping OffstageFinished, _ data: gpointer?) {
        self.init { _ in finished(data) }
    }

    private init(_ body: @escaping (Outcome) -> Void) {
        context = g_main_context_ref_thread_default()
        self.body = body
    }

    deinit { g_main_context_unref(context) }

    /// From any thread, once.
    func give(_ outcome: Outcome) {
        self.outcome = outcome
        let source = g_idle_source_new()
        // As urgent as other events: a picture has been waited for.
        g_source_set_priority(source, G_PRIORITY_DEFAULT)
        g_source_set_callback(
            source,
            { data in
                let answer = Unmanaged<Answer>.fromOpaque(data!).takeUnretainedValue()
                if let outcome = answer.outcome { answer.body(outcome) }
                return 0  // G_SOURCE_REMOVE
            }, Unmanaged.passRetained(self).toOpaque(),
            // Also where the context ends before it comes to the call.
            { Unmanaged<Answer>.fromOpaque($0!).release() })
        g_source_attach(source, context)
        g_source_unref(source)
    }
}
