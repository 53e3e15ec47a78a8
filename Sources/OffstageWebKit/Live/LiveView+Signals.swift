import CWebKitGTK
import Foundation

extension LiveView {
    private typealias View = UnsafeMutableRawPointer

    /// The handlers hold the view unretained; `close` disconnects them.
    func connectSignals() {
        refuseRequests()
        let loadChanged: @convention(c) (View, WebKitLoadEvent, gpointer) -> Void = { _, event, data in
            onMainActor(data) { object($0, as: LiveView.self).loadChanged(event) }
        }
        connect("load-changed", unsafeBitCast(loadChanged, to: GCallback.self))
        let ended: @convention(c) (View, WebKitWebProcessTerminationReason, gpointer) -> Void = {
            onMainActor($2) { object($0, as: LiveView.self).processEnded() }
        }
        connect("web-process-terminated", unsafeBitCast(ended, to: GCallback.self))
        let destroyed: @convention(c) (View, gpointer) -> Void = {
            onMainActor($1) { object($0, as: LiveView.self).widgetDestroyed() }
        }
        connect("destroy", unsafeBitCast(destroyed, to: GCallback.self))
        let decide:
            @convention(c) (
                View, UnsafeMutablePointer<WebKitPolicyDecision>, WebKitPolicyDecisionType, gpointer
            ) -> gboolean = { _, decision, type, data in
                onMainActor((decision, type, data)) { decision, type, data in
                    let isAllowed = object(data, as: LiveView.self).allows(decision, type)
                    isAllowed ? webkit_policy_decision_use(decision) : webkit_policy_decision_ignore(decision)
                }
                return 1
            }
        connect("decide-policy", unsafeBitCast(decide, to: GCallback.self))
        connectPointer()
    }

    private func connectPointer() {
        // What scrolls is the host's; WebKit would keep the event.
        let scrolled: @convention(c) (View, UnsafeMutablePointer<GdkEvent>, gpointer) -> gboolean = { view, event, _ in
            let parent = gtk_widget_get_parent(view.assumingMemoryBound(to: GtkWidget.self))
            if let parent { gtk_propagate_event(parent, event) }
            return 1
        }
        connect("scroll-event", unsafeBitCast(scrolled, to: GCallback.self))
        // Not a browser's menu: what is selected can be copied.
        let menu: @convention(c) (View, OpaquePointer, OpaquePointer, OpaquePointer, gpointer) -> gboolean = {
            _, menu, _, _, _ in
            webkit_context_menu_remove_all(cast(UnsafeMutablePointer<WebKitContextMenu>(menu)))
            let copy = webkit_context_menu_item_new_from_stock_action(WEBKIT_CONTEXT_MENU_ACTION_COPY)
            webkit_context_menu_append(cast(UnsafeMutablePointer<WebKitContextMenu>(menu)), copy)
            return 0
        }
        connect("context-menu", unsafeBitCast(menu, to: GCallback.self))
    }

    private func loadChanged(_ event: WebKitLoadEvent) {
        // Of the empty page that it was made with, there may be news still.
        guard let url = address, url.hasPrefix(scene.url) else { return }
        if event == WEBKIT_LOAD_COMMITTED { scene.isCommitted = true }
        if event == WEBKIT_LOAD_FINISHED, scene.isCommitted { scene.loading?.give(.success(())) }
    }

    /// Lets our own navigation through, once, and documents of frames. What the user follows is told, and leads
    /// nowhere.
    private func allows(
        _ decision: UnsafeMutablePointer<WebKitPolicyDecision>, _ type: WebKitPolicyDecisionType
    ) -> Bool {
        let raw = UnsafeMutableRawPointer(decision)
        if type == WEBKIT_POLICY_DECISION_TYPE_RESPONSE {
            let response = raw.assumingMemoryBound(to: WebKitResponsePolicyDecision.self)
            if webkit_response_policy_decision_is_main_frame_main_resource(response) == 0 { return true }
            let address = webkit_uri_request_get_uri(webkit_response_policy_decision_get_request(response))
            return address.map { String(cString: $0) } == scene.url
        }
        let action = webkit_navigation_policy_decision_get_navigation_action(
            raw.assumingMemoryBound(to: WebKitNavigationPolicyDecision.self))
        noteStart()
        guard let address = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action)) else {
            return false
        }
        let url = String(cString: address)
        if webkit_navigation_action_get_navigation_type(action) == WEBKIT_NAVIGATION_TYPE_LINK_CLICKED {
            // A script may click, too; that is nobody's wish.
            if webkit_navigation_action_is_user_gesture(action) != 0 { follow(target(of: url)) }
            return false
        }
        guard type == WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION else { return false }
        if url == scene.url {
            defer { scene.hasNavigated = true }
            return !scene.hasNavigated
        }
        return url.hasPrefix(scene.url) || url == "about:srcdoc" || url.hasPrefix("data:")
    }

    /// From the loop: the host may take the view away, in the middle of WebKit's call.
    private func follow(_ target: String) {
        Task { [weak self] in
            if let self, !isClosed { onLink?(target) }
        }
    }

    /// As the source has it: relative to the base where it leads there.
    private func target(of url: String) -> String {
        url.hasPrefix(scene.url) ? String(url.dropFirst(scene.url.count)) : url
    }
}
