import CWebKitGTK
import Foundation

extension WebStage: NavigationWatching {
    func connectSignals() {
        if kind.runsScripts { connectScriptSignals() }
        watchNavigation(of: view)
    }

    func loadChanged(_ event: WebKitLoadEvent) {
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

    func allows(_ navigation: Navigation) -> Bool {
        if let scene { return scene.allows(navigation) }
        // Of a frame, after the drawing.
        if case .response(_, isMainDocument: false) = navigation { return true }
        return false
    }
}
