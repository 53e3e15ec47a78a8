import CWebKitGTK
import OffstageGLib

/// A request to load something into a web view or a frame.
enum Navigation {
    /// The first bytes of a document have arrived.
    case response(url: String?, isMainDocument: Bool)
    /// An action does not reveal which frame it is for, but its response does.
    case action(url: String, Cause)
    case newWindow(url: String, Cause)

    /// The origin of the request.
    enum Cause {
        /// A click on a link, by the user or by a script.
        case link(isUsers: Bool)
        case other
    }

    init?(_ decision: UnsafeMutablePointer<WebKitPolicyDecision>, _ type: WebKitPolicyDecisionType) {
        let raw = UnsafeMutableRawPointer(decision)
        if type == WEBKIT_POLICY_DECISION_TYPE_RESPONSE {
            let response = raw.assumingMemoryBound(to: WebKitResponsePolicyDecision.self)
            let address = webkit_uri_request_get_uri(webkit_response_policy_decision_get_request(response))
            self = .response(
                url: address.map { String(cString: $0) },
                isMainDocument: webkit_response_policy_decision_is_main_frame_main_resource(response) != 0)
            return
        }
        let action = webkit_navigation_policy_decision_get_navigation_action(
            raw.assumingMemoryBound(to: WebKitNavigationPolicyDecision.self))
        guard let address = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action)) else { return nil }
        let isLink = webkit_navigation_action_get_navigation_type(action) == WEBKIT_NAVIGATION_TYPE_LINK_CLICKED
        let cause =
            isLink ? Cause.link(isUsers: webkit_navigation_action_is_user_gesture(action) != 0) : .other
        let url = String(cString: address)
        self =
            type == WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION
            ? .action(url: url, cause) : .newWindow(url: url, cause)
    }
}

/// The owner of a web view that shows one scene at a time.
@MainActor
protocol NavigationWatching: AnyObject {
    var handlers: SignalHandlers { get }
    func loadChanged(_ event: WebKitLoadEvent)
    func webProcessEnded()
    /// The process has requested something, so it is running.
    func noteStart()
    func allows(_ navigation: Navigation) -> Bool
}

extension NavigationWatching {
    func watchNavigation(of view: UnsafeMutablePointer<WebKitWebView>) {
        func connect(_ signal: String, _ callback: @escaping GCallback) {
            handlers.connect(signal, of: view, callback, to: self)
        }
        typealias View = UnsafeMutableRawPointer
        let changed: @convention(c) (View, WebKitLoadEvent, gpointer) -> Void = { _, event, data in
            onMainActor(data) { watcher($0)?.loadChanged(event) }
        }
        connect("load-changed", unsafeBitCast(changed, to: GCallback.self))
        // Prevents WebKit's own error page, which would replace the document.
        let failed:
            @convention(c) (
                View, WebKitLoadEvent, UnsafePointer<CChar>?, UnsafeMutablePointer<GError>?, gpointer
            ) -> gboolean = { _, _, _, _, _ in 1 }
        connect("load-failed", unsafeBitCast(failed, to: GCallback.self))
        let ended: @convention(c) (View, WebKitWebProcessTerminationReason, gpointer) -> Void = {
            onMainActor($2) { watcher($0)?.webProcessEnded() }
        }
        connect("web-process-terminated", unsafeBitCast(ended, to: GCallback.self))
        let decide:
            @convention(c) (
                View, UnsafeMutablePointer<WebKitPolicyDecision>, WebKitPolicyDecisionType, gpointer
            ) -> gboolean = { _, decision, type, data in
                onMainActor((decision, type, data)) { decision, type, data in
                    let watcher = watcher(data)
                    if type != WEBKIT_POLICY_DECISION_TYPE_RESPONSE { watcher?.noteStart() }
                    let isAllowed = Navigation(decision, type).map { watcher?.allows($0) ?? false } ?? false
                    isAllowed ? webkit_policy_decision_use(decision) : webkit_policy_decision_ignore(decision)
                }
                return 1
            }
        connect("decide-policy", unsafeBitCast(decide, to: GCallback.self))
    }
}

private func watcher(_ data: gpointer) -> (any NavigationWatching)? { receiver(data) }

extension Scene {
    /// Allows Offstage's own navigation once, and documents of frames. Rejects everything else.
    func allows(_ navigation: Navigation) -> Bool {
        switch navigation {
        case .response(let url, let isMainDocument): return !isMainDocument || url == self.url
        case .action(let url, _):
            if url == self.url {
                defer { hasNavigated = true }
                return !hasNavigated
            }
            // If about:blank is rejected for a frame, the frame keeps its first document, which is empty. Without page
            // scripts, no frame has about:srcdoc, because WebKit removes the attribute: only the document itself could
            // navigate to it, without a response that could be rejected.
            if url == "about:srcdoc", snippet.runsScripts {
                if refusesFrameDocuments, source.namesFrameDocuments { warn(.resourceBlocked, url) }
                return !refusesFrameDocuments
            }
            return url.hasPrefix(self.url) || url.hasPrefix("data:")
        case .newWindow: return false
        }
    }
}
