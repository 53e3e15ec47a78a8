import CWebKitGTK
import Foundation

extension WebStage: NavigationWatching {
    func connectSignals() {
        if kind.runsScripts { connectScriptSignals() }
        watchNavigation(of: view)
    }

    func loadChanged(_ event: WebKitLoadEvent) {
        // A script may have added a fragment by the time the load ends. The view already has the address of the next
        // document while it still reports on the first page, which was rejected.
        guard let scene, scene.hasNavigated, let url = webkit_web_view_get_uri(view) else { return }
        guard String(cString: url).hasPrefix(scene.url) else {
            if event == WEBKIT_LOAD_COMMITTED, scene.isCommitted {
                scene.hasLeft = true
                hasLeftForFrameDocument = String(cString: url) == "about:srcdoc"
            }
            return
        }
        if event == WEBKIT_LOAD_COMMITTED {
            // Scripts left this entry after the drawing of their document. The current document must not read it.
            if !scene.isCommitted, hasHistory { return webProcessEnded() }
            scene.isCommitted = true
            life.commit()
            if scene.isOverdue { scene.loading?.give(.failure(.deadline)) }
        }
        // WebKit reports this after a failure, too. The readiness report then lists the failures.
        if event == WEBKIT_LOAD_FINISHED, scene.isCommitted { scene.loading?.give(.success(())) }
    }

    func allows(_ navigation: Navigation) -> Bool {
        if let scene { return scene.allows(navigation) || !Layer.navigationPolicy.isOn }
        // A frame's document may arrive after the drawing.
        if case .response(_, isMainDocument: false) = navigation { return true }
        return false
    }
}
