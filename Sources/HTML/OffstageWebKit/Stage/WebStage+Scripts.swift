import CWebKitGTK
import Foundation
import OffstageGLib

/// Rejects all requests that page scripts make to a browser's user. No script waits for an answer.
extension WebStage {
    func connectScriptSignals() {
        ScriptRequests.refuse(of: view)
        webkit_user_content_manager_register_script_message_handler(hidden.scripts.pointer, "offstage")
        let message: @convention(c) (UnsafeMutableRawPointer, OpaquePointer, gpointer) -> Void = {
            _, result, data in
            onMainActor((result, data)) { result, data in
                guard let stage = receiver(data, as: WebStage.self), stage.listens() else { return }
                let text = jsc_value_to_string(webkit_javascript_result_get_js_value(result))!
                defer { g_free(text) }
                stage.received(String(cString: text))
            }
        }
        handlers.connect(
            "script-message-received::offstage", of: hidden.scripts.pointer, unsafeBitCast(message, to: GCallback.self),
            to: self)
    }

    /// True if the documents have left history entries, which may contain data. A document that is loaded from bytes
    /// adds no entry, and can read those of the previous document.
    var hasHistory: Bool {
        kind.runsScripts && webkit_back_forward_list_get_length(webkit_web_view_get_back_forward_list(view)) > 1
    }

    /// Counts a message that has arrived.
    ///
    /// - Returns: true to read it.
    private func listens() -> Bool {
        guard let scene else { return false }
        if !scene.messages.admit() {
            end(.misbehaved("the document's scripts sent too many messages"))
            // WebKit then no longer delivers the pending messages one at a time.
            webkit_web_view_terminate_web_process(view)
            return false
        }
        return !scene.messages.isFull
    }

    /// Drops a late message from an earlier document.
    private func received(_ json: String) {
        guard let scene, let message = ScriptMessages.Message(json: json), message.url.hasPrefix(scene.url) else {
            return
        }
        scene.messages.add(message) { scene.shown($0) }
    }
}
