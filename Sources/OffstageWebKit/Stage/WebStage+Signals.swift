import CWebKitGTK
import Foundation

extension WebStage {
    /// The handlers hold the stage unretained; `close` disconnects them.
    func connectSignals() {
        if kind.runsScripts { connectScriptSignals() }
        let loadChanged: @convention(c) (UnsafeMutableRawPointer, WebKitLoadEvent, gpointer) -> Void = {
            _, event, data in
            onMainActor(data) { object($0, as: WebStage.self).loadChanged(event) }
        }
        connect("load-changed", unsafeBitCast(loadChanged, to: GCallback.self))

        let ended: @convention(c) (UnsafeMutableRawPointer, WebKitWebProcessTerminationReason, gpointer) -> Void = {
            onMainActor($2) { object($0, as: WebStage.self).webProcessEnded() }
        }
        connect("web-process-terminated", unsafeBitCast(ended, to: GCallback.self))

        let decide:
            @convention(c) (
                UnsafeMutableRawPointer, UnsafeMutablePointer<WebKitPolicyDecision>, WebKitPolicyDecisionType, gpointer
            ) -> gboolean = { _, decision, type, data in
                onMainActor((decision, type, data)) { decision, type, data in
                    let isAllowed = object(data, as: WebStage.self).allows(decision, type)
                    isAllowed ? webkit_policy_decision_use(decision) : webkit_policy_decision_ignore(decision)
                }
                return 1
            }
        connect("decide-policy", unsafeBitCast(decide, to: GCallback.self))
    }

    func connect(_ signal: String, _ callback: @escaping GCallback) { connect(signal, of: view, callback) }

    func connect<Object>(_ signal: String, of object: UnsafeMutablePointer<Object>, _ callback: @escaping GCallback) {
        g_signal_connect_data(object, signal, callback, unretained(self), nil, GConnectFlags(rawValue: 0))
    }

    private func loadChanged(_ event: WebKitLoadEvent) {
        // A script may have added a fragment by the time of the end.
        // The view names the document that is to come while it still tells of the first page, which was refused.
        guard let scene, scene.hasNavigated, let url = webkit_web_view_get_uri(view),
            String(cString: url).hasPrefix(scene.url)
        else { return }
        if event == WEBKIT_LOAD_COMMITTED {
            // Left after the drawing it belongs to: the document that comes now must not read it.
            if !scene.isCommitted, hasHistory { return webProcessEnded() }
            scene.isCommitted = true
            if scene.isOverdue { scene.loading?.give(.failure(.deadline)) }
        }
        // Comes after a failure too; what failed is then in the readiness report.
        if event == WEBKIT_LOAD_FINISHED, scene.isCommitted { scene.loading?.give(.success(())) }
    }

    /// Lets our own navigation through, once, and documents of frames; nothing leads anywhere else. An action does not say
    /// which frame it is for, the response does.
    private func allows(_ decision: UnsafeMutablePointer<WebKitPolicyDecision>, _ type: WebKitPolicyDecisionType)
        -> Bool
    {
        switch type {
        case WEBKIT_POLICY_DECISION_TYPE_RESPONSE:
            let response = UnsafeMutableRawPointer(decision).assumingMemoryBound(to: WebKitResponsePolicyDecision.self)
            if webkit_response_policy_decision_is_main_frame_main_resource(response) == 0 { return true }
            let address = webkit_uri_request_get_uri(webkit_response_policy_decision_get_request(response))
            return address.map { String(cString: $0) } == scene?.url
        case WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION:
            let action = webkit_navigation_policy_decision_get_navigation_action(
                UnsafeMutableRawPointer(decision).assumingMemoryBound(to: WebKitNavigationPolicyDecision.self))
            let request = webkit_navigation_action_get_request(action)
            noteStart()
            guard let scene, let address = webkit_uri_request_get_uri(request) else { return false }
            let url = String(cString: address)
            if url == scene.url {
                defer { scene.hasNavigated = true }
                return !scene.hasNavigated
            }
            // A frame that is refused about:blank stays what it is at first, an empty document.
            return url.hasPrefix(scene.url) || url == "about:srcdoc" || url.hasPrefix("data:")
        default:
            return false
        }
    }
}
