import Offstage

/// A model of the queue that is as simple as possible: it searches lists, one step at a time.
struct QueueModel {
    struct Request {
        let identifier: String
        let group: String?
        let client: RenderClient
        var priority: RenderPriority
        let isImmediate: Bool
    }

    struct Job {
        /// The number of the request that created the job; jobs are in this order.
        let number: Int
        let identifier: String
        let key: String?
        var members: [Int]
        var isRunning = false
        /// The latest request that existed when the drawing started.
        var lastInTime = 0
    }

    let width: Int
    let maximumWaiting: Int?
    let allowsImmediate: Bool
    /// The errors of drawings that fail, by identifier.
    let errors: [String: DrawingError]

    var requests: [Int: Request] = [:]
    var jobs: [Job] = []
    /// The number of drawings that each lease allows.
    var leases: [Int: Int] = [:]
    var isSimplySuspended = false
    var isClosed = false
    /// The error for each answered request; nil if there is a picture.
    var answers: [Int: DrawingError?] = [:]
    var started: [String] = []
    var counters = RenderCounters()
    private var overtakes = [false: 0, true: 0]
    private var turns: [Level: Turns] = [:]

    /// Requests that bypass a suspension have their own queue.
    private struct Level: Hashable {
        var isSuspended: Bool
        var priority: RenderPriority
    }

    /// Decides which client of a level is next.
    private struct Turns {
        typealias Turn = (time: Int, isNext: Int, order: Int)
        var last = 0
        var order = 0
        var next: [String: Turn] = [:]

        mutating func give(_ client: RenderClient, isNext: Int) {
            order += 1
            next[client.name] = (last + 5040 / client.share, isNext, order)
        }
    }

    init(width: Int, maximumWaiting: Int?, allowsImmediate: Bool, errors: [String: DrawingError]) {
        (self.width, self.maximumWaiting) = (width, maximumWaiting)
        (self.allowsImmediate, self.errors) = (allowsImmediate, errors)
    }

    var allowedWidth: Int { isSimplySuspended ? 0 : min(width, leases.values.min() ?? width) }
    var isSuspended: Bool { allowedWidth == 0 }
    /// The lowest priority leaves one slot free if there are several.
    private var lowestWidth: Int { min(allowedWidth, max(1, allowedWidth - 1)) }
    var running: [Job] { jobs.filter(\.isRunning) }
    var waiting: [Job] { jobs.filter { !$0.isRunning } }

    mutating func submit(_ number: Int, _ request: Request, key: String?) {
        counters.submitted += 1
        requests[number] = request
        if isClosed { return answer(number, .finished) }
        if let key, let index = jobs.firstIndex(where: { $0.key == key }) {
            counters.joined += 1
            jobs[index].members.append(number)
            return meetClients()
        }
        let starts = running.count < (request.priority == .veryLow ? lowestWidth : allowedWidth)
        if let maximumWaiting, !starts, waiting.count >= maximumWaiting {
            let full = DrawingError.queueFull(limit: maximumWaiting)
            guard let lowest = waiting.map(priority).min(), request.priority >= lowest else {
                return answer(number, full)
            }
            let loser = loser(among: waiting.filter { priority($0) == lowest })
            for member in loser.members { answer(member, full) }
        }
        jobs.append(Job(number: number, identifier: request.identifier, key: key, members: [number]))
        meetClients()
    }

    /// The oldest job of the client with the most jobs for its share.
    private func loser(among jobs: [Job]) -> Job {
        let clients = Set(jobs.flatMap(clients))
        func load(_ client: RenderClient) -> Double {
            Double(jobs.count { self.clients($0).contains(client) }) / Double(client.share)
        }
        let most = clients.map(load).max()
        return jobs.first { self.clients($0).contains { load($0) == most } }!
    }

    mutating func setPriority(_ priority: RenderPriority, of number: Int) {
        requests[number]?.priority = priority
        meetClients()
    }

    mutating func cancel(where isMeant: (Int, Request) -> Bool) {
        for (number, request) in requests.sorted(by: { $0.key < $1.key }) where isMeant(number, request) {
            answer(number, .cancelled)
        }
    }

    /// The drawing of a running job ends.
    mutating func end(_ job: Job) {
        jobs.removeAll { $0.number == job.number }
        let error = errors[job.identifier]
        if error == nil { counters.drawn += 1 }
        // Nothing here depends on files, so a picture is valid for all requests. A failure applies only to requests
        // made before the drawing began.
        let others = error == nil ? [] : job.members.filter { $0 > job.lastInTime }
        for member in job.members where !others.contains(member) { answer(member, error) }
        guard let first = others.first else { return }
        let index = jobs.firstIndex { $0.number > first } ?? jobs.endIndex
        jobs.insert(
            Job(number: first, identifier: requests[first]!.identifier, key: job.key, members: others), at: index)
        meetClients()
    }

    /// Starts every job that can start. Call it after each step.
    mutating func settle() {
        while running.count < (isSuspended ? width : allowedWidth) {
            let isSuspended = isSuspended
            let ready = ready(isSuspended)
            guard let oldest = ready.first, let highest = ready.map(priority).max() else { return }
            if highest == .veryLow, !isSuspended, running.count >= lowestWidth { return }
            // The rule against starving.
            var level = Level(isSuspended: isSuspended, priority: highest)
            if priority(oldest) == highest || overtakes[isSuspended]! == 16 {
                level.priority = priority(oldest)
                overtakes[isSuspended] = 0
            } else {
                overtakes[isSuspended]! += 1
            }
            let (name, turn) = turns[level]!.next.min { $0.value < $1.value }!
            let next = ready.first { job in
                priority(job) == level.priority && clients(job).contains { $0.name == name }
            }!
            turns[level]!.last = turn.time
            turns[level]!.give(clients(next).first { $0.name == name }!, isNext: 1)
            let index = jobs.firstIndex { $0.number == next.number }!
            jobs[index].isRunning = true
            jobs[index].lastInTime = counters.submitted
            started.append(next.identifier)
            counters.started += 1
            meetClients()
        }
    }

    private func ready(_ isSuspended: Bool) -> [Job] {
        waiting.filter { job in
            !isSuspended || allowsImmediate && job.members.contains { requests[$0]!.isImmediate }
        }
    }

    /// A client whose first job arrives gets a turn after the latest one taken. A client without waiting jobs has no
    /// turn.
    private mutating func meetClients() {
        for isSuspended in [false, true] {
            for priority in RenderPriority.allCases {
                let level = Level(isSuspended: isSuspended, priority: priority)
                let clients = ready(isSuspended).filter { self.priority($0) == priority }.flatMap(clients)
                for name in turns[level]?.next.keys.sorted() ?? [] where !clients.contains(where: { $0.name == name }) {
                    turns[level]?.next[name] = nil
                }
                for client in clients where turns[level]?.next[client.name] == nil {
                    turns[level, default: Turns()].give(client, isNext: 0)
                }
            }
        }
    }

    private func clients(_ job: Job) -> [RenderClient] { job.members.map { requests[$0]!.client } }

    private func priority(_ job: Job) -> RenderPriority { job.members.map { requests[$0]!.priority }.max()! }

    private mutating func answer(_ number: Int, _ error: DrawingError?) {
        requests[number] = nil
        precondition(answers.updateValue(error, forKey: number) == nil)
        if error == .cancelled { counters.cancelled += 1 } else if error != nil { counters.failed += 1 }
        for index in jobs.indices { jobs[index].members.removeAll { $0 == number } }
        jobs.removeAll { $0.members.isEmpty && !$0.isRunning }
        meetClients()
    }
}
