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

    /// Where each snippet's document is put before it is drawn, byte for byte as the engine gets it, to look at what a template
    /// or a host has made: `chat%2F12.html` for the identifier `chat/12`. One that cannot be written is a failure,
    /// `DrawingError.sourceNotSaved`. Nil, the default, for nowhere. What is kept from before is not drawn and not put there.
    public var documentFolder: String?

    /// Which web processes run in WebKit's sandbox. Default: all, where one can be made; where none can, the drawing of what runs
    /// page scripts fails with `DrawingError.unavailable`. To be set before the first drawing.
    public var sandbox = Sandbox.wherePossible

    /// What documents may load from the network: images, style sheets, fonts, and page scripts what they ask for. Default nothing.
    /// Pictures are then not kept, for nobody knows when a host sends something else.
    public nonisolated let allowedHosts: AllowedHosts

    private var start: Task<Result<Backstage, EngineUnavailable>, Never>?
    private let stages: StagePool
    private let limits: SnapshotLimits
    /// That something was drawn.
    private var works = false
    /// It was shut down, and nothing starts any more.
    private var hasEnded = false
    private let recycling: Recycling

    /// How many web processes ended or hung, or took too much memory, and were replaced.
    public var restarts: Int { failures + stages.losses }
    private var failures = 0

    /// How many drawings have begun; those that began earlier get their views earlier.
    private var turns = 0

    /// For tests: how many documents were written into the page of an older one, without a navigation.
    package private(set) var writings = 0

    /// For tests: what is done to each picture before it is looked at.
    package var change: ((Drawing) -> Drawing)?

    /// - Parameters:
    ///   - views: how many snippets may be drawn at once, each in a process of its own. Default 1.
    ///   - allowedHosts: default none. The first engine of a process opens the way out, or leaves it closed for all.
    public convenience init(views: Int = 1, allowedHosts: AllowedHosts = AllowedHosts()) {
        self.init(views: views, allowedHosts: allowedHosts, limits: .engine)
    }

    /// - Parameters:
    ///   - limits: of one snapshot; lower ones for tests of what goes beyond.
    ///   - recycling: the same.
    package init(
        views: Int, allowedHosts: AllowedHosts = AllowedHosts(), limits: SnapshotLimits,
        recycling: Recycling = Recycling()
    ) {
        precondition(views > 0, "an engine needs a view")
        capacity = views
        self.allowedHosts = allowedHosts
        stages = StagePool(capacity: views)
        self.limits = limits
        self.recycling = recycling
    }

    /// Whoever lets an engine go without `shutDown` ends its views and their processes all the same. The private display is the
    /// process's, and ends with that.
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
        let (first, isBlank) = try await draw(snippet, turn, with: backstage)
        if !isBlank { return first }
        var (second, isBlankAgain) = try await draw(snippet, turn, with: backstage)
        if isBlankAgain {
            second.warnings.append(DrawingWarning(.pictureBlank, "the picture"))
            if snippet.requiresComplete { throw .incomplete(second.warnings) }
        }
        return second
    }

    /// - Returns: also, whether the picture lacks all that the document shows. The next one then comes from another process.
    private func draw(
        _ snippet: Snippet, _ turn: Int, with backstage: Backstage
    ) async throws(DrawingError) -> (drawing: Drawing, isBlank: Bool) {
        // A process that had ended before it saw anything of the snippet says nothing of that.
        var (ends, blameless) = (0, 0)
        while true {
            let isFirst = ends + blameless == 0
            let kind: StageKind
            do throws(EngineUnavailable) {
                kind = try await self.kind(of: snippet)
                try checkEnd()
            } catch { throw .unavailable(error) }
            let need = StagePool.Need(kind: kind, turn: turn, isFresh: !isFirst, patience: snippet.timeout)
            let stage = try await stages.take(need, on: backstage)
            let wasFresh = stage.drawings == 0
            do throws(DrawingError) {
                let drawing = try await draw(snippet, on: stage, with: backstage)
                works = true
                return (drawing, stage.hasDrawnBlank)
            } catch {
                if stage.endedBeforeCommit, blameless < Self.mostBlameless {
                    blameless += 1
                    // A web process that cannot start at all.
                    if !works, !(stage.kind.isSandboxed && Sandbox.withdrawIfRefused()) {
                        EmptyEGL.withdraw()
                        VirtualDisplay.offerAgain()
                    }
                    continue
                }
                guard Self.deservesAnother(error, wasFresh: wasFresh), ends == 0 else { throw error }
                ends += 1
            }
        }
    }

    /// What the snippet's view has to be like.
    func kind(of snippet: Snippet) async throws(EngineUnavailable) -> StageKind {
        StageKind(snippet, isSandboxed: try await sandbox.holds(snippet))
    }

    /// In a row: then it is not the snippets.
    private static let mostBlameless = 3

    /// Whether a snippet is tried once more, alone: in a process that has drawn nothing else. Not one that hung, which has had
    /// its time.
    private static func deservesAnother(_ error: DrawingError, wasFresh: Bool) -> Bool {
        switch error {
        case .engineCrashed: true
        // What others left in the process may have filled it.
        case .overLimit(let excess): excess.limit == .memory && !wasFresh
        default: false
        }
    }

    private func draw(
        _ snippet: Snippet, on stage: WebStage, with backstage: Backstage
    ) async throws(DrawingError) -> Drawing {
        defer {
            if stage.hasFailed { failures += 1 }
            stages.putBack(stage, on: backstage)
        }
        if let change { stage.change = change }
        let drawing = try await stage.draw(snippet)
        if stage.hasWritten { writings += 1 }
        return drawing
    }

    /// The display and the settings, started once; who comes while they start waits for the same.
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
            throw EngineUnavailable(problem: "the engine was shut down", remedy: "draw with another one")
        }
    }

    /// What comes next starts another display.
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
