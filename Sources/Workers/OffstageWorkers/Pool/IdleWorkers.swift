import Offstage

/// The client or document that a worker belongs to.
struct WorkerOwner {
    /// The client's name. Nil unless `kind` is `client`.
    private let client: String?
    /// The owner is a document, as long as it is in use.
    private weak var document: WorkerDocument?
    private let kind: Kind

    private enum Kind { case all, client, document }

    /// - Parameters:
    ///   - client: the client of the job, if any.
    init(_ fresh: FreshWorkers, client: RenderClient?, _ job: WorkerJob) {
        let name = client.flatMap { $0.isSeveral || $0.name.isEmpty ? nil : $0.name }
        self.client = fresh == .client ? name : nil
        kind = fresh == .never ? .all : self.client == nil ? .document : .client
        document = kind == .document ? job.shared : nil
    }

    /// True if the owner cannot return.
    var isGone: Bool { kind == .document && document == nil }

    func isSame(as other: WorkerOwner) -> Bool {
        switch (kind, other.kind) {
        case (.all, .all): true
        case (.client, .client): client == other.client
        case (.document, .document): document != nil && document === other.document
        default: false
        }
    }
}

/// The workers of a pool that have drawn and can draw again; the most recent one last.
struct IdleWorkers {
    private var all: [(worker: WorkerProcess, owner: WorkerOwner)] = []

    var count: Int { all.count }
    var workers: [WorkerProcess] { all.map(\.worker) }

    /// Takes the one that was last used for the same owner: its memory is still in the processor's cache.
    mutating func take(for owner: WorkerOwner) -> WorkerProcess? {
        all.lastIndex { $0.owner.isSame(as: owner) && $0.worker.isReusable }.map { all.remove(at: $0).worker }
    }

    mutating func add(_ worker: WorkerProcess, of owner: WorkerOwner) { all.append((worker, owner)) }

    /// Removes workers that must not draw again: those whose owner is gone, and the oldest ones above a limit.
    mutating func takeSurplus(over limit: Int) -> [WorkerProcess] {
        var surplus: [WorkerProcess] = []
        all.removeAll { one in
            let isSurplus = one.owner.isGone || !one.worker.isReusable
            if isSurplus { surplus.append(one.worker) }
            return isSurplus
        }
        while all.count > max(0, limit) { surplus.append(all.removeFirst().worker) }
        return surplus
    }
}
