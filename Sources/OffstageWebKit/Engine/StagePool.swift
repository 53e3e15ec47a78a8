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

/// The stages of an engine: those that draw, those that wait for the next snippet of their kind, and those that will soon.
///
/// A snippet gets a stage only once that can draw. Of several processes that start, some take longer; the first snippet would
/// otherwise wait for its own, while those behind it are drawn.
@MainActor
final class StagePool {
    private let capacity: Int
    /// The one that drew last comes last.
    private var idle: [WebStage] = []
    private var busy: [WebStage] = []
    /// Their processes start, or leave a document whose scripts go on. At least as many of each kind as `waiting` has.
    private var coming: [WebStage] = []
    /// They take the place of those that are worn, once they are ready.
    private var successors: [WebStage] = []
    /// In the order of their turns.
    private var waiting: [Waiter] = []
    /// How many stages did not leave their last document and were replaced.
    private(set) var losses = 0

    private struct Waiter {
        let need: Need
        let backstage: Backstage
        let answer: CheckedContinuation<Result<WebStage, DrawingError>, Never>
    }

    /// What a snippet's drawing asks of its stage.
    struct Need {
        let kind: StageKind
        /// Smaller numbers come first.
        let turn: Int
        /// Only one that has drawn nothing.
        let isFresh: Bool
        /// Seconds. Then it gets a stage whose process has not started yet, so that the drawing's own limits apply.
        let patience: Double

        @MainActor
        func accepts(_ stage: WebStage) -> Bool { stage.kind == kind && (!isFresh || stage.drawings == 0) }
    }

    nonisolated init(capacity: Int) { self.capacity = capacity }

    /// An idle stage, or a new one.
    func take(_ need: Need, on backstage: Backstage) async throws(DrawingError) -> WebStage {
        update()
        let isFirst = !waiting.contains { $0.need.kind == need.kind && $0.need.turn < need.turn }
        if isFirst, let stage = takeFree(need) { return stage }
        if lacksStages(for: need, besides: 1) { try makeStage(need.kind, on: backstage) }
        // No other could be there sooner, and WebKit keeps what it is to load until the process has started.
        if capacity == 1, let stage = takeStarting(need) { return stage }
        let patience = Task { [weak self] in
            do { try await Task.sleep(for: .seconds(need.patience)) } catch { return }
            self?.endPatience(of: need.turn)
        }
        defer { patience.cancel() }
        let answer = await withCheckedContinuation { answer in
            let place = waiting.firstIndex { $0.need.turn > need.turn } ?? waiting.endIndex
            waiting.insert(Waiter(need: need, backstage: backstage, answer: answer), at: place)
            assign()
        }
        return try answer.get()
    }

    func putBack(_ stage: WebStage, on backstage: Backstage) {
        busy.removeAll { $0 === stage }
        guard stage.isUsable else { return stage.close() }
        if stage.isLeaving { add(stage) } else { idle.append(stage) }
        // So that WebKit misses one whose process was killed as it started.
        if !successors.isEmpty { WebProcess.settle() }
        for dead in successors where !dead.isUsable { dead.close() }
        successors.removeAll { !$0.isUsable }
        // One after the other: each takes a processor from those that draw.
        if stage.isWorn, successors.isEmpty, let next = try? backstage.makeStage(stage.kind) { successors.append(next) }
        assign()
    }

    /// What is drawn in a view now.
    func scene(of view: UnsafeMutablePointer<WebKitWebView>?) -> Scene? { busy.first { $0.view == view }?.scene }

    /// The display is gone: those that draw fail, and are closed as they are put back.
    func lose(_ reason: EngineUnavailable) {
        end(because: .unavailable(reason))
        for stage in busy { stage.loseDisplay(reason) }
    }

    func close() {
        end(because: .finished)
        for stage in busy { stage.close() }
        busy = []
    }

    private func end(because reason: DrawingError) {
        for stage in idle + coming + successors { stage.close() }
        (idle, coming, successors) = ([], [], [])
        for waiter in waiting { waiter.answer.resume(returning: .failure(reason)) }
        waiting = []
    }
}

extension StagePool {
    private func makeStage(_ kind: StageKind, on backstage: Backstage) throws(DrawingError) {
        // As many again as may draw: snippets of two kinds by turns do not start a web process each.
        while !idle.isEmpty, idle.count + busy.count + coming.count >= 2 * capacity { idle.removeFirst().close() }
        if let index = successors.firstIndex(where: { $0.kind == kind && $0.isUsable }) {
            return add(successors.remove(at: index))
        }
        do throws(EngineUnavailable) { add(try backstage.makeStage(kind)) } catch { throw .unavailable(error) }
    }

    private func add(_ stage: WebStage) {
        // Later: it may be told in the middle of a signal of its view, which must outlive that.
        stage.becameFree = { [weak self] in Task { self?.assign() } }
        coming.append(stage)
    }

    private func count(_ stages: [WebStage], for need: Need) -> Int { stages.count(where: need.accepts) }

    /// A stage of the kind is to come for each of those that wait.
    private func lacksStages(for need: Need, besides others: Int) -> Bool {
        count(coming, for: need) < waiting.count { $0.need.kind == need.kind } + others
    }

    /// Sorts out what has changed: stages whose processes have started, have left their documents, or have ended.
    private func update() {
        // Their processes ended while they had nothing to do.
        for stage in idle where !stage.isUsable { stage.close() }
        idle.removeAll { !$0.isUsable }
        for stage in coming where !stage.isUsable && stage.drawings > 0 {
            losses += 1
            stage.close()
        }
        coming.removeAll { !$0.isUsable && $0.drawings > 0 }
        for stage in coming where stage.isFree { idle.insert(stage, at: stage.drawings > 0 ? idle.endIndex : 0) }
        coming.removeAll(where: \.isFree)
    }

    private func assign() {
        update()
        for waiter in waiting {
            let stage = takeFree(waiter.need)
            if let stage { answer(waiter, .success(stage)) }
        }
        for waiter in waiting where lacksStages(for: waiter.need, besides: 0) {
            do throws(DrawingError) { try makeStage(waiter.need.kind, on: waiter.backstage) } catch {
                answer(waiter, .failure(error))
            }
        }
    }

    private func answer(_ waiter: Waiter, _ answer: Result<WebStage, DrawingError>) {
        waiting.removeAll { $0.need.turn == waiter.need.turn }
        waiter.answer.resume(returning: answer)
    }

    private func endPatience(of turn: Int) {
        update()
        guard let waiter = waiting.first(where: { $0.need.turn == turn }), let stage = takeStarting(waiter.need)
        else { return }
        answer(waiter, .success(stage))
    }

    private func takeFree(_ need: Need) -> WebStage? {
        replaceWorn(need.kind)
        if let index = idle.lastIndex(where: { $0.isUsable && need.accepts($0) }) {
            busy.append(idle.remove(at: index))
            return busy.last
        }
        // It could not start: the drawing finds out, and counts how often that happens.
        return takeComing { !$0.isUsable && need.accepts($0) }
    }

    private func takeStarting(_ need: Need) -> WebStage? {
        takeComing { !$0.isReady && $0.drawings == 0 && need.accepts($0) }
    }

    private func takeComing(where isMeant: (WebStage) -> Bool) -> WebStage? {
        guard let index = coming.firstIndex(where: isMeant) else { return nil }
        busy.append(coming.remove(at: index))
        return busy.last
    }

    private func replaceWorn(_ kind: StageKind) {
        guard let worn = idle.firstIndex(where: { $0.kind == kind && $0.isWorn }),
            let ready = successors.firstIndex(where: { $0.kind == kind && $0.isReady && $0.isUsable })
        else { return }
        idle.remove(at: worn).close()
        idle.append(successors.remove(at: ready))
    }
}
