import Foundation
import Offstage
import OffstageGLib

/// Draws snippets with WebKitGTK: a pool of hidden web views, each with a web process of its own, on a private display.
///
/// Nothing starts before the first drawing. Make and use it on the main actor, whose jobs GLib's main loop must run
/// (`MainLoop`); a renderer may call `draw` from anywhere.
@MainActor
public final class WebEngine: Engine {
    public nonisolated let capacity: Int
    public nonisolated var isolation: (any Actor)? { MainActor.shared }
    /// The largest picture, device px.
    public nonisolated static let sizeLimit = PixelSize(
        width: SnapshotLimits.engine.side, height: SnapshotLimits.heightLimit)

    /// A folder into which the engine writes each snippet's document before it draws it, byte for byte, so that you can look at
    /// the output of a template or a host: `chat%2F12.html` for the identifier `chat/12`. A document that cannot be written is an
    /// error, `DrawingError.sourceNotSaved`. Default nil: no folder. Cached pictures are not drawn, so their documents are not
    /// written.
    public var documentFolder: String?

    /// The web processes that run in WebKit's sandbox. Default: all, on a machine that allows a sandbox. On other machines,
    /// snippets with page scripts fail with `DrawingError.unavailable`. Set this before the first drawing.
    public var sandbox = Sandbox.wherePossible

    /// The hosts from which documents may load images, style sheets and fonts, and from which page scripts may load
    /// anything. Default: none. With allowed hosts, pictures are not cached, because a host may send something else at
    /// any time.
    public nonisolated let allowedHosts: AllowedHosts

    private var start: Task<Result<Backstage, EngineUnavailable>, Never>?
    private let stages: StagePool
    private let limits: SnapshotLimits
    /// True if the engine has drawn a picture.
    private var works = false
    /// True after the engine was shut down. Nothing can be started any more.
    private var hasEnded = false
    private let recycling: Recycling

    /// The number of web processes that were replaced because they ended, hung or took too much memory.
    public var restarts: Int { failures + stages.losses }
    private var failures = 0

    /// The number of drawings that have begun. Drawings that began earlier get their views earlier.
    private var turns = 0

    /// For tests: the number of documents that were written into the page of an older one, without a navigation.
    package private(set) var writings = 0

    /// For tests: changes each picture before the stage examines it.
    package var change: ((Drawing) -> Drawing)?

    /// - Parameters:
    ///   - views: the number of snippets that the engine may draw at once, each in its own process. Default 1.
    ///   - allowedHosts: the hosts from which documents may load; default none. The first engine of a process decides
    ///     for all engines whether the network can be used.
    public convenience init(views: Int = 1, allowedHosts: AllowedHosts = AllowedHosts()) {
        self.init(views: views, allowedHosts: allowedHosts, limits: .engine)
    }

    /// - Parameters:
    ///   - limits: the limits of one snapshot. Tests set lower ones.
    ///   - recycling: the limits of one web process. Tests set lower ones.
    package init(
        views: Int, allowedHosts: AllowedHosts = AllowedHosts(), limits: SnapshotLimits,
        recycling: Recycling = Recycling()
    ) {
        precondition(views > 0, "an engine needs at least one view")
        capacity = views
        self.allowedHosts = allowedHosts
        stages = StagePool(capacity: views)
        self.limits = limits
        self.recycling = recycling
    }

    /// Ends the views and their processes, even without `shutDown`. The private display belongs to the process, and ends with it.
    isolated deinit {
        VirtualDisplay.losses.remove(self)
        stages.close()
    }

    public func draw(_ snippet: Snippet) async throws(DrawingError) -> Drawing {
        turns += 1
        let turn = turns
        try snippet.validate()
        if let documentFolder { try await snippet.saveDocument(in: documentFolder) }
        let backstage: Backstage
        do throws(EngineUnavailable) {
            sandbox.look()
            backstage = try await started(for: snippet)
        } catch { throw .unavailable(error) }
        let appearance = Appearance(snippet.emulation)
        await AppearanceGate.shared.enter(appearance)
        defer { AppearanceGate.shared.leave() }
        return try await draw(snippet, turn, with: backstage)
    }

    private func draw(
        _ snippet: Snippet, _ turn: Int, with backstage: Backstage
    ) async throws(DrawingError) -> Drawing {
        var attempts = Attempts()
        var refusesFrameDocuments = false
        var languages: Set<String> = []
        let address = SceneAddress.visible(of: snippet)
        while true {
            let kind: StageKind
            do throws(EngineUnavailable) {
                kind = try await self.kind(of: snippet)
                try checkEnd()
            } catch { throw .unavailable(error) }
            let need = StagePool.Need(
                kind: kind, turn: turn, isFresh: attempts.needFreshProcess, address: address,
                patience: snippet.timeout)
            let stage = try await stages.take(need, on: backstage)
            stage.refusesFrameDocuments = refusesFrameDocuments
            (stage.hyphenated, stage.lackedLanguages) = (languages, [])
            switch attempts.next(after: await draw(snippet, on: stage, with: backstage)) {
            case .answer(let drawn, let isBlank):
                return try checked(drawn.drawing, isBlank: isBlank, for: snippet)
            case .again: if !works { loosenStart(of: stage.kind) }
            case .alone, .redraw: break
            // WebKit does not reveal whether a frame or the document itself requests this address.
            case .giveUp(.left) where stage.hasLeftForFrameDocument && !refusesFrameDocuments:
                refusesFrameDocuments = true
            // A style sheet in the base folder enables hyphenation. This time, the dictionaries are loaded first.
            case .giveUp where !stage.lackedLanguages.isEmpty && languages.isEmpty: languages = stage.lackedLanguages
            case .giveUp(let error): throw error
            }
        }
    }

    private func checked(
        _ drawing: Drawing, isBlank: Bool, for snippet: Snippet
    ) throws(DrawingError) -> Drawing {
        guard isBlank else { return drawing }
        var drawing = drawing
        drawing.warnings.append(DrawingWarning(.pictureBlank, "the picture"))
        if snippet.requiresComplete { throw .incomplete(drawing.warnings) }
        return drawing
    }

    /// Called if no web process has worked yet. Removes obstacles that may prevent their start.
    private func loosenStart(of kind: StageKind) {
        if kind.isSandboxed, Sandbox.withdrawIfRefused() { return }
        EmptyEGL.withdraw()
        VirtualDisplay.offerAgain()
    }

    /// Returns the properties that the snippet's view must have.
    func kind(of snippet: Snippet) async throws(EngineUnavailable) -> StageKind {
        StageKind(snippet, isSandboxed: try await sandbox.holds(snippet))
    }

    private func draw(
        _ snippet: Snippet, on stage: WebStage, with backstage: Backstage
    ) async -> Attempts.Outcome<WebStage.Drawn> {
        if let change { stage.change = change }
        let outcome = await stage.draw(snippet)
        if case .drawn(let drawn, _) = outcome {
            works = true
            if drawn.isWritten { writings += 1 }
        }
        if stage.life.loss != nil { failures += 1 }
        stages.putBack(stage, on: backstage)
        return outcome
    }

    /// Returns the display and the settings. The first call starts them, and calls during the start wait for it.
    func started(for snippet: Snippet) async throws(EngineUnavailable) -> Backstage {
        try checkEnd()
        if start == nil {
            VirtualDisplay.losses.add(self) { [weak self] loss in self?.lose(loss) }
            start = Task { [weak self, limits, recycling, allowedHosts] in
                do throws(EngineUnavailable) {
                    return .success(
                        try await Backstage.start(
                            limits: limits, recycling: recycling, hosts: allowedHosts,
                            kind: { try? await self?.kind(of: snippet) },
                            scene: { view in self?.stages.scene(of: view) ?? LiveView.scene(of: view) }))
                } catch {
                    return .failure(error)
                }
            }
        }
        let backstage = try await start!.value.get()
        try checkEnd()
        return backstage
    }

    private func checkEnd() throws(EngineUnavailable) {
        if hasEnded {
            throw EngineUnavailable(problem: "the engine was shut down", remedy: "create a new engine")
        }
    }

    /// Ends all drawings. The next one starts another display.
    private func lose(_ reason: EngineUnavailable) {
        start = nil
        stages.lose(reason)
    }

    public func shutDown() async {
        hasEnded = true
        VirtualDisplay.losses.remove(self)
        stages.close()
        start = nil
    }
}
