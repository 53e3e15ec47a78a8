/// The callers that wait for a worker, first come, first served.
actor WorkerLine {
    private let capacity: Int
    private var inside = 0
    private var tickets = 0
    private var waiting: [(ticket: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    private var observers: [CheckedContinuation<Void, Never>] = []

    init(capacity: Int) { self.capacity = capacity }

    /// Waits until fewer than `capacity` callers are inside.
    ///
    /// - Returns: false if the task was cancelled meanwhile; the caller is then not inside.
    func enter() async -> Bool {
        if Task.isCancelled { return false }
        if inside < capacity {
            inside += 1
            return true
        }
        tickets += 1
        let ticket = tickets
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Do this on this actor, so that a later cancellation finds the entry.
                if Task.isCancelled { return continuation.resume(returning: false) }
                waiting.append((ticket, continuation))
            }
        } onCancel: {
            Task { await cancel(ticket) }
        }
    }

    /// Lets in the next caller.
    func leave() {
        if waiting.isEmpty {
            inside -= 1
            if inside == 0 {
                for observer in observers { observer.resume() }
                observers = []
            }
        } else {
            // Hands over the slot to the next caller.
            waiting.removeFirst().continuation.resume(returning: true)
        }
    }

    /// Waits until no caller is inside or waiting.
    func waitUntilEmpty() async {
        if inside == 0 { return }
        await withCheckedContinuation { observers.append($0) }
    }

    private func cancel(_ ticket: Int) {
        guard let place = waiting.firstIndex(where: { $0.ticket == ticket }) else { return }
        waiting.remove(at: place).continuation.resume(returning: false)
    }
}
