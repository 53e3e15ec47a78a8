import CWebKitGTK
import Offstage

/// What a view is made with and keeps: snippets that differ in it need views of their own.
struct StageKind: Hashable {
    var locale: WebContext.Locale
    var runsScripts: Bool
    var isSandboxed: Bool

    init(_ snippet: Snippet, isSandboxed: Bool) {
        locale = WebContext.Locale(language: snippet.emulation.language, timeZone: snippet.emulation.timeZone)
        runsScripts = snippet.runsScripts
        self.isSandboxed = isSandboxed
    }
}

/// The stages of an engine: those that draw, and those that wait for the next snippet of their kind.
@MainActor
struct StagePool {
    private let capacity: Int
    /// The one that drew last comes last.
    private var idle: [WebStage] = []
    private var busy: [WebStage] = []
    /// They take the place of those that are worn, once they are ready.
    private var successors: [WebStage] = []

    nonisolated init(capacity: Int) { self.capacity = capacity }

    /// An idle stage of this kind, or a new one.
    ///
    /// - Parameter isFresh: only one that has drawn nothing.
    mutating func take(
        _ kind: StageKind, isFresh: Bool = false, on backstage: Backstage
    ) throws(DrawingError) -> WebStage {
        // Their processes ended while they had nothing to do.
        for stage in idle where !stage.isUsable { stage.close() }
        idle.removeAll { !$0.isUsable }
        if let worn = idle.firstIndex(where: { $0.kind == kind && $0.isWorn }),
            let ready = successors.firstIndex(where: { $0.kind == kind && $0.isReady })
        {
            idle.remove(at: worn).close()
            idle.append(successors.remove(at: ready))
        }
        let stage: WebStage
        if let index = idle.lastIndex(where: { $0.kind == kind && (!isFresh || $0.drawings == 0) }) {
            stage = idle.remove(at: index)
        } else {
            // As many again as may draw: snippets of two kinds by turns do not start a web process each.
            while !idle.isEmpty, idle.count + busy.count >= 2 * capacity { idle.removeFirst().close() }
            if let index = successors.firstIndex(where: { $0.kind == kind && $0.isUsable }) {
                stage = successors.remove(at: index)
            } else {
                do throws(EngineUnavailable) { stage = try backstage.makeStage(kind) } catch {
                    throw .unavailable(error)
                }
            }
        }
        busy.append(stage)
        return stage
    }

    mutating func putBack(_ stage: WebStage, on backstage: Backstage) {
        busy.removeAll { $0 === stage }
        guard stage.isUsable else { return stage.close() }
        idle.append(stage)
        // So that WebKit misses one whose process was killed as it started.
        if !successors.isEmpty { WebProcess.settle() }
        for dead in successors where !dead.isUsable { dead.close() }
        successors.removeAll { !$0.isUsable }
        // One after the other: each takes a processor from those that draw.
        if stage.isWorn, successors.isEmpty, let next = try? backstage.makeStage(stage.kind) { successors.append(next) }
    }

    /// What is drawn in a view now.
    func scene(of view: UnsafeMutablePointer<WebKitWebView>?) -> Scene? { busy.first { $0.view == view }?.scene }

    /// The display is gone: those that draw fail, and are closed as they are put back.
    mutating func lose(_ reason: EngineUnavailable) {
        for stage in idle + successors { stage.close() }
        (idle, successors) = ([], [])
        for stage in busy { stage.loseDisplay(reason) }
    }

    mutating func close() {
        for stage in idle + busy + successors { stage.close() }
        (idle, busy, successors) = ([], [], [])
    }
}
