import CWebKitGTK
import Foundation
import Offstage

/// Draws snippets with WebKitGTK: a pool of hidden web views, each with a web process of its own, on a private display.
///
/// Nothing starts before the first drawing. Make and use it on the main actor, whose jobs GLib's main loop must run
/// (`MainLoop`); a renderer may call `draw` from anywhere.
@MainActor
public final class WebEngine: Engine {
    public nonisolated let capacity: Int
    /// The longest side of a picture, device px.
    public nonisolated static let sideLimit = PictureFrame.sideLimit

    private var start: Task<Result<Backstage, EngineUnavailable>, Never>?
    private var idle: [WebStage] = []
    private var busy: [WebStage] = []

    /// For tests: what is done to each picture before it is looked at.
    package var change: ((Drawing) -> Drawing)?

    /// - Parameter views: how many snippets may be drawn at once, each in a process of its own. Default 1.
    public init(views: Int = 1) {
        precondition(views > 0, "an engine needs a view")
        capacity = views
    }

    public func draw(_ snippet: Snippet) async throws(DrawingError) -> Drawing {
        try snippet.validate()
        let backstage: Backstage
        do throws(EngineUnavailable) { backstage = try await started() } catch { throw .unavailable(error) }
        let (first, isBlank) = try await draw(snippet, with: backstage)
        if !isBlank { return first }
        var (second, isBlankAgain) = try await draw(snippet, with: backstage)
        if isBlankAgain {
            second.warnings.append(DrawingWarning(.pictureBlank, "the picture"))
            if snippet.requiresComplete { throw .incomplete(second.warnings) }
        }
        return second
    }

    /// - Returns: also, whether the picture lacks all that the document shows. The next one then comes from another process.
    private func draw(
        _ snippet: Snippet, with backstage: Backstage
    ) async throws(DrawingError) -> (drawing: Drawing, isBlank: Bool) {
        var stage = try takeStage(on: backstage)
        do throws(DrawingError) {
            return (try await draw(snippet, on: stage), stage.hasDrawnBlank)
        } catch {
            guard stage.endedBeforeCommit else { throw error }
        }
        // The process had ended before it saw anything of the snippet, which is not to blame.
        stage = try takeStage(on: backstage)
        return (try await draw(snippet, on: stage), stage.hasDrawnBlank)
    }

    private func draw(_ snippet: Snippet, on stage: WebStage) async throws(DrawingError) -> Drawing {
        busy.append(stage)
        defer { putBack(stage) }
        if let change { stage.change = change }
        return try await stage.draw(snippet)
    }

    private func takeStage(on backstage: Backstage) throws(DrawingError) -> WebStage {
        while let stage = idle.popLast() {
            if stage.isUsable { return stage }
            // Its process ended while it had nothing to do.
            stage.close()
        }
        do throws(EngineUnavailable) {
            return try WebStage(settings: backstage.settings, display: backstage.display)
        } catch {
            throw .unavailable(error)
        }
    }

    private func putBack(_ stage: WebStage) {
        busy.removeAll { $0 === stage }
        if stage.isUsable { idle.append(stage) } else { stage.close() }
    }

    /// The display and the settings, started once; who comes while they start waits for the same.
    private func started() async throws(EngineUnavailable) -> Backstage {
        if start == nil {
            start = Task { [weak self] in
                do throws(EngineUnavailable) {
                    return .success(
                        try await Backstage.start { view in
                            self?.busy.first { $0.view == view }?.scene
                        })
                } catch {
                    return .failure(error)
                }
            }
        }
        return try await start!.value.get()
    }

    public func shutDown() async {
        for stage in idle + busy { stage.close() }
        (idle, busy) = ([], [])
        if case .success(let backstage) = await start?.value { backstage.stop() }
        start = nil
    }
}

/// What the views of an engine stand on.
@MainActor
private final class Backstage {
    let display: VirtualDisplay
    let settings: WebSettings

    private init(display: VirtualDisplay, settings: WebSettings) {
        self.display = display
        self.settings = settings
    }

    static func start(
        scene: @escaping @MainActor (UnsafeMutablePointer<WebKitWebView>?) -> Scene?
    ) async throws(EngineUnavailable) -> Backstage {
        MainLoop.attach()
        let display = try await VirtualDisplay.shared()
        gtk_parse_args(nil, nil)
        try display.hold()
        PinnedSettings.apply()
        let settings = WebSettings(filter: try await ContentFilter.compile())
        ResourceScheme(scene: scene).register(with: settings.context)
        return Backstage(display: display, settings: settings)
    }

    func stop() { settings.close() }
}
