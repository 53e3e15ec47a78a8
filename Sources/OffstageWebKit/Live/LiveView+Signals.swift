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
        // What scrolls is the host's; WebKit would keep the event.
        let scrolled: @convention(c) (View, UnsafeMutablePointer<GdkEvent>, gpointer) -> gboolean = { view, event, _ in
            let parent = gtk_widget_get_parent(view.assumingMemoryBound(to: GtkWidget.self))
            if let parent { gtk_propagate_event(parent, event) }
            return 1
        }
        handlers.connect("scroll-event", of: view, unsafeBitCast(scrolled, to: GCallback.self), to: self)
        // Not a browser's menu: what is selected can be copied.
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
        // Of the empty page that it was made with, there may be news still.
        guard let url = address, url.hasPrefix(scene.url) else { return }
        if event == WEBKIT_LOAD_COMMITTED { scene.isCommitted = true }
        if event == WEBKIT_LOAD_FINISHED, scene.isCommitted { scene.loading?.give(.success(())) }
    }

    /// What the user follows is told, and leads nowhere.
    func allows(_ navigation: Navigation) -> Bool {
        switch navigation {
        case .action(let url, .link(let isUsers)), .newWindow(let url, .link(let isUsers)):
            // A script may click, too; that is nobody's wish.
            if isUsers { follow(target(of: url)) }
            return false
        default:
            return scene.allows(navigation)
        }
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
