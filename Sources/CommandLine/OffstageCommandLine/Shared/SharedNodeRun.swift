import Foundation
import Offstage
import OffstageHTML
import OffstageRequests
import OffstageService
import OffstageShared
import Synchronization

/// The node that runs inside a command: the shelf, the class, and the work for other machines.
final class SharedNodeRun: Sendable {
    let shelf: PostgresShelf
    private let slots: Int
    private let isHere = Mutex<(worker: SharedWorker, task: Task<Void, Never>)?>(nil)
    /// Nil unless another machine has suspended the queue.
    private let lease = Mutex<SuspensionLease?>(nil)

    /// - Parameter sources: the names of the sources that it draws for others; nil for all.
    init(_ address: SharedAddress, slots: Int, sources: [String]? = nil) {
        self.slots = slots
        let identity = NodeIdentity(
            machineClass: "", parts: [], slots: slots, version: CommandLineTool.version, sources: sources)
        shelf = PostgresShelf(address, identity) { Console.error($0) }
    }

    /// Determines the class with test drawings, and joins. Nothing is shared before that.
    ///
    /// - Throws: `SharedError`, `RenderError`.
    func start(_ renderer: Renderer, _ engines: EngineOptions, allowsScripts: Bool, limits: ParsedOptions) async throws
    {
        let parts = try await ClassProbe.parts(renderer, engines)
        shelf.identify(machineClass: ClassProbe.machineClass(parts), parts: parts)
        shelf.onSuspension { [self] seconds in
            let new = seconds > 0 ? renderer.suspend(for: .seconds(seconds)) : nil
            let old = lease.withLock { lease in
                defer { lease = new }
                return lease
            }
            old?.end()
        }
        try await shelf.start()
        await shelf.noteSuspension()
        let drawing = RemoteDrawing(
            renderer, allowsScripts: allowsScripts, limits: limits, sources: shelf.identity.sources)
        let worker = SharedWorker(shelf, slots: slots) {
            drawing.room
        } draw: {
            await drawing.draw($0)
        }
        let task = Task { await worker.run() }
        isHere.withLock { $0 = (worker, task) }
    }

    /// Accepts no more work from other nodes, and waits for the rest to finish. After the time limit, cancels all of the renderer's
    /// requests; the node's end then returns the work.
    ///
    /// - Parameter seconds: nil for no limit.
    /// - Returns: false if requests were cancelled.
    func stopWorking(_ renderer: Renderer, within seconds: Double?) async -> Bool {
        guard let (worker, task) = isHere.withLock({ $0 }) else { return true }
        worker.stop()
        let limit = seconds.map { seconds in
            Task {
                guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return false }
                renderer.cancelAll()
                return true
            }
        }
        await task.value
        limit?.cancel()
        return await limit?.value != true
    }

    func stop() async { await shelf.stop() }
}
