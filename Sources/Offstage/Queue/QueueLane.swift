/// The jobs of one engine in the queue.
struct QueueLane {
    /// The maximum number of jobs of the lane that run at once.
    let width: Int
    var running = 0
    /// The waiting jobs.
    var line = WaitingLine()
    /// The waiting jobs that may start while the queue is suspended.
    var immediateLine = WaitingLine()

    init(width: Int) { self.width = width }

    var room: Int { width - running }
}

extension QueueState {
    var waitingCount: Int { lanes.reduce(0) { $0 + $1.line.count } }

    /// Takes the next job from one kind of line; nil if all jobs there belong to lanes without room.
    ///
    /// The lane with the job of the highest priority comes first. As within a line, the lane with the oldest job has
    /// its turn after at most `WaitingLine.patience` others.
    mutating func takeFirst(of line: WritableKeyPath<QueueLane, WaitingLine>) -> Int? {
        let open = lanes.indices.filter { lanes[$0].room > 0 && lanes[$0][keyPath: line].count > 0 }
        guard let first = open.first else { return nil }
        if open.count == 1 { return lanes[first][keyPath: line].takeFirst() }
        var (top, oldest) = (first, first)
        var best = lanes[first][keyPath: line].first
        var firstCame = best.oldest
        for lane in open.dropFirst() {
            let other = lanes[lane][keyPath: line].first
            if (other.priority, -other.oldest) > (best.priority, -best.oldest) { (top, best) = (lane, other) }
            if other.oldest < firstCame { (oldest, firstCame) = (lane, other.oldest) }
        }
        let isOldestsTurn = top == oldest || overtakes == WaitingLine.patience
        overtakes = isOldestsTurn ? 0 : overtakes + 1
        return lanes[isOldestsTurn ? oldest : top][keyPath: line].takeFirst()
    }

    /// The job that is dropped if too many wait: from the lane with the lowest priority, and among several of these, the
    /// one with the most jobs.
    mutating func leastWanted() -> (number: Int, priority: RenderPriority)? {
        var least: (number: Int, priority: RenderPriority)?
        for lane in lanes.indices.sorted(by: { lanes[$0].line.count > lanes[$1].line.count }) {
            guard let one = lanes[lane].line.leastWanted() else { continue }
            if least.map({ one.priority < $0.priority }) ?? true { least = one }
        }
        return least
    }

    /// The number of waiting jobs that can start as soon as operations are available.
    func startable(of line: KeyPath<QueueLane, WaitingLine>) -> Int {
        lanes.reduce(0) { $0 + min($1[keyPath: line].count, $1.room) }
    }

    /// True if another job may wait, or would start at once.
    func hasRoom(inLane lane: Int) -> Bool {
        guard let maximumWaiting else { return true }
        if isSuspended { return waitingCount < maximumWaiting }
        let room = max(0, allowedWidth - running)
        if lanes[lane].line.count < lanes[lane].room && waitingCount < room { return true }
        return waitingCount - min(startable(of: \.line), room) < maximumWaiting
    }
}
