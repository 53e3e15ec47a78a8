import CWebKitGTK
import Foundation
import Offstage

/// The steps of a drawing: load, ready, paint.
extension WebStage {
    /// Loads the document and what it names.
    ///
    /// - Returns: true at the window's load event, false if the deadline came first.
    func load(_ scene: Scene) async throws -> Bool {
        switch await outcome({ startLoading(scene, $0) }) {
        case .success:
            return true
        case .failure(.deadline) where scene.isCommitted:
            // What is there is drawn. Before the commit the view would still show an older document.
            webkit_web_view_stop_loading(view)
            return false
        case .failure(let interruption):
            throw interruption
        }
    }

    private func startLoading(_ scene: Scene, _ reply: Reply<Void>) {
        scene.loading = reply
        let bytes = scene.snippet.html.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        webkit_web_view_load_bytes(view, bytes, "text/html", scene.snippet.charset, scene.url)
        g_bytes_unref(bytes)
    }

    /// Waits until fonts and images are there; when the deadline has passed, tells what is missing.
    func readiness(of scene: Scene, isLoaded: Bool) async throws -> Readiness {
        let readiness = try Readiness(json: try await report(isLoaded: isLoaded))
        guard readiness.url == scene.url else {
            throw DrawingError.engineFailed("the document left for another address")
        }
        return readiness
    }

    private func report(isLoaded: Bool) async throws -> String {
        if isLoaded {
            let outcome = await outcome { evaluate("return await offstage.ready()", $0) }
            if case .failure(.deadline) = outcome {} else { return try outcome.get() }
        }
        return try await outcome(isInterruptible: false) { evaluate("return offstage.report()", $0) }.get()
    }

    /// Runs a function's body in our script world; its value is a string.
    private func evaluate(_ body: String, _ reply: Reply<String>) {
        webkit_web_view_call_async_javascript_function(
            view, body, gssize(body.utf8.count), nil, Readiness.world, nil, nil,
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

    /// Checks the size, then takes the picture.
    func paint(_ scene: Scene, _ readiness: Readiness) async throws -> Drawing {
        let snippet = scene.snippet
        let warnings = scene.warnings(readiness)
        if snippet.requiresComplete, !warnings.isEmpty {
            throw DrawingError.incomplete(warnings)
        }
        let frame = try PictureFrame(snippet.geometry, readiness)
        let isOpaque = snippet.background.isOpaque
        // WebKit's transparent snapshot leaves the background out; any other has its colour, with its alpha.
        let isTransparent = snippet.background.alpha == 0
        let surface = try await outcome(isInterruptible: false) {
            takeSnapshot(frame.region, isTransparent: isTransparent, $0)
        }.get()
        let pixmap = try Offstage.Pixmap(surface: surface, cropped: frame, isOpaque: isOpaque)
        return Drawing(pixmap: pixmap, scale: snippet.geometry.scale, warnings: warnings)
    }

    private func takeSnapshot(_ region: WebKitSnapshotRegion, isTransparent: Bool, _ reply: Reply<OpaquePointer>) {
        let options = isTransparent ? WEBKIT_SNAPSHOT_OPTIONS_TRANSPARENT_BACKGROUND : WEBKIT_SNAPSHOT_OPTIONS_NONE
        webkit_web_view_get_snapshot(
            view, region, options, nil,
            { view, result, data in
                onMainActor((view, result, data)) { view, result, data in
                    var error: UnsafeMutablePointer<GError>?
                    let surface = webkit_web_view_get_snapshot_finish(view.map { cast($0) }, result, &error)
                    Reply<OpaquePointer>.take(data).give(
                        surface.map { .success($0) } ?? .failure(.failed(takeMessage(error))))
                }
            }, reply.retained())
    }
}
