import Foundation
import Offstage
import Synchronization

/// The cache that machines share in PostgreSQL, for one node or client. Its methods don't block the caller or throw:
/// while PostgreSQL is unavailable, a node draws and stores for itself, and sends its pictures later.
public final class PostgresShelf: SharedShelf {
    private let ownIdentity: SharedIdentity
    public var identity: NodeIdentity { ownIdentity.now }
    package var machineClass: String { identity.machineClass }

    /// The connection for claims, jobs and heartbeats, which are short and must not wait for pictures.
    let jobs: SharedConnection
    let names: SharedConnection
    let finishes: FinishBatch
    let waits = SharedWaits()
    let counters = Mutex(SharedCounters())
    let series = Mutex(BeatSeries())
    /// The keys of pictures that this process has shared as new. Requests with other identifiers share pictures of the
    /// same drawing again.
    private let kept = Mutex(RecentKeys())
    /// The keys of jobs that this process works on.
    let held = Mutex(Set<Digest>())
    /// The keys among them that the worker has claimed for others; it ends these jobs itself.
    let claimed = Mutex(Set<Digest>())
    /// True once the node is leaving. Nothing would withdraw a request that it submits after that.
    let isLeaving = Atomic(false)
    private let looks: LookBatch
    private let listener = Mutex<SharedListener?>(nil)
    private let beats = Mutex<Task<Void, Never>?>(nil)
    let worker = Mutex<SharedWorker?>(nil)
    private let report: @Sendable (String) -> Void
    public let address: SharedAddress

    /// - Parameter report: receives messages for the operator, without a full stop, each once per outage. Called on any
    ///   thread.
    public init(_ address: SharedAddress, _ identity: NodeIdentity, report: @escaping @Sendable (String) -> Void) {
        self.address = address
        let ownIdentity = SharedIdentity(identity)
        self.ownIdentity = ownIdentity
        self.report = report
        jobs = SharedConnection(address, name: "jobs")
        names = SharedConnection(address, name: "names")
        let health = SharedHealth(report)
        self.health = health
        looks = LookBatch(SharedConnection(address, name: "looks")) { health.note($0) }
        finishes = FinishBatch(SharedConnection(address, name: "finishes"), of: ownIdentity) {
            switch $0 {
            case .failure(let error): health.note(error)
            case .mismatch(let count): health.mismatch(count)
            }
        }
    }

    private let health: SharedHealth

    /// Sets the class, which needs a few drawings to determine. Call it before `start` and before sharing anything.
    public func identify(machineClass: String, parts: [ClassPart]) {
        ownIdentity.set(machineClass: machineClass, parts: parts)
    }

    /// Sets a handler for suspensions. It gets the number of seconds for which the queue of all nodes is suspended; 0
    /// when it resumes.
    public func onSuspension(_ handle: @escaping @Sendable (Double) -> Void) { suspending.withLock { $0 = handle } }

    let suspending = Mutex<(@Sendable (Double) -> Void)?>(nil)

    /// Connects and takes part until `stop`.
    ///
    /// - Throws: if the database cannot be used. Then nothing is started.
    public func start() async throws(SharedError) {
        try await beat()
        let listener = try SharedListener(address, channels: ["offstage_done", "offstage_work", "offstage_suspend"]) {
            [weak self] in
            self?.hear($0)
        }
        self.listener.withLock { $0 = listener }
        let task = Task { [weak self] in
            while !Task.isCancelled {
                // The shorter intervals are for waits whose notification was lost.
                for _ in 0..<2 {
                    try? await Task.sleep(for: .seconds(SharedTimes.beat / 2))
                    self?.waits.wakeAll()
                }
                // A node that has left must not register again.
                guard let self, !Task.isCancelled else { return }
                do throws(SharedError) {
                    try await self.beat()
                    self.health.isWell()
                } catch { self.note(error) }
            }
        }
        beats.withLock { $0 = task }
    }

    /// Stores pending pictures, as far as PostgreSQL accepts them now, and returns all jobs.
    public func stop() async {
        let beats = beats.withLock { $0 }
        beats?.cancel()
        await beats?.value
        await finishes.finish()
        listener.withLock { $0 = nil }
        waits.wakeAll()
        let id = identity.id
        isLeaving.store(true, ordering: .sequentiallyConsistent)
        try? await jobs.run { (session) throws(SharedError) in try NodeStatements.leave(id, session) }
        await jobs.close()
    }

    private func hear(_ event: SharedListener.Event) {
        switch event {
        case .connected: waits.wakeAll()
        case .notification("offstage_done", let text): waits.wake(text.split(separator: ",").compactMap { Digest($0) })
        case .notification("offstage_work", let text):
            if text == machineClass { worker.withLock { $0 }?.wake() }
        case .notification("offstage_suspend", _): Task { await noteSuspension() }
        default: break
        }
    }

    /// Reports an error, once per outage.
    package func note(_ error: SharedError) { health.note(error) }

    /// Counters for metrics.
    public var statistics: SharedCounters {
        var all = counters.withLock { $0 }
        all.dropped = finishes.dropped
        (all.isWell, all.mismatches) = health.state
        return all
    }

    // MARK: SharedShelf

    package func drawings(for key: Digest) async -> [SharedDrawing] {
        let start = ContinuousClock.now
        let found = await looks.drawings(for: key)
        counters.withLock { counters in
            counters.looks += 1
            if !found.isEmpty { counters.hits += 1 }
            counters.secondsLooked += start.duration(to: .now) / .seconds(1)
        }
        return found
    }

    package func claim(_ key: Digest, for pictures: [Digest]) async -> SharedClaim {
        let (id, machineClass) = (identity.id, machineClass)
        var hasWaited = false
        held.withLock { _ = $0.insert(key) }
        while true {
            let wait = waits.open(key)
            var answer = ""
            do throws(SharedError) {
                answer = try await jobs.run { (session) throws(SharedError) in
                    var answer = ""
                    try session.run(
                        "SELECT offstage.claim($1::bytea, $2::bytea[], $3::text, $4::text)",
                        [.digest(key), .digests(pictures), .text(machineClass), .text(id)]
                    ) { answer = $0.text(0) }
                    return answer
                }
            } catch { note(error) }
            switch answer {
            case "mine": return .mine
            case "stored":
                if hasWaited { counters.withLock { $0.joined += 1 } }
                return .stored
            case "other":
                hasWaited = true
                await wait.next()
                // A cancelled task's waits end at once.
                if Task.isCancelled {
                    held.withLock { _ = $0.remove(key) }
                    return .unknown
                }
            default:
                held.withLock { _ = $0.remove(key) }
                return answer == "dead" ? .dead : .unknown
            }
        }
    }

    package func keep(_ pictures: [(key: Digest, drawing: SharedDrawing)], areNew: Bool) {
        finishes.add(
            pictures.map { picture in
                .picture(
                    key: picture.key, picture.drawing,
                    isNew: areNew && kept.withLock { $0.insert(picture.key) })
            })
    }

    package func withdraw(_ keys: [Digest]) { finishes.add(keys.map { .withdrawn(key: $0) }) }

    package func give(_ key: Digest, _ failure: DrawingError?) {
        // A job whose drawing was cancelled here returns to the queue; it has not ended.
        if claimed.withLock({ $0.contains(key) }) { return }
        held.withLock { _ = $0.remove(key) }
        finishes.add([failure.map { .failure(key, JobEnd($0)) } ?? .end(key)])
    }
}
