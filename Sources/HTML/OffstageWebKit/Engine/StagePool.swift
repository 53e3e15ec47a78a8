import CWebKitGTK
import Offstage

/// The stages of an engine: those that are drawing, those that wait for the next snippet of their kind, and those that
/// are starting.
///
/// A snippet gets a stage only once the stage can draw. If snippets were bound to stages earlier, the first snippet
/// could wait for a process that starts slowly while other processes draw later snippets.
@MainActor
final class StagePool {
    private let capacity: Int
    /// Free stages. The one that drew last is the last element.
    private var idle: [WebStage] = []
    private var busy: [WebStage] = []
    /// Stages whose processes are starting, or are leaving a document whose scripts continue. For each kind, there are
    /// at least as many as requests in `waiting`.
    private var coming: [WebStage] = []
    /// Stages that replace worn ones as soon as they are ready.
    private var successors: [WebStage] = []
    /// Requests without a stage, in the order of their turns.
    private var waiting: [Waiter] = []
    /// The number of stages that were replaced because they did not leave their last document.
    private(set) var losses = 0

    private struct Waiter {
        let need: Need
        let backstage: Backstage
        let answer: CheckedContinuation<Result<WebStage, DrawingError>, Never>
    }

    /// The requirements of a snippet's drawing for its stage.
    struct Need {
        let kind: StageKind
        /// Requests with smaller numbers get stages earlier.
        let turn: Int
        /// True to accept only a stage that has drawn nothing.
        let isFresh: Bool
        /// True to accept only a stage that has not drawn a document with this address.
        let address: String?
        /// The maximum wait in seconds. After it, the request gets a stage whose process has not started yet, so that
        /// the drawing's own limits apply.
        let patience: Double

        @MainActor
        func accepts(_ stage: WebStage) -> Bool {
            stage.kind == kind && (!isFresh || stage.life.drawings == 0)
                && !(address.map(stage.addresses.contains) ?? false)
        }
    }

    nonisolated init(capacity: Int) { self.capacity = capacity }

    /// Returns an idle stage, or a new one.
    func take(_ need: Need, on backstage: Backstage) async throws(DrawingError) -> WebStage {
        update()
        let isFirst = !waiting.contains { $0.need.kind == need.kind && $0.need.turn < need.turn }
        if isFirst, let stage = takeFree(need) { return stage }
        if lacksStages(for: need, besides: 1) { try makeStage(need, on: backstage) }
        // No other stage could be ready sooner, and WebKit delays a load until the process has started. Don't do this
        // while another request draws or waits: the first ready stage then belongs to the first request.
        if capacity == 1, isFirst, busy.isEmpty, let stage = takeStarting(need) { return stage }
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
        if stage.life.work == .leaving { add(stage) } else { idle.append(stage) }
        // This lets WebKit notice that a successor's process was killed as it started.
        if !successors.isEmpty { WebProcess.settle() }
        for dead in successors where !dead.isUsable { dead.close() }
        successors.removeAll { !$0.isUsable }
        // One successor at a time: each takes a processor from the stages that draw.
        if stage.life.isWorn, successors.isEmpty, let next = try? backstage.makeStage(stage.kind) {
            successors.append(next)
        }
        assign()
    }

    /// Returns the scene that a view draws now.
    func scene(of view: UnsafeMutablePointer<WebKitWebView>?) -> Scene? { busy.first { $0.view == view }?.scene }

    /// Records that the display is gone. The drawings in progress fail, and `putBack` closes their stages.
    func lose(_ reason: EngineUnavailable) {
        end(because: .unavailable(reason))
        for stage in busy { stage.end(.unavailable(reason)) }
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
    private func makeStage(_ need: Need, on backstage: Backstage) throws(DrawingError) {
        let kind = need.kind
        // Keep twice as many stages as may draw, so that alternating snippets of two kinds do not each start a web
        // process. Close stages of the same kind first, because the snippet cannot use them.
        while idle.count + busy.count + coming.count >= 2 * capacity {
            if let index = coming.firstIndex(where: {
                $0.kind == kind && $0.life.work == .leaving && !need.accepts($0)
            }) {
                coming.remove(at: index).close()
            } else if !idle.isEmpty {
                idle.remove(at: idle.firstIndex { $0.kind == kind } ?? 0).close()
            } else {
                break
            }
        }
        if let index = successors.firstIndex(where: { $0.kind == kind && $0.isUsable }) {
            return add(successors.remove(at: index))
        }
        do throws(EngineUnavailable) { add(try backstage.makeStage(kind)) } catch { throw .unavailable(error) }
    }

    private func add(_ stage: WebStage) {
        // Do this in a later turn, because a signal of the stage's view may have caused this call, and the view must
        // outlive its signal.
        stage.becameFree = { [weak self] in Task { self?.assign() } }
        coming.append(stage)
    }

    private func count(_ stages: [WebStage], for need: Need) -> Int { stages.count(where: need.accepts) }

    /// Returns true if fewer stages of the kind are starting than requests are waiting for one.
    private func lacksStages(for need: Need, besides others: Int) -> Bool {
        count(coming, for: need) < waiting.count { $0.need.kind == need.kind } + others
    }

    /// Moves stages whose processes have started or have left their documents to `idle`, and closes those whose processes ended.
    private func update() {
        // For these stages, the processes ended between two drawings.
        for stage in idle where !stage.isUsable { stage.close() }
        idle.removeAll { !$0.isUsable }
        for stage in coming where !stage.isUsable && stage.life.drawings > 0 {
            if stage.life.loss != nil { losses += 1 }
            stage.close()
        }
        coming.removeAll { !$0.isUsable && $0.life.drawings > 0 }
        for stage in coming where stage.life.isFree {
            idle.insert(stage, at: stage.life.drawings > 0 ? idle.endIndex : 0)
        }
        coming.removeAll(where: \.life.isFree)
    }

    private func assign() {
        update()
        for waiter in waiting {
            let stage = takeFree(waiter.need)
            if let stage { answer(waiter, .success(stage)) }
        }
        for waiter in waiting where lacksStages(for: waiter.need, besides: 0) {
            do throws(DrawingError) { try makeStage(waiter.need, on: waiter.backstage) } catch {
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
        // The stage's process could not start. `ProcessLife.begin` refuses the drawing, and `Attempts` counts how often that happens.
        return takeComing { !$0.isUsable && need.accepts($0) }
    }

    private func takeStarting(_ need: Need) -> WebStage? {
        takeComing { $0.life.state == .starting && $0.life.drawings == 0 && need.accepts($0) }
    }

    private func takeComing(where isMeant: (WebStage) -> Bool) -> WebStage? {
        guard let index = coming.firstIndex(where: isMeant) else { return nil }
        busy.append(coming.remove(at: index))
        return busy.last
    }

    private func replaceWorn(_ kind: StageKind) {
        guard let worn = idle.firstIndex(where: { $0.kind == kind && $0.life.isWorn }),
            let ready = successors.firstIndex(where: { $0.kind == kind && $0.life.state == .ready })
        else { return }
        idle.remove(at: worn).close()
        idle.append(successors.remove(at: ready))
    }
}
