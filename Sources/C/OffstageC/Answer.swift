import CGLib
import COffstage
import OffstageRequests

/// The callback of a request, called in the main context of the requesting thread.
///
/// `@unchecked Sendable` because the context may be used from any thread, and the function and its data are only passed
/// to it: they belong to the caller, who receives them there.
final class Answer: @unchecked Sendable {
    private let context: OpaquePointer
    private let body: (Outcome) -> Void
    /// The result for the callback. It is set once, before the context can see it.
    private var outcome: Outcome?

    enum Outcome: Sendable {
        case picture(PictureHandle)
        /// A document with annotations.
        case document(AnnotationRequest.Saved)
        case failure(Failure)
        case finished
    }

    /// - Parameter ready: called once, after `give`.
    convenience init(_ ready: @escaping OffstageReady, _ data: gpointer?) {
        self.init { outcome in
            switch outcome {
            case .picture(let picture):
                // The outcome retains the picture until the call has returned.
                ready(picture.pointer, nil, data)
            case .failure(let failure):
                let error = failure.gError()
                ready(nil, error, data)
                g_error_free(error)
            case .finished, .document: break
            }
        }
    }

    /// - Parameter saved: called once, after `give`.
    convenience init(_ saved: @escaping OffstageSaved, _ data: gpointer?) {
        self.init { outcome in
            switch outcome {
            case .document(let document):
                let bytes = document.data.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
                let leftOut = document.leftOut.joined(separator: "\n")
                leftOut.withCString { saved(bytes, document.leftOut.isEmpty ? nil : $0, nil, data) }
                g_bytes_unref(bytes)
            case .failure(let failure):
                let error = failure.gError()
                saved(nil, nil, error, data)
                g_error_free(error)
            case .finished, .picture: break
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

    /// Call it once, from any thread.
    func give(_ outcome: Outcome) {
        self.outcome = outcome
        let source = g_idle_source_new()
        // The default priority of events, because a caller is waiting for the picture.
        g_source_set_priority(source, G_PRIORITY_DEFAULT)
        g_source_set_callback(
            source,
            { data in
                let answer = Unmanaged<Answer>.fromOpaque(data!).takeUnretainedValue()
                if let outcome = answer.outcome { answer.body(outcome) }
                return 0  // G_SOURCE_REMOVE
            }, Unmanaged.passRetained(self).toOpaque(),
            // Also called if the context is destroyed before the callback runs.
            { Unmanaged<Answer>.fromOpaque($0!).release() })
        g_source_attach(source, context)
        g_source_unref(source)
    }
}
