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
    /// The number of waiting jobs above the lowest priority.
    private var othersCount: Int { lanes.reduce(0) { $0 + $1.line.othersCount } }

    /// Takes the next job from one kind of line; nil if none of its jobs may start.
    ///
    /// The lane with the highest-priority job is first. As within a line, the lane with the oldest job is chosen after
    /// at most `WaitingLine.patience` others.
    mutating func takeFirst(of line: WritableKeyPath<QueueLane, WaitingLine>) -> Int? {
        let open = lanes.indices.filter { lanes[$0].room > 0 && lanes[$0][keyPath: line].count > 0 }
        var (top, oldest) = (Int?.none, open.first)
        var (best, firstCame) = ((priority: RenderPriority.veryLow, oldest: Int.max), Int.max)
        for lane in open {
            let other = lanes[lane][keyPath: line].first
            if other.oldest < firstCame { (oldest, firstCame) = (lane, other.oldest) }
            guard other.priority > .veryLow || spareRoom(inLane: lane) > 0 else { continue }
            if top == nil || (other.priority, -other.oldest) > (best.priority, -best.oldest) {
                (top, best) = (lane, other)
            }
        }
        guard let top, let oldest else { return nil }
        if open.count == 1 { return lanes[top][keyPath: line].takeFirst() }
        let isOldestsTurn = top == oldest || overtakes == WaitingLine.patience
        overtakes = isOldestsTurn ? 0 : overtakes + 1
        return lanes[isOldestsTurn ? oldest : top][keyPath: line].takeFirst()
    }

    /// The number of lowest-priority jobs that may start in a lane. They leave one of several slots free, so that a job
    /// of a higher priority can start at once. While the queue is suspended, only immediate jobs start, and they use
    /// all slots.
    private func spareRoom(inLane lane: Int) -> Int {
        if isSuspended { return lanes[lane].room }
        return min(Self.lowestWidth(lanes[lane].width) - lanes[lane].running, Self.lowestWidth(allowedWidth) - running)
    }

    /// The number of slots that jobs of the lowest priority may use.
    private static func lowestWidth(_ width: Int) -> Int { max(1, width - 1) }

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
        var (others, lowest) = (0, 0)
        for lane in lanes.indices {
            let line = lanes[lane][keyPath: line]
            let before = min(line.othersCount, lanes[lane].room)
            let rest = min(lanes[lane].room, spareRoom(inLane: lane)) - before
            others += before
            lowest += max(0, min(line.count - line.othersCount, rest))
        }
        let most = isSuspended ? lowest : max(0, Self.lowestWidth(allowedWidth) - running - others)
        return others + min(lowest, most)
    }

    /// True if another job may wait, or would start at once.
    func hasRoom(inLane lane: Int, for priority: RenderPriority) -> Bool {
        guard let maximumWaiting else { return true }
        if isSuspended { return waitingCount < maximumWaiting }
        let room = max(0, allowedWidth - running)
        if priority == .veryLow {
            if waitingCount < spareRoom(inLane: lane) { return true }
        } else if lanes[lane].line.othersCount < lanes[lane].room, othersCount < room {
            return true
        }
        return waitingCount - min(startable(of: \.line), room) < maximumWaiting
    }
}
