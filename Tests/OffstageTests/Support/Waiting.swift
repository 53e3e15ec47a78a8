import Synchronization

/// A gate at which tasks wait until it opens, for all or for one by name.
actor Gate {
    private var isOpen = false
    private var allowed: [String] = []
    private var waiting: [(name: String, continuation: CheckedContinuation<Void, Never>)] = []

    func open() {
        isOpen = true
        for one in waiting { one.continuation.resume() }
        waiting = []
    }

    /// Lets one task with this name pass, now or when it arrives.
    func open(for name: String) {
        if let index = waiting.firstIndex(where: { $0.name == name }) {
            waiting.remove(at: index).continuation.resume()
        } else {
            allowed.append(name)
        }
    }

    func pass(_ name: String = "") async {
        if isOpen { return }
        if let index = allowed.firstIndex(of: name) {
            allowed.remove(at: index)
            return
        }
        await withCheckedContinuation { waiting.append((name, $0)) }
    }
}

/// Records events in order; a test can wait for a number of them.
actor Journal {
    private(set) var entries: [String] = []
    private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    func note(_ entry: String) {
        entries.append(entry)
        for one in waiting where one.count <= entries.count { one.continuation.resume() }
        waiting.removeAll { $0.count <= entries.count }
    }

    func wait(for count: Int) async {
        if entries.count >= count { return }
        await withCheckedContinuation { waiting.append((count, $0)) }
    }
}

/// A record for writers on any thread. Readers that wait can be told to stop.
final class Record<Entry: Sendable>: Sendable {
    private struct State {
        var entries: [Entry] = []
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var isGivenUp = false
    }

    private let state = Mutex(State())

    var entries: [Entry] { state.withLock { $0.entries } }

    func note(_ entry: Entry) {
        let ready = state.withLock { state in
            state.entries.append(entry)
            let ready = state.waiting.filter { $0.count <= state.entries.count }
            state.waiting.removeAll { $0.count <= state.entries.count }
            return ready
        }
        for one in ready { one.continuation.resume() }
    }

    func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.isGivenUp || state.entries.count >= count { return true }
                state.waiting.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    func giveUp() {
        let waiting = state.withLock { state in
            state.isGivenUp = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.continuation.resume() }
    }
}
