/// The queue's state machine. It takes no locks and makes no callbacks; work to do after unlocking is collected in `effects`.
///
/// A *request* waits for an answer. A *job* is a piece of work for one or several requests, in a *lane*: that of the engine which
/// does it. A request has a number, and a job the number of the request that brought it.
struct QueueState<Key: Hashable & Sendable, Value: Sendable> {
    typealias Outcome = Result<Value, DrawingError>
    typealias Answer = @Sendable (Outcome) -> Void
    /// - Parameter number: the job's, for its events.
    typealias Work = nonisolated(nonsending) @Sendable (_ number: Int) async -> Outcome
    /// Whether what work brought is right for who asked after it began.
    typealias Check = nonisolated(nonsending) @Sendable (Value) async -> Bool

    struct Request {
        let identifier: String
        let group: String?
        let client: RenderClient
        var priority: RenderPriority
        let isImmediate: Bool
        let answer: Answer
        /// Nil until it is known that work is needed.
        var job: Int?
        /// Its own, where it joined work that ran already and may not hold for it.
        var work: Work?
    }

    struct Job {
        /// Of the request that brought it; it may have been cancelled since.
        let identifier: String
        let lane: Int
        let key: Key?
        let check: Check
        let work: Work
        /// Waiting requests, oldest first. Empty if all were cancelled after the job started.
        var requests: [Int]
        var isRunning = false
        /// The last request that was there when the work, or the last check of what it brought, began.
        var lastInTime = 0
    }

    /// What follows from a change, for after the lock. Requests and jobs are let go of there too: what they hold may have a
    /// `deinit` that comes back to the queue.
    struct Effects {
        var answers: [(request: Request, outcome: Outcome)] = []
        var jobs: [Job] = []
        /// How many operations to add.
        var slots = 0
        var idle: [CheckedContinuation<Void, Never>] = []
    }

    /// How many jobs run at once, in all lanes.
    let width: Int
    let maximumWaiting: Int?
    let allowsImmediate: Bool
    let events: EventHub

    var requests: [Int: Request] = [:]
    var jobs: [Int: Job] = [:]
    var jobsByKey: [Key: Int] = [:]
    var lanes: [QueueLane]
    /// So many times in a row another lane went before the one with the oldest job.
    var overtakes = 0
    /// Operations that were added and are not over. Those that run no job are about to take one, or find none.
    var claimed = 0
    var running = 0
    /// Who suspends the queue; 0 is the simple form.
    var leases: Set<Int> = []
    var lastLease = 0
    var isClosed = false
    var lastNumber = 0
    /// Threads that are giving answers at the moment.
    var deliveries = 0
    var idleWaiters: [CheckedContinuation<Void, Never>] = []
    var effects = Effects()

    /// - Parameters:
    ///   - lanes: the width of each, at least one.
    ///   - width: of all lanes together.
    init(lanes: [Int], width: Int, maximumWaiting: Int?, allowsImmediate: Bool, events: EventHub) {
        precondition(!lanes.isEmpty && lanes.allSatisfy { $0 > 0 }, "an engine has to have a capacity of 1 or more")
        precondition(width > 0, "`RendererConfiguration.width` has to be 1 or more, or nil")
        precondition(maximumWaiting ?? 0 >= 0, "`maximumWaiting` has to be 0 or more, or nil")
        self.lanes = lanes.map { QueueLane(width: $0) }
        self.width = width
        self.maximumWaiting = maximumWaiting
        self.allowsImmediate = allowsImmediate
        self.events = events
    }

    var isSuspended: Bool { !leases.isEmpty }
    /// No one waits for an answer, be it on its way, and nothing runs.
    var isIdle: Bool { requests.isEmpty && claimed == 0 && deliveries == 0 }

    // MARK: Requests

    /// A request is there. It is answered from elsewhere, or gets its work with `enqueue`.
    mutating func open(_ identifier: String, _ options: RenderOptions, _ answer: @escaping Answer) -> Int {
        lastNumber += 1
        requests[lastNumber] = Request(
            identifier: identifier, group: options.group, client: options.client ?? .anonymous,
            priority: options.priority, isImmediate: options.isImmediate, answer: answer)
        events.record(.submitted, identifier, request: lastNumber)
        if isClosed { self.answer(lastNumber, .failure(.finished)) }
        return lastNumber
    }

    /// Gives a request its answer, unless it has one. A job that no one waits for any more leaves the line; one that runs
    /// is finished.
    mutating func answer(_ number: Int, _ outcome: Outcome) {
        guard let request = requests.removeValue(forKey: number) else { return }
        effects.answers.append((request, outcome))
        switch outcome {
        case .success: break
        case .failure(.cancelled): events.record(.cancelled, request.identifier, request: number)
        case .failure(let reason): events.record(.failed(reason), request.identifier, request: number)
        }
        guard let job = request.job, jobs[job] != nil else { return }
        jobs[job]?.requests.removeAll { $0 == number }
        placeInLine(job)
    }

    mutating func cancel(where isMeant: (Request) -> Bool) {
        for number in requests.filter({ isMeant($0.value) }).keys.sorted() { answer(number, .failure(.cancelled)) }
    }

    mutating func setPriority(_ priority: RenderPriority, where isMeant: (Request) -> Bool) {
        // Sorted, so that nothing depends on the order of a dictionary.
        for number in requests.filter({ isMeant($0.value) }).keys.sorted() { setPriority(priority, of: number) }
    }

    mutating func setPriority(_ priority: RenderPriority, of number: Int) {
        guard requests[number] != nil else { return }
        requests[number]?.priority = priority
        if let job = requests[number]?.job { placeInLine(job) }
    }
}
