extension QueueState {
    /// Adds the work that a request needs. If equal work is waiting or running, the request joins it.
    ///
    /// - Parameters:
    ///   - lane: the lane of the engine that does the work.
    ///   - key: equal keys mean equal work; nil for unique work.
    mutating func enqueue(
        _ number: Int, lane: Int, key: Key?, check: @escaping Check, _ work: @escaping Work
    ) {
        guard let request = requests[number], request.job == nil else { return }
        if let key, let job = jobsByKey[key] {
            jobs[job]?.requests.append(number)
            requests[number]?.job = job
            if jobs[job]?.isRunning == true { requests[number]?.work = work }
            events.record(.joined, request.identifier, request: number)
            // Another request can only raise the priority, or add another client's turn. Most requests do neither:
            // thousands may wait for one picture.
            let place = lanes[lane].line.place(of: job)
            if request.isImmediate || place.map({ $0.gains(by: request) }) ?? false { placeInLine(job) }
            return
        }
        if let maximumWaiting, !hasRoom(inLane: lane, for: request.priority) {
            let full = Outcome.failure(.queueFull(limit: maximumWaiting))
            guard let least = leastWanted(), request.priority >= least.priority else {
                return answer(number, full)
            }
            for loser in jobs[least.number]?.requests ?? [] { answer(loser, full) }
        }
        add(Job(identifier: request.identifier, lane: lane, key: key, check: check, work: work, requests: [number]))
    }

    /// A job is in the line under the number of its first request.
    private mutating func add(_ job: Job) {
        let number = job.requests[0]
        jobs[number] = job
        if let key = job.key { jobsByKey[key] = number }
        for request in job.requests { requests[request]?.job = number }
        placeInLine(number)
    }

    /// The next job, for an operation that has started or has finished its last job. Nil if no job may start now; the
    /// operation then ends. The choice is made as late as possible, so that it respects all earlier changes and
    /// suspensions.
    mutating func take() -> (number: Int, job: Job)? {
        var next: Int?
        if isSuspended {
            if allowsImmediate { next = takeFirst(of: \.immediateLine) }
        } else if running < allowedWidth {
            next = takeFirst(of: \.line)
        }
        guard let number = next, let job = jobs[number] else {
            claimed -= 1
            return nil
        }
        lanes[job.lane].line.remove(number)
        lanes[job.lane].immediateLine.remove(number)
        jobs[number]?.isRunning = true
        jobs[number]?.lastInTime = lastNumber
        running += 1
        lanes[job.lane].running += 1
        events.record(.started, job.identifier, request: number)
        return (number, job)
    }

    /// Answers the requests that joined before the work began. The input may have changed before the others joined.
    ///
    /// - Returns: true if other requests joined later. The caller then checks the outcome, and completes the job again
    ///   or starts it again.
    mutating func complete(_ number: Int, _ outcome: Outcome) -> Bool {
        guard let job = jobs[number] else { return false }
        let hasOthers = job.requests.contains { $0 > job.lastInTime }
        if hasOthers { jobs[number]?.lastInTime = lastNumber } else { end(number) }
        for request in job.requests where request <= job.lastInTime { answer(request, outcome) }
        return hasOthers
    }

    /// Starts the work again for the requests that joined after it began.
    mutating func startAnew(_ number: Int) {
        guard let job = jobs[number] else { return }
        end(number)
        guard let first = job.requests.first, let request = requests[first], let work = request.work else { return }
        add(
            Job(
                identifier: request.identifier, lane: job.lane, key: job.key, check: job.check, work: work,
                requests: job.requests))
    }

    /// Returns the effects of a change. Call it once after each change, before the lock is released.
    mutating func takeEffects() -> Effects {
        let startable =
            isSuspended ? (allowsImmediate ? startable(of: \.immediateLine) : 0) : startable(of: \.line)
        let width = isSuspended ? width : allowedWidth
        effects.slots = max(0, min(width - claimed, startable - (claimed - running)))
        claimed += effects.slots
        if !effects.answers.isEmpty { deliveries += 1 }
        if isIdle {
            effects.idle = idleWaiters
            idleWaiters = []
        }
        defer { effects = Effects() }
        return effects
    }

    /// True if a job is waiting and may not start while the queue is suspended.
    func waits(_ job: Int) -> Bool {
        guard let lane = jobs[job]?.lane else { return false }
        return lanes[lane].line.place(of: job) != nil
            && !(allowsImmediate && lanes[lane].immediateLine.place(of: job) != nil)
    }

    /// Puts a job into the position that its requests need: at their highest priority, in the fair shares of their
    /// clients, and in the immediate line if one of them is immediate.
    mutating func placeInLine(_ number: Int) {
        guard let job = jobs[number], !job.isRunning else { return }
        var place: WaitingLine.Place?
        var isImmediate = false
        for request in job.requests {
            guard let request = requests[request] else { continue }
            if place == nil { place = WaitingLine.Place(priority: request.priority, clients: [request.client]) }
            place?.add(request)
            if request.isImmediate { isImmediate = true }
        }
        guard let place else { return remove(number) }
        lanes[job.lane].line.set(number, to: place)
        if isImmediate {
            lanes[job.lane].immediateLine.set(number, to: place)
        } else {
            lanes[job.lane].immediateLine.remove(number)
        }
    }

    private mutating func end(_ number: Int) {
        if let job = jobs[number] { lanes[job.lane].running -= 1 }
        remove(number)
        running -= 1
    }

    private mutating func remove(_ number: Int) {
        guard let job = jobs.removeValue(forKey: number) else { return }
        if let key = job.key { jobsByKey[key] = nil }
        lanes[job.lane].line.remove(number)
        lanes[job.lane].immediateLine.remove(number)
        effects.jobs.append(job)
    }
}
