import COffstageWebKit
import CWebKitGTK
import Foundation
import Offstage
import OffstageGLib
import OffstageLists

/// A snippet in a web view that the host shows in a window. Unlike a picture, it has working links and selectable text.
///
/// The view is as isolated as a drawing: it has the same settings, fonts, policy and base folder, no network, and its
/// own process. Page scripts run only if the snippet runs them. Animations are in their final state, as in the picture.
/// The view never follows a link; it calls `onLink`. If its process ends, uses too much memory or does not answer for
/// `Snippet.limits.grace` seconds, the view closes and calls `onEnd`.
///
/// Two things may differ from the picture. First, `100vh` is the height that the host gives the widget. Second, the
/// snippet's colour scheme, contrast and motion apply to style sheets, `<picture>` and `matchMedia` as they are when
/// the document has loaded. An SVG file in an `<img>`, and elements that a script adds later, use the appearance of the
/// picture that is being drawn at the time.
///
/// The view zooms a snippet whose scale is above the window's, so its lines may be up to 1 px higher than the picture's. It
/// cannot show a snippet whose scale is below the window's.
@MainActor
public final class LiveView {
    /// A `WebKitWebView` to add to a window. Give it the picture's width and height, in CSS px.
    public let widget: UnsafeMutablePointer<GtkWidget>
    /// Height of the content, in px of the window. 0 until `show` has returned.
    public private(set) var height = 0
    /// Called when the user follows a link. The argument is the target as in the source.
    public var onLink: ((String) -> Void)?
    /// Called when the view ends by itself. It is already closed.
    public var onEnd: ((LiveEnd) -> Void)?

    let scene: Scene
    let view: UnsafeMutablePointer<WebKitWebView>
    private let kind: StageKind
    private let settings: WebSettings
    private let scripts: DocumentScripts
    private let process: WebProcess?
    private let memoryWatch = MemoryWatch()
    private let responseWatch = ResponseWatch()
    let handlers = SignalHandlers()
    /// Interrupts the call that `show` is waiting for.
    private var interrupt: ((Interruption) -> Void)?
    private(set) var isClosed = false

    /// All open views, by address, to find the view whose document makes a request.
    private static var open: [UnsafeMutablePointer<WebKitWebView>: Weak] = [:]

    private struct Weak { weak let view: LiveView? }

    static func scene(of view: UnsafeMutablePointer<WebKitWebView>?) -> Scene? {
        view.flatMap { open[$0]?.view?.scene }
    }

    /// Creates the view and starts its process. Loads nothing before `show`.
    ///
    /// - Parameters:
    ///   - snippet: The snippet to show.
    ///   - engine: The engine that draws the snippet's picture.
    public init(of snippet: Snippet, engine: WebEngine) async throws(DrawingError) {
        try snippet.validate()
        var snippet = snippet
        // The view is as high as its content. The host's list scrolls it.
        snippet.styleSheets.append("html { overflow: hidden !important }")
        let prepared = try await PreparedSnippet.elsewhere(snippet)
        snippet = prepared.snippet
        do throws(EngineUnavailable) {
            let backstage = try await engine.started(for: snippet)
            kind = try await engine.kind(of: snippet)
            settings = WebSettings(runsScripts: kind.runsScripts)
            scripts = DocumentScripts(runsScripts: kind.runsScripts, keepsAppearance: true)
            (view, process) = try await backstage.makeView(kind, settings, scripts)
        } catch { throw .unavailable(error) }
        widget = cast(view)
        scene = Scene(snippet, prepared.source, at: SceneAddress.visible(of: snippet))
        g_object_ref_sink(view)
        settings.set(snippet.emulation.fonts)
        scripts.set(for: snippet)
        var color = GdkRGBA(snippet.background ?? .white)
        webkit_web_view_set_background_color(view, &color)
        Self.open[view] = Weak(view: self)
        connectSignals()
    }

    isolated deinit {
        close()
        g_object_unref(view)
    }

    /// Loads the document and waits until it shows the same content as its picture. Call it once, when the widget is in
    /// a window on the screen and has its size. WebKit neither lays out nor paints a view before that.
    ///
    /// - Throws: `DrawingError.invalidRequest` if the snippet's scale is below the scale of the window. Also throws if
    ///   the view is closed before or during the call.
    public func show() async throws(DrawingError) {
        do { try await load() } catch {
            close()
            throw scene.error(for: error)
        }
    }

    private func load() async throws {
        if isClosed { throw Interruption.lost(.crashed) }
        let snippet = scene.snippet
        // The window already applies the monitor's scale. The page is zoomed by the remaining factor of the snippet's
        // scale.
        let windowScale = max(1, gtk_widget_get_scale_factor(widget))
        let zoom = snippet.geometry.scale / Double(windowScale)
        // WebKit zooms text to at least 9 px and borders to at least 1 px, so the layout would differ from the
        // picture's.
        guard zoom >= 1 else {
            let scale = snippet.geometry.scale.formatted()
            throw DrawingError.invalidRequest(
                "the scale is \(scale); a live view needs at least the window's scale, which is \(windowScale)")
        }
        let limit = snippet.limits.memory
        memoryWatch.start(process, limit: limit) { [weak self] memory in
            if memory > 0 { self?.end(.overLimit(LimitExcess(.memory, allowed: limit, measured: memory))) }
        }
        webkit_web_view_set_zoom_level(view, zoom)
        let deadline = Task { [weak self] in
            try await Task.sleep(for: .seconds(snippet.timeout))
            self?.interrupt?(.deadline)
        }
        defer { deadline.cancel() }
        try await outcome { reply in
            scene.loading = reply
            let bytes = snippet.html.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
            webkit_web_view_load_bytes(view, bytes, snippet.type.mediaType, snippet.charset, scene.url)
            g_bytes_unref(bytes)
        }.get()
        let question = Readiness.Question(snippet).expression
        let json = try await outcome { evaluate("return await offstage.ready(\(question))", $0) }.get()
        let readiness = try Readiness(json: json)
        guard readiness.url.hasPrefix(scene.url) else {
            throw DrawingError.engineFailed("the document navigated to another address")
        }
        try scene.checkLimits(readiness)
        height = Int((Double(readiness.height) * zoom).rounded(.up))
        // Ready content is on the screen two frames later. A covered window gets no frames, so wait 2 s at most: on a busy
        // machine, two frames can take more than half a second.
        let frames = """
            await new Promise((done) => {
              requestAnimationFrame(() => requestAnimationFrame(done));
              setTimeout(done, 2000);
            });
            return '';
            """
        _ = try await outcome { evaluate(frames, $0) }.get()
        let grace = snippet.limits.grace
        responseWatch.start(view, grace: grace) { [weak self] in self?.end(.hung(seconds: grace)) }
    }

    private func evaluate(_ body: String, _ reply: Reply<String>) { ScriptWorld.evaluate(body, in: view, reply) }

    private func outcome<Value>(_ start: (Reply<Value>) -> Void) async -> Reply<Value>.Outcome {
        if isClosed { return .failure(.lost(.crashed)) }
        let reply = Reply<Value>()
        interrupt = { reply.give(.failure($0)) }
        defer { interrupt = nil }
        let outcome = await reply.wait { start(reply) }
        // The main loop runs between an answer and this line, and the host may have closed the view meanwhile.
        return isClosed ? .failure(.lost(.crashed)) : outcome
    }

    /// Ends the process and removes the widget from its window. Further calls do nothing.
    public func close() {
        if isClosed { return }
        isClosed = true
        memoryWatch.stop()
        responseWatch.stop()
        Self.open[view] = nil
        handlers.disconnect()
        interrupt?(.lost(.crashed))
        webkit_web_view_terminate_web_process(view)
        offstage_web_view_forget_keys(view)
        gtk_widget_destroy(widget)
    }

    /// WebKit uses the view after it has reported the end, so the view is closed later, from the main loop.
    func webProcessEnded() {
        interrupt?(.lost(.crashed))
        Task { [weak self] in self?.end(.crashed) }
    }

    /// Closes the view and calls `onEnd`, because the view's process has ended or must end.
    private func end(_ reason: LiveEnd) {
        if isClosed { return }
        close()
        onEnd?(reason)
    }

    /// GTK destroyed the widget together with its window.
    func widgetDestroyed() {
        if isClosed { return }
        close()
    }

    /// The URL of the current document.
    var address: String? { webkit_web_view_get_uri(view).map { String(cString: $0) } }

    func noteStart() { process?.hasStarted() }

    /// Rejects requests for services of the desktop, which a page script or a click on a form control can make.
    func refuseRequests() { ScriptRequests.refuse(of: view) }
}
