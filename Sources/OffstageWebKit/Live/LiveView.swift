import COffstageWebKit
import CWebKitGTK
import Foundation
import Offstage
import OffstageGLib

/// A snippet in a web view that a host shows, for links and the selection of text: beside a picture of the same.
///
/// It is as closed as a drawing is: the same settings, fonts, policy and base folder, no network, page scripts only
/// where the snippet runs them, a process of its own. Animations stand at their end, as in the picture. Links lead
/// nowhere by themselves: `onLink` tells. A process that ends, takes too much memory or gives no answer for
/// `Snippet.limits.grace` seconds is the view's end: `onEnd` tells.
///
/// Two things may be other than in the picture. `100vh` is the height that the host gives the widget. And the colour
/// scheme, contrast and motion of the snippet hold for style sheets, `<picture>` and `matchMedia` as they are once the
/// document has loaded; an SVG file in an `<img>`, and what a script adds later, go by what is drawn at the moment.
@MainActor
public final class LiveView {
    /// A `WebKitWebView`, to put into a window. Give it the picture's width and height, CSS px.
    public let widget: UnsafeMutablePointer<GtkWidget>
    /// Px of the window, of the content; 0 before `show` has returned.
    public private(set) var height = 0
    /// Called when the user follows a link, with where it leads, as the source has it.
    public var onLink: ((String) -> Void)?
    /// Called when it is over with the view by itself; it is closed then.
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
    /// What `show` waits for.
    private var interrupt: ((Interruption) -> Void)?
    private(set) var isClosed = false

    /// The views that are open, by address, for the requests of their documents.
    private static var open: [UnsafeMutablePointer<WebKitWebView>: Weak] = [:]

    private struct Weak { weak let view: LiveView? }

    static func scene(of view: UnsafeMutablePointer<WebKitWebView>?) -> Scene? {
        view.flatMap { open[$0]?.view?.scene }
    }

    /// Makes the view and starts its process; nothing is loaded before `show`.
    ///
    /// - Parameters:
    ///   - snippet: the row's.
    ///   - engine: the one that draws the picture.
    public init(of snippet: Snippet, engine: WebEngine) async throws(DrawingError) {
        try snippet.validate()
        var snippet = snippet
        // Its height is the content's; what would scroll it is the host's list.
        snippet.styleSheets.append("html { overflow: hidden !important }")
        let source = await SourceText.of(snippet)
        try snippet.limits.check(.imagePixels, source.imagePixels, of: snippet.limits.imagePixels)
        snippet.html = AnimatedImage.slowed(inText: snippet.html)
        do throws(EngineUnavailable) {
            let backstage = try await engine.started(for: snippet)
            kind = try await engine.kind(of: snippet)
            settings = WebSettings(runsScripts: kind.runsScripts)
            scripts = DocumentScripts(runsScripts: kind.runsScripts, keepsAppearance: true)
            (view, process) = try await backstage.makeView(kind, settings, scripts)
        } catch { throw .unavailable(error) }
        widget = cast(view)
        scene = Scene(snippet, source)
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

    /// Loads the document and waits until it shows what its picture shows. Call it once, when the widget is in a window
    /// on the screen, of its size: only there it is laid out and painted.
    ///
    /// - Throws: also where the view is closed, before or meanwhile.
    public func show() async throws(DrawingError) {
        do { try await load() } catch {
            close()
            throw scene.error(for: error)
        }
    }

    private func load() async throws {
        if isClosed { throw Interruption.crashed }
        let snippet = scene.snippet
        let limit = snippet.limits.memory
        memoryWatch.start(process, limit: limit) { [weak self] memory in
            if memory > 0 { self?.end(.overLimit(LimitExcess(.memory, allowed: limit, measured: memory))) }
        }
        // The window's scale is the monitor's; the rest of the snippet's is the page's.
        let zoom = snippet.geometry.scale / Double(max(1, gtk_widget_get_scale_factor(widget)))
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
            throw DrawingError.engineFailed("the document left for another address")
        }
        try scene.checkLimits(readiness)
        height = Int((Double(readiness.height) * zoom).rounded(.up))
        // Two frames later what is ready is on the screen; a window that is covered has none.
        let frames = """
            await new Promise((done) => {
              requestAnimationFrame(() => requestAnimationFrame(done));
              setTimeout(done, 500);
            });
            return '';
            """
        _ = try await outcome { evaluate(frames, $0) }.get()
        let grace = snippet.limits.grace
        responseWatch.start(view, grace: grace) { [weak self] in self?.end(.hung(seconds: grace)) }
    }

    private func evaluate(_ body: String, _ reply: Reply<String>) { ScriptWorld.evaluate(body, in: view, reply) }

    private func outcome<Value>(_ start: (Reply<Value>) -> Void) async -> Reply<Value>.Outcome {
        if isClosed { return .failure(.crashed) }
        let reply = Reply<Value>()
        interrupt = { reply.give(.failure($0)) }
        defer { interrupt = nil }
        let outcome = await reply.wait { start(reply) }
        // The loop turns between an answer and here, and the view may have been closed in that turn.
        return isClosed ? .failure(.crashed) : outcome
    }

    /// Ends the process and takes the widget out of its window. It may be called again.
    public func close() {
        if isClosed { return }
        isClosed = true
        memoryWatch.stop()
        responseWatch.stop()
        Self.open[view] = nil
        handlers.disconnect()
        interrupt?(.crashed)
        webkit_web_view_terminate_web_process(view)
        offstage_web_view_forget_keys(view)
        gtk_widget_destroy(widget)
    }

    /// WebKit says so, and goes on with the view after that: it is closed from the loop.
    func webProcessEnded() {
        interrupt?(.crashed)
        Task { [weak self] in self?.end(.crashed) }
    }

    /// Its process has ended, or has to.
    private func end(_ reason: LiveEnd) {
        if isClosed { return }
        close()
        onEnd?(reason)
    }

    /// GTK destroyed it with its window.
    func widgetDestroyed() {
        if isClosed { return }
        close()
    }

    /// What it shows now.
    var address: String? { webkit_web_view_get_uri(view).map { String(cString: $0) } }

    func noteStart() { process?.hasStarted() }

    /// Refuses what page scripts, or a click on a field, may want of the desktop.
    func refuseRequests() { ScriptRequests.refuse(of: view) }
}
