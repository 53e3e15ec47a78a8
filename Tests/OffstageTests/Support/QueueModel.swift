import Offstage

/// What the queue is to do, said as plainly as possible: lists that are searched, one step after the other.
struct QueueModel {
    struct Request {
        let identifier: String
        let group: String?
        var priority: RenderPriority
        let isImmediate: Bool
    }

    struct Job {
        /// That of the request which brought it; jobs stand in this order.
        let number: Int
        let identifier: String
        let key: String?
        var members: [Int]
        var isRunning = false
        /// The last request that was there when it started.
        var lastInTime = 0
    }

    let width: Int
    let maximumWaiting: Int?
    let allowsImmediate: Bool
    /// Of those whose drawing fails, by identifier.
    let errors: [String: DrawingError]

    var requests: [Int: Request] = [:]
    var jobs: [Job] = []
    var leases: Set<Int> = []
    var isSimplySuspended = false
    var isClosed = false
    /// By request: nil where there is a picture.
    var answers: [Int: DrawingError?] = [:]
    var started: [String] = []
    var counters = RenderCounters()
    private var overtakes = [false: 0, true: 0]

    init(width: Int, maximumWaiting: Int?, allowsImmediate: Bool, errors: [String: DrawingError]) {
        (self.width, self.maximumWaiting) = (width, maximumWaiting)
        (self.allowsImmediate, self.errors) = (allowsImmediate, errors)
    }

    var isSuspended: Bool { isSimplySuspended || !leases.isEmpty }
    var running: [Job] { jobs.filter(\.isRunning) }
    var waiting: [Job] { jobs.filter { !$0.isRunning } }

    mutating func submit(_ number: Int, _ request: Request, key: String?) {
        counters.submitted += 1
        requests[number] = request
        if isClosed { return answer(number, .finished) }
        if let key, let index = jobs.firstIndex(where: { $0.key == key }) {
            counters.joined += 1
            jobs[index].members.append(number)
            return
        }
        let free = isSuspended ? 0 : width - running.count
        if let maximumWaiting, waiting.count - free >= maximumWaiting {
            let lowest = waiting.map(priority).min()!
            if request.priority < lowest { return answer(number, .queueFull(limit: maximumWaiting)) }
            let loser = waiting.first { priority($0) == lowest }!
            for member in loser.members { answer(member, .queueFull(limit: maximumWaiting)) }
        }
        jobs.append(Job(number: number, identifier: request.identifier, key: key, members: [number]))
    }

    mutating func cancel(where isMeant: (Int, Request) -> Bool) {
        for (number, request) in requests where isMeant(number, request) { answer(number, .cancelled) }
    }

    /// The drawing of a running job ends.
    mutating func end(_ job: Job) {
        jobs.removeAll { $0.number == job.number }
        let error = errors[job.identifier]
        if error == nil { counters.drawn += 1 }
        // Nothing here goes by files, so a picture is right for all; a failure is for those who asked before it began.
        let others = error == nil ? [] : job.members.filter { $0 > job.lastInTime }
        for member in job.members where !others.contains(member) { answer(member, error) }
        guard let first = others.first else { return }
        let index = jobs.firstIndex { $0.number > first } ?? jobs.endIndex
        jobs.insert(
            Job(number: first, identifier: requests[first]!.identifier, key: job.key, members: others), at: index)
    }

    /// Starts what can start. To be called after each step.
    mutating func settle() {
        while running.count < width {
            let isSuspended = isSuspended
            let ready = waiting.filter { job in
                !isSuspended || allowsImmediate && job.members.contains { requests[$0]!.isImmediate }
            }
            guard let oldest = ready.first else { return }
            let highest = ready.map(priority).max()
            var next = ready.first { priority($0) == highest }!
            // The rule against starving; what passes a suspension is a line of its own.
            if next.number == oldest.number || overtakes[isSuspended]! == 16 {
                next = oldest
                overtakes[isSuspended] = 0
            } else {
                overtakes[isSuspended]! += 1
            }
            let index = jobs.firstIndex { $0.number == next.number }!
            jobs[index].isRunning = true
            jobs[index].lastInTime = counters.submitted
            started.append(next.identifier)
            counters.started += 1
        }
    }

    private func priority(_ job: Job) -> RenderPriority { job.members.map { requests[$0]!.priority }.max()! }

    private mutating func answer(_ number: Int, _ error: DrawingError?) {
        requests[number] = nil
        precondition(answers.updateValue(error, forKey: number) == nil)
        if error == .cancelled { counters.cancelled += 1 } else if error != nil { counters.failed += 1 }
        for index in jobs.indices { jobs[index].members.removeAll { $0 == number } }
        jobs.removeAll { $0.members.isEmpty && !$0.isRunning }
    }
}
