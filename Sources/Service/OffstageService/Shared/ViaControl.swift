import Foundation
import Offstage
import OffstageShared
import Synchronization

/// A request's position in the queue of several machines, while it waits there or is not submitted yet.
final class ViaControl: RequestControlling {
    private struct State {
        var options: RenderOptions
        var isCancelled = false
        /// The key of the submitted job.
        var key: Digest?
    }

    private let shelf: PostgresShelf
    private let renderer: Renderer
    private let state: Mutex<State>

    /// - Parameter renderer: the program's own renderer, which it may suspend.
    init(_ shelf: PostgresShelf, _ renderer: Renderer, _ options: RenderOptions) {
        (self.shelf, self.renderer) = (shelf, renderer)
        state = Mutex(State(options: options))
    }

    /// The request's options, with its latest priority.
    var options: RenderOptions { state.withLock { $0.options } }

    /// Records the submitted job.
    func submit(_ key: Digest) { state.withLock { $0.key = key } }

    /// The interval between two checks of the program's suspension.
    private static let pause = Duration.milliseconds(20)

    /// Waits while the program has suspended its drawings. Meanwhile, only immediate requests are submitted.
    ///
    /// - Returns: false for a cancelled request.
    func untilAllowed() async -> Bool {
        while isSuspended(request: 0) {
            guard (try? await Task.sleep(for: Self.pause)) != nil else { return false }
        }
        return !state.withLock { $0.isCancelled } && !Task.isCancelled
    }

    // MARK: RequestControlling

    func setPriority(_ priority: RenderPriority, ofRequest number: Int) {
        let key = state.withLock { state in
            state.options.priority = priority
            return state.key
        }
        if let key { Task { [shelf] in await shelf.setPriority(priority.rawValue, of: key) } }
    }

    func cancel(requests numbers: [Int]) { state.withLock { $0.isCancelled = true } }

    func isSuspended(request number: Int) -> Bool {
        let waits = state.withLock { !$0.options.isImmediate && !$0.isCancelled && $0.key == nil }
        return waits && renderer.isSuspended
    }
}
