import CWebKitGTK
import OffstageGLib

/// Offstage's own script world in every document.
@MainActor
enum ScriptWorld {
    /// Runs a function's body in Offstage's script world. The function must return a string.
    ///
    /// - Parameter text: The value of the function's argument `text`. Nil for no argument.
    static func evaluate(
        _ body: String, text: String? = nil, in view: UnsafeMutablePointer<WebKitWebView>, _ reply: Reply<String>
    ) {
        // WebKit reads the arguments during the call and does not take ownership.
        let arguments = text.map { text -> OpaquePointer? in
            var entry = g_variant_new_dict_entry(
                g_variant_new_string("text"), g_variant_new_variant(g_variant_new_string(text)))
            return g_variant_ref_sink(g_variant_new_array(nil, &entry, 1))
        }
        defer { if let arguments { g_variant_unref(arguments) } }
        webkit_web_view_call_async_javascript_function(
            view, body, gssize(body.utf8.count), arguments ?? nil, Readiness.world, nil, nil,
            { view, result, data in
                onMainActor((view, result, data)) { view, result, data in
                    var error: UnsafeMutablePointer<GError>?
                    let value = webkit_web_view_call_async_javascript_function_finish(
                        view.map { cast($0) }, result, &error)
                    let reply = Reply<String>.take(data)
                    guard let value else { return reply.give(.failure(.failed(takeMessage(error)))) }
                    defer { g_object_unref(value) }
                    let text = jsc_value_to_string(value)!
                    defer { g_free(text) }
                    reply.give(.success(String(cString: text)))
                }
            }, reply.retained())
    }
}
