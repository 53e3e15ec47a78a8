/// The queue's state machine. It takes no locks and makes no callbacks; work to do after unlocking is collected in
/// `effects`.
///
/// A *request* waits for an answer. A *job* is a piece of work for one or several requests, in the *lane* of the engine
/// that does it. A request has a number. A job has the number of its first request.
struct QueueState<Key: Hashable & Sendable, Value: Sendable> {
    typealias Outcome = Result<Value, DrawingError>
    typealias Answer = @Sendable (Outcome) -> Void
    /// - Parameter number: the job's number, for its events.
    typealias Work = nonisolated(nonsending) @Sendable (_ number: Int) async -> Outcome
    /// Returns true if the result of the work is also right for requests that joined after it began.
    typealias Check = nonisolated(nonsending) @Sendable (Value) async -> Bool

    struct Request {
        let identifier: String
        let group: String?
        let client: RenderClient
        var priority: RenderPriority
        let isImmediate: Bool
        let answer: Answer
        /// Nil until the request turns out to need work.
        var job: Int?
        /// The request's own work, if it joined work that was already running, whose result may be outdated.
        var work: Work?
    }

    struct Job {
        /// The identifier of the job's first request, which may have been cancelled since.
        let identifier: String
        let lane: Int
        let key: Key?
        let check: Check
        let work: Work
        /// Waiting requests, oldest first. Empty if all were cancelled after the job started.
        var requests: [Int]
        var isRunning = false
        /// The last request that had joined when the work began, or when its result was last checked.
        var lastInTime = 0
    }

    /// The effects of a change, to run after unlocking. Requests and jobs are released there too, because they may
    /// retain objects whose `deinit` calls the queue.
    struct Effects {
        var answers: [(request: Request, outcome: Outcome)] = []
        var jobs: [Job] = []
        /// The number of operations to add.
        var slots = 0
        var idle: [CheckedContinuation<Void, Never>] = []
    }

    /// The maximum number of jobs that run at once, in all lanes.
    let width: Int
    let maximumWaiting: Int?
    let allowsImmediate: Bool
    let events: EventHub

    var requests: [Int: Request] = [:]
    var jobs: [Int: Job] = [:]
    var jobsByKey: [Key: Int] = [:]
    var lanes: [QueueLane]
    /// The number of times in a row that another lane was chosen before the one with the oldest job.
    var overtakes = 0
    /// Operations that were added and have not ended. Those without a job are about to take one, or to find none.
    var claimed = 0
    var running = 0
    /// The number of jobs that each lease allows at once; 0 suspends the queue. Lease 0 is the one of `isSuspended`.
    var leases: [Int: Int] = [:]
    var lastLease = 0
    var isClosed = false
    var lastNumber = 0
    /// The number of threads that are delivering answers.
    var deliveries = 0
    var idleWaiters: [CheckedContinuation<Void, Never>] = []
    var effects = Effects()

    /// - Parameters:
    ///   - lanes: the width of each lane, at least one.
    ///   - width: the width of all lanes together.
    init(lanes: [Int], width: Int, maximumWaiting: Int?, allowsImmediate: Bool, events: EventHub) {
        precondition(!lanes.isEmpty && lanes.allSatisfy { $0 > 0 }, "an engine must have a capacity of at least 1")
        precondition(width > 0, "`RendererConfiguration.width` must be at least 1, or nil")
        precondition(maximumWaiting ?? 0 >= 0, "`maximumWaiting` must be at least 0, or nil")
        self.lanes = lanes.map { QueueLane(width: $0) }
        self.width = width
        self.maximumWaiting = maximumWaiting
        self.allowsImmediate = allowsImmediate
        self.events = events
    }

    /// The number of jobs that may run at once now.
    var allowedWidth: Int { min(width, leases.values.min() ?? width) }
    var isSuspended: Bool { allowedWidth == 0 }
    /// True if no request waits for an answer, no answer is being delivered, and nothing runs.
    var isIdle: Bool { requests.isEmpty && claimed == 0 && deliveries == 0 }

    // MARK: Requests

    /// Adds a request. The caller then answers it directly, or adds its work with `enqueue`.
    mutating func open(_ identifier: String, _ options: RenderOptions, _ answer: @escaping Answer) -> Int {
        lastNumber += 1
        requests[lastNumber] = Request(
            identifier: identifier, group: options.group, client: options.client ?? .anonymous,
            priority: options.priority, isImmediate: options.isImmediate, answer: answer)
        events.record(.submitted, identifier, request: lastNumber)
        if isClosed { self.answer(lastNumber, .failure(.finished)) }
        return lastNumber
    }

    /// Answers a request, unless it has already been answered. A waiting job with no remaining requests is removed from
    /// the queue; a running job continues to its end.
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
