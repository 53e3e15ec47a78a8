import COffstageWebKit
import CWebKitGTK
import Foundation
import Offstage
import OffstageGLib

/// One hidden web view with its web process: draws one snippet at a time, one navigation each.
@MainActor
final class WebStage {
    /// False once the web process ended or hung; the engine then replaces the stage.
    private(set) var isUsable = true

    /// The web process ended or hung in a drawing of which it had seen nothing, or that is not surely to blame: it was written
    /// into an older page.
    private(set) var endedBeforeCommit = false

    /// The last picture lacks all that the document shows; the stage draws no other.
    private(set) var hasDrawnBlank = false
    /// The last picture's document was written into an older page.
    private(set) var hasWritten = false
    /// For tests: what is done to a picture before it is looked at.
    var change: (Drawing) -> Drawing = { $0 }

    let kind: StageKind
    let view: UnsafeMutablePointer<WebKitWebView>
    let limits: SnapshotLimits
    private let hosts: AllowedHosts
    private let window: HiddenWindow
    private let context: WebContext
    private let settings: WebSettings
    let scripts: DocumentScripts
    /// Whoever makes the stage gives it before the first drawing, which applies it.
    var filter: ContentFilter.Compilation?
    private var background: Color?
    /// The ways in which its documents used fonts. WebKit lets go of fonts once it has 225 that no document uses any more; where
    /// that happens within a line, the line's letters are put together wrongly. A process is replaced before.
    private var fontUses: Set<Set<Int>> = []
    private static let mostFontUses = 50
    /// Leaves time for the next process to start.
    private static let manyFontUses = 40
    var recycling = Recycling()
    /// A successor is to take over; until that is ready the stage goes on.
    private(set) var isWorn = false
    /// The web process has started.
    private(set) var isReady = false
    /// Stops the scripts of the last document, from the end of its drawing on.
    private var leaving: Task<Void, Never>?
    var isLeaving: Bool { leaving != nil }
    /// It can draw at once.
    var isFree: Bool { isUsable && isReady && !isLeaving }
    /// Called when the web process has started, when it has left the last document, and when it has ended without a drawing.
    var becameFree: () -> Void = {}

    /// What the last document left, if another may be written into it.
    private var page: Page?
    /// What the stage draws now.
    private(set) var scene: Scene?
    /// Ends the wait that is under way, if one is.
    private(set) var interrupt: ((Interruption) -> Void)?
    let timeLimit = TimeLimit()
    private let memoryWatch = MemoryWatch()
    let handlers = SignalHandlers()
    private var isClosed = false
    /// Whoever makes the stage finds it.
    var process: WebProcess?
    /// Why the stage cannot be used, where it was ended for that.
    private var ending: Interruption?
    /// The web process ended, or was ended.
    var hasFailed: Bool { ending != nil }
    /// Drawings that were begun.
    private(set) var drawings = 0

    init(
        _ kind: StageKind, context: WebContext, display: VirtualDisplay, limits: SnapshotLimits, hosts: AllowedHosts
    ) throws(EngineUnavailable) {
        self.kind = kind
        self.limits = limits
        self.hosts = hosts
        self.context = context
        settings = WebSettings(runsScripts: kind.runsScripts)
        scripts = DocumentScripts(runsScripts: kind.runsScripts)
        view = offstage_web_view_new(
            context.pointer, settings.pointer, scripts.pointer,
            ContentPolicy.securityPolicy(runsScripts: kind.runsScripts, hosts: hosts))
        // Also when its window is gone, as a step of a drawing may come after that.
        g_object_ref_sink(view)
        do { window = try HiddenWindow(on: display, around: cast(view)) } catch {
            g_object_unref(view)
            throw error
        }
        connectSignals()
        // Starts the processes, while the filter is compiled; the load itself is refused, as all that belongs to no scene.
        webkit_web_view_load_uri(view, "about:blank")
    }

    isolated deinit {
        close()
        g_object_unref(view)
    }

    /// Ends the web process and the window, and with an error the drawing that is under way. The stage may not be used
    /// afterwards. It may be called again.
    func close() {
        if isClosed { return }
        isClosed = true
        becameFree = {}
        lose()
        timeLimit.stop()
        memoryWatch.stop()
        handlers.disconnect()
        interrupt?(.crashed)
        webkit_web_view_terminate_web_process(view)
        window.close()
    }

    /// Draws a snippet from its start to its pixels.
    func draw(_ snippet: Snippet) async throws(DrawingError) -> Drawing {
        // It ended before it was given anything to draw.
        guard isUsable else {
            loseBlamelessly()
            throw .engineCrashed
        }
        if let filter {
            do throws(EngineUnavailable) { scripts.add(try await filter.value.get()) } catch {
                throw .unavailable(error)
            }
            self.filter = nil
        }
        let source = await SourceText.of(snippet)
        // Some images are decoded while the document is laid out.
        try snippet.limits.check(.imagePixels, source.imagePixels, of: snippet.limits.imagePixels)
        var snippet = snippet
        snippet.html = AnimatedImage.slowed(inText: snippet.html)
        let old = page
        page = nil
        if var page = old, let text = page.text(of: snippet) {
            do {
                return try await draw(Scene(snippet, source, on: page), text: text, after: page)
            } catch let error as DrawingError {
                throw error
            } catch {
                // It needs a document of its own.
            }
        }
        let scene = Scene(snippet, source)
        do { return try await draw(scene, text: nil, after: nil) } catch { throw scene.error(for: error) }
    }

    /// - Parameters:
    ///   - text: of the document, where it is written into a page; nil for a navigation.
    ///   - page: the page.
    /// - Throws: `DrawingError`; for a writing also `NeedsNavigation`.
    private func draw(_ scene: Scene, text: String?, after page: Page?) async throws -> Drawing {
        // It may have been closed while it waited for the filter.
        if isClosed { throw DrawingError.engineCrashed }
        let snippet = scene.snippet
        let start = ContinuousClock.now
        drawings += 1
        begin(scene, seconds: snippet.timeout, snippet.limits) { [weak self] interruption in
            guard let self else { return }
            if case .hung = interruption {
                // The document before is what hung, after its picture.
                if !scene.isCommitted, drawings > 1 { endedBeforeCommit = true }
                lose(interruption)
            }
            // Before the commit the view still shows an older document, or its process is just starting.
            if case .deadline = interruption {
                scene.isOverdue = true
                if !scene.isCommitted { return }
            }
            interrupt?(interruption)
        }
        defer {
            endScene()
            if kind.runsScripts, isUsable { leaving = Task { await leave(snippet.limits) } }
        }
        set(snippet.geometry)
        set(background: snippet.background ?? .white)
        settings.set(snippet.emulation.fonts)
        // WebKit parses XML in one go, and a page's scripts may ask for its layout.
        let isVast = snippet.type == .html && !snippet.runsScripts && scene.source.mayExceed(snippet.limits.elements)
        scripts.set(for: snippet, isVast: isVast)
        do {
            let isLoaded = text == nil ? try await load(scene) : true
            if snippet.type != .html { try await checkXML() }
            let readiness = try await readiness(of: scene, isLoaded: isLoaded, text: text)
            try await checkFonts(of: scene, readiness)
            let drawing = change(try await paint(scene, readiness))
            // Painting may have asked for what the layout had not.
            if scene.isRewriting, scene.hasAsked { throw NeedsNavigation() }
            hasDrawnBlank = try await isBlank(drawing, of: scene, readiness)
            fontUses.insert(scene.source.fontDeclarations)
            if hasDrawnBlank || fontUses.count > Self.mostFontUses || hasHistory { lose() }
            isWorn = isWorn || looksWorn(after: start.duration(to: .now))
            hasWritten = scene.isRewriting
            // What a host sends is nobody else's.
            self.page = !hosts.hosts.isEmpty ? nil : Page(scene, readiness, after: page)
            return drawing
        } catch let error as NeedsNavigation {
            throw error
        } catch {
            // Perhaps the process ended before, and has not been missed yet.
            if text != nil, let interruption = error as? Interruption, case .failed = interruption {
                throw NeedsNavigation()
            }
            // An answer that is an error may come before the news of the end.
            if case .failed? = error as? Interruption, process?.hasEnded == true { webProcessEnded() }
            throw scene.error(for: isUsable ? error : ending ?? error)
        }
    }

    /// Makes it the stage's scene, and watches its time and its process' memory until `endScene`.
    func begin(
        _ scene: Scene, seconds: Double, _ limits: SnippetLimits, report: @escaping (Interruption) -> Void
    ) {
        scene.allowedHosts = hosts
        self.scene = scene
        timeLimit.start(seconds: seconds, grace: limits.grace, report: report)
        memoryWatch.start(process, limit: limits.memory) { [weak self] memory in
            guard let self else { return }
            memoryWatch.stop()
            // WebKit does not miss one that ended before it had started.
            if memory == 0 { return webProcessEnded() }
            end(.overMemory(LimitExcess(.memory, allowed: limits.memory, measured: memory)))
        }
    }

    func endScene() {
        timeLimit.stop()
        memoryWatch.stop()
        scene = nil
    }

    /// The last document is gone, or the stage is lost.
    func hasLeft() {
        leaving = nil
        becameFree()
    }

    private func looksWorn(after time: Duration) -> Bool {
        if drawings >= recycling.drawings || fontUses.count > Self.manyFontUses { return true }
        guard drawings.isMultiple(of: Recycling.memoryInterval) || time > Recycling.longDrawing else { return false }
        return process.map { $0.memory > recycling.memory } ?? false
    }

    private func set(_ geometry: Geometry) {
        window.setViewport(
            width: geometry.width, height: max(1, geometry.resolvedViewportHeight), scale: geometry.windowScale)
    }

    func set(background: Color) {
        if self.background == background { return }
        self.background = background
        var color = GdkRGBA(background)
        webkit_web_view_set_background_color(view, &color)
    }

    /// Starts one call into WebKit and waits for its answer, or for what interrupts the wait: the web process's end, the
    /// time limit.
    ///
    /// - Parameter isInterruptible: false for what delivers the picture when the deadline has passed; only the grace after
    ///   it ends that wait.
    func outcome<Value>(
        isInterruptible: Bool = true, _ start: (Reply<Value>) -> Void
    ) async -> Reply<Value>.Outcome {
        guard isUsable else { return .failure(ending ?? .crashed) }
        let reply = Reply<Value>()
        interrupt = { interruption in
            if case .deadline = interruption, !isInterruptible { return }
            reply.give(.failure(interruption))
        }
        defer { interrupt = nil }
        let outcome = await reply.wait { start(reply) }
        // The loop turns between an answer and here, and the stage may have been closed in that turn.
        return isClosed ? .failure(ending ?? .crashed) : outcome
    }

    /// Another stage is to draw the snippet, which is not to blame.
    func loseBlamelessly() {
        endedBeforeCommit = true
        lose(.crashed)
    }

    /// The web process has asked for something.
    func noteStart() {
        if isReady { return }
        isReady = true
        process?.hasStarted()
        becameFree()
    }

    /// Nothing can be drawn any more.
    func loseDisplay(_ reason: EngineUnavailable) {
        lose(.displayLost(reason))
        interrupt?(.displayLost(reason))
    }

    /// WebKit says that the web process ended, by itself or by us.
    func webProcessEnded() {
        if let scene, !scene.isCommitted || scene.isRewriting { endedBeforeCommit = true }
        lose(.crashed)
        interrupt?(.crashed)
        if scene == nil { becameFree() }
    }

    /// The drawing is over, and the web process is to go.
    func end(_ ending: Interruption) {
        lose(ending)
        interrupt?(ending)
    }

    /// - Parameter ending: what ends the wait that is under way, and the next one.
    func lose(_ ending: Interruption? = nil) {
        isUsable = false
        if self.ending == nil { self.ending = ending }
    }
}
