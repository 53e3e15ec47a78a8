import CWebKitGTK
import Foundation
import OffstageGLib

/// What the page's scripts may want of a browser's user: nothing of it opens, and nothing waits for an answer.
extension WebStage {
    func connectScriptSignals() {
        ScriptRequests.refuse(of: view)
        webkit_user_content_manager_register_script_message_handler(scripts.pointer, "offstage")
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
            "script-message-received::offstage", of: scripts.pointer, unsafeBitCast(message, to: GCallback.self),
            to: self)
    }

    /// Its documents have left steps of history, with what they put into them. A document that comes to a view by its bytes adds
    /// none of its own and finds what the one before left.
    var hasHistory: Bool {
        kind.runsScripts && webkit_back_forward_list_get_length(webkit_web_view_get_back_forward_list(view)) > 1
    }

    /// A message has come; nothing is done for those that would not be kept.
    private func listens() -> Bool {
        guard let scene else { return false }
        if !scene.messages.admit() {
            end(.failed("its scripts sent more messages than a page has reason to"))
            // So that those that have come by now are not delivered, one after the other.
            webkit_web_view_terminate_web_process(view)
            return false
        }
        return !scene.messages.isFull
    }

    /// A message that is late, from a document before, is dropped.
    private func received(_ json: String) {
        guard let scene, let message = ScriptMessages.Message(json: json), message.url.hasPrefix(scene.url) else {
            return
        }
        scene.messages.add(message) { scene.shown($0) }
    }
}
