import CWebKitGTK
import Foundation
import Offstage
import OffstageGLib

/// The steps of a drawing: load, ready, paint.
extension WebStage {
    /// Loads the document and the files that it names.
    ///
    /// - Returns: true at the window's load event, false if the deadline came first.
    func load(_ scene: Scene) async throws -> Bool {
        switch await outcome({ startLoading(scene, $0) }) {
        case .success:
            return true
        case .failure(.deadline):
            return false
        case .failure(let interruption):
            throw interruption
        }
    }

    private func startLoading(_ scene: Scene, _ reply: Reply<Void>) {
        scene.loading = reply
        let bytes = scene.snippet.html.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        webkit_web_view_load_bytes(view, bytes, scene.snippet.type.mediaType, scene.snippet.charset, scene.url)
        g_bytes_unref(bytes)
    }

    /// Waits until fonts and images have arrived. When the deadline has passed, reports what is missing.
    ///
    /// - Parameter text: the document's text, if it must first be written into a page.
    func readiness(of scene: Scene, isLoaded: Bool, text: String?) async throws -> Readiness {
        // The deadline may also have passed between the two waits.
        if isLoaded, !scene.isOverdue, let readiness = try await whenReady(scene, text) { return readiness }
        if text != nil { throw NeedsNavigation() }
        scene.noteLate()
        closeWindow(of: scene)
        // Ask for the pending files before the stop: afterwards WebKit reports all of them as done or broken. Without
        // the stop, WebKit would not paint a page that is waiting for its style sheets.
        let before = try await report("report", scene, isInterruptible: false)
        webkit_web_view_stop_loading(view)
        var after = try await report("report", scene, isInterruptible: false)
        (after.late, after.broken, after.brokenFonts) = (before.late, before.broken, before.brokenFonts)
        return after
    }

    /// - Returns: nil if the deadline came first.
    private func whenReady(_ scene: Scene, _ text: String?) async throws -> Readiness? {
        do {
            guard let text else {
                if scene.hasWindow { try await rest(scene) }
                return try await report("ready", scene, isInterruptible: true)
            }
            let readiness = try await report("rewrite", scene, text: text, isInterruptible: true)
            if Page(scene, readiness, after: nil) == nil { throw NeedsNavigation() }
            return readiness
        } catch Interruption.deadline {
            return nil
        }
    }

    /// Waits until the scripts of a document are at rest, and then restores the viewport.
    private func rest(_ scene: Scene) async throws {
        let question = Readiness.Question(scene.snippet, scene.source).expression
        _ = try await outcome { evaluate("\(Self.begun)return await offstage.rest(\(question))", $0) }.get()
        closeWindow(of: scene)
    }

    /// Our scripts are not in the document until its root element is parsed, which may still not be the case at the
    /// deadline.
    private static let begun =
        "while (!globalThis.offstage) await new Promise((begun) => setTimeout(begun, 20));\n"

    func report(
        _ function: String, _ scene: Scene, text: String? = nil, isInterruptible: Bool
    ) async throws -> Readiness {
        var question = Readiness.Question(scene.snippet, scene.source)
        question.viewport = ViewportRule(scene, limits)
        var arguments = "\(text == nil ? "" : "text, ")\(question.expression)"
        arguments += scene.snippet.findsAreas ? ", offstageContent" : ", undefined"
        var text = text
        if function != "report", scene.source.namesShadowRoots {
            // The content of a closed shadow root can be read only in the document's source.
            text = text ?? String(decoding: scene.snippet.html, as: UTF8.self)
            arguments += ", text"
        }
        let json = try await outcome(isInterruptible: isInterruptible) {
            evaluate("\(Self.begun)return await offstage.\(function)(\(arguments))", text: text, $0)
        }.get()
        let readiness = try Readiness(json: json)
        // A script may add a fragment, or anything else after the host.
        guard readiness.url.hasPrefix(scene.url) else {
            // Without scripts, a document cannot navigate away: a new view has confused the document with the view's
            // first page.
            if !scene.snippet.runsScripts {
                life.lose(.crashed, blame: .nobody)
                throw Interruption.lost(.crashed)
            }
            throw DrawingError.left
        }
        try scene.checkLimits(readiness)
        return readiness
    }

    func evaluate(_ body: String, text: String? = nil, _ reply: Reply<String>) {
        ScriptWorld.evaluate(body, text: text, in: view, reply)
    }

    /// Checks the size, then takes the picture.
    ///
    /// - Parameter isLast: false to measure the document again if its scripts have changed its size before the
    ///   painting. That happens at most once.
    func paint(_ scene: Scene, _ readiness: Readiness, isLast: Bool = false) async throws -> Drawing {
        let snippet = scene.snippet
        if snippet.medium != .pixels { return try await printVector(scene, readiness) }
        let warnings = scene.warnings(readiness)
        if snippet.requiresComplete, warnings.contains(where: \.code.isDefect) {
            throw DrawingError.incomplete(warnings)
        }
        let frame = try PictureFrame(snippet, readiness, limits)
        let background = background(of: snippet, readiness)
        // A document with the dark colour scheme replaces a colour that was set before the document was loaded.
        if readiness.canvas != nil { set(background: background == .white ? .transparent : .white) }
        set(background: background)
        if readiness.straysFilters { try await hideFilters(outside: frame.snapshot) }
        var drawing: Drawing
        switch frame.way {
        case .snapshot(let region):
            let surface = try await outcome(isInterruptible: false) { takeSnapshot(region, $0) }.get()
            let pixmap = try Offstage.Pixmap(surface: surface, isOpaque: background.isOpaque)
            if !isLast, !pixmap.holds(frame.painted) {
                let again = try await report("report", scene, isInterruptible: false)
                return try await paint(scene, again, isLast: true)
            }
            let parts = try pixmap.parts(frame.painted, areMoving: isLast && snippet.runsScripts)
            drawing = Drawing(
                pixmaps: frame.reduction == nil ? parts : try await frame.pictures(parts),
                isInParts: snippet.selector?.isEach ?? false,
                scale: snippet.geometry.scale, warnings: warnings)
        case .tiles:
            drawing = try await paintTiles(scene, frame, isOpaque: background.isOpaque, warnings)
        }
        drawing.background = background
        if let content = readiness.content { drawing.contents = frame.contents(content, in: drawing.pixmaps) }
        drawing.dependencies = scene.dependencies
        return drawing
    }

    func background(of snippet: Snippet, _ readiness: Readiness) -> Color {
        snippet.background ?? readiness.canvas.flatMap { Color(css: $0) } ?? .white
    }

    /// Hides filters that a snapshot of this size does not show.
    func hideFilters(outside size: PixelSize) async throws {
        _ = try await outcome(isInterruptible: false) {
            evaluate("\(PageScripts.filters)\nreturn offstageFilters.hide(\(size.width), \(size.height))", $0)
        }.get()
    }

    func takeSnapshot(_ region: WebKitSnapshotRegion, _ reply: Reply<Surface>) {
        // The option for a transparent background would omit the view's own background colour.
        webkit_web_view_get_snapshot(
            view, region, WEBKIT_SNAPSHOT_OPTIONS_NONE, nil,
            { view, result, data in
                onMainActor((view, result, data)) { view, result, data in
                    var error: UnsafeMutablePointer<GError>?
                    let surface = webkit_web_view_get_snapshot_finish(view.map { cast($0) }, result, &error)
                    Reply<Surface>.take(data).give(
                        surface.map { .success(Surface($0)) } ?? .failure(.failed(takeMessage(error))))
                }
            }, reply.retained())
    }
}
