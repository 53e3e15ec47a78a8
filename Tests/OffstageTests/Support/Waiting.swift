/// A door that tasks wait at until it is opened.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func open() {
        isOpen = true
        for one in waiting { one.resume() }
        waiting = []
    }

    func pass() async {
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }
}

/// What happened, in order, and a wait until so much has.
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
