import CWebKitGTK
import Foundation
import OffstageGLib

extension LiveView: NavigationWatching {
    private typealias View = UnsafeMutableRawPointer

    func connectSignals() {
        refuseRequests()
        watchNavigation(of: view)
        let destroyed: @convention(c) (View, gpointer) -> Void = {
            onMainActor($1) { receiver($0, as: LiveView.self)?.widgetDestroyed() }
        }
        handlers.connect("destroy", of: view, unsafeBitCast(destroyed, to: GCallback.self), to: self)
        connectPointer()
    }

    private func connectPointer() {
        // The host's widgets scroll; WebKit would consume the event.
        let scrolled: @convention(c) (View, UnsafeMutablePointer<GdkEvent>, gpointer) -> gboolean = { view, event, _ in
            let parent = gtk_widget_get_parent(view.assumingMemoryBound(to: GtkWidget.self))
            if let parent { gtk_propagate_event(parent, event) }
            return 1
        }
        handlers.connect("scroll-event", of: view, unsafeBitCast(scrolled, to: GCallback.self), to: self)
        // The browser's menu is replaced by one entry that copies the selection.
        let menu: @convention(c) (View, OpaquePointer, OpaquePointer, OpaquePointer, gpointer) -> gboolean = {
            _, menu, _, _, _ in
            webkit_context_menu_remove_all(cast(UnsafeMutablePointer<WebKitContextMenu>(menu)))
            let copy = webkit_context_menu_item_new_from_stock_action(WEBKIT_CONTEXT_MENU_ACTION_COPY)
            webkit_context_menu_append(cast(UnsafeMutablePointer<WebKitContextMenu>(menu)), copy)
            return 0
        }
        handlers.connect("context-menu", of: view, unsafeBitCast(menu, to: GCallback.self), to: self)
    }

    func loadChanged(_ event: WebKitLoadEvent) {
        // WebKit may still report loads of the empty page that the view was created with.
        guard let url = address, url.hasPrefix(scene.url) else { return }
        if event == WEBKIT_LOAD_COMMITTED { scene.isCommitted = true }
        if event == WEBKIT_LOAD_FINISHED, scene.isCommitted { scene.loading?.give(.success(())) }
    }

    /// Does not follow links, but reports those that the user activates.
    func allows(_ navigation: Navigation) -> Bool {
        switch navigation {
        case .action(let url, .link(let isUsers)), .newWindow(let url, .link(let isUsers)):
            // A script can also activate a link; that is not reported.
            if isUsers { follow(target(of: url)) }
            return false
        default:
            return scene.allows(navigation)
        }
    }

    /// Reports from the main loop, because the host may close the view in `onLink`, and WebKit's call must return
    /// first.
    private func follow(_ target: String) {
        Task { [weak self] in
            if let self, !isClosed { onLink?(target) }
        }
    }

    /// The target as in the source: relative if it is below the base.
    private func target(of url: String) -> String {
        url.hasPrefix(scene.url) ? String(url.dropFirst(scene.url.count)) : url
    }
}
