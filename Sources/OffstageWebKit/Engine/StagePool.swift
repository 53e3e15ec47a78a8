import CWebKitGTK
import Offstage

/// What a view is made with and keeps: snippets that differ in it need views of their own.
struct StageKind: Hashable {
    var locale: WebContext.Locale
    var runsScripts: Bool
    var isSandboxed: Bool

    init(_ snippet: Snippet, _ sandbox: Sandbox) {
        locale = WebContext.Locale(language: snippet.emulation.language, timeZone: snippet.emulation.timeZone)
        runsScripts = snippet.runsScripts
        isSandboxed = sandbox.isWanted(for: snippet)
    }
}

/// The stages of an engine: those that draw, and those that wait for the next snippet of their kind.
@MainActor
struct StagePool {
    private let capacity: Int
    /// The one that drew last comes last.
    private var idle: [WebStage] = []
    private var busy: [WebStage] = []

    nonisolated init(capacity: Int) { self.capacity = capacity }

    /// An idle stage of this kind, or a new one.
    mutating func take(_ kind: StageKind, on backstage: Backstage) throws(DrawingError) -> WebStage {
        // Their processes ended while they had nothing to do.
        for stage in idle where !stage.isUsable { stage.close() }
        idle.removeAll { !$0.isUsable }
        let stage: WebStage
        if let index = idle.lastIndex(where: { $0.kind == kind }) {
            stage = idle.remove(at: index)
        } else {
            // As many again as may draw: snippets of two kinds by turns do not start a web process each.
            if !idle.isEmpty, idle.count + busy.count >= 2 * capacity { idle.removeFirst().close() }
            do throws(EngineUnavailable) { stage = try backstage.makeStage(kind) } catch { throw .unavailable(error) }
        }
        busy.append(stage)
        return stage
    }

    mutating func putBack(_ stage: WebStage) {
        busy.removeAll { $0 === stage }
        if stage.isUsable { idle.append(stage) } else { stage.close() }
    }

    /// What is drawn in a view now.
    func scene(of view: UnsafeMutablePointer<WebKitWebView>?) -> Scene? { busy.first { $0.view == view }?.scene }

    mutating func close() {
        for stage in idle + busy { stage.close() }
        (idle, busy) = ([], [])
    }
}
