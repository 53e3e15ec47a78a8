import Foundation
import Offstage
import Synchronization

/// Claims and draws as many jobs as the node has free slots for.
public final class SharedWorker: Sendable {
    /// Draws a job and stores its pictures. Returns nil for success.
    public typealias Draw = @Sendable (SharedJob) async -> DrawingError?

    private struct State {
        var running = 0
        var isAlone = false
        var suspects = 0
        var isStopping = false
    }

    private let shelf: PostgresShelf
    private let window: Int
    private let free: @Sendable () async -> Int
    private let draw: Draw
    private let state = Mutex(State())
    private let wakes: AsyncStream<Void>
    private let waking: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - shelf: a started shelf.
    ///   - slots: the maximum number of concurrent drawings.
    ///   - free: returns the number of drawings that can start now, up to twice the slots.
    public init(_ shelf: PostgresShelf, slots: Int, free: @escaping @Sendable () async -> Int, draw: @escaping Draw) {
        (self.shelf, self.free, self.draw) = (shelf, free, draw)
        window = 2 * slots
        (wakes, waking) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Makes the worker look for jobs now.
    func wake() { waking.yield() }

    func note(suspects: Int) {
        state.withLock { $0.suspects = suspects }
        wake()
    }

    /// Works until `stop`. Returns when all claimed jobs have finished.
    public func run() async {
        shelf.worker.withLock { $0 = self }
        let ticks = Task { [waking] in
            while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(250))
                waking.yield()
            }
        }
        defer { ticks.cancel() }
        await withTaskGroup(of: Void.self) { group in
            for await _ in wakes {
                while await claimSome(&group) {}
                if state.withLock({ $0.isStopping }) { break }
            }
        }
        shelf.worker.withLock { $0 = nil }
    }

    /// Claims no more jobs.
    public func stop() {
        state.withLock { $0.isStopping = true }
        wake()
    }

    /// - Returns: true if there may be more jobs, and free slots for them.
    private func claimSome(_ group: inout TaskGroup<Void>) async -> Bool {
        let room = await free()
        let (plan, isStopping) = state.withLock { state in
            (
                ClaimPlan(
                    window: window, running: state.running, free: room, suspects: state.suspects,
                    isAlone: state.isAlone), state.isStopping
            )
        }
        if isStopping || plan.count == 0 { return false }
        let jobs = await shelf.claimJobs(plan)
        if plan.isAlone, jobs.isEmpty { state.withLock { $0.suspects = 0 } }
        state.withLock { state in
            state.running += jobs.count
            if plan.isAlone, !jobs.isEmpty { state.isAlone = true }
        }
        for job in jobs {
            group.addTask { [self] in
                await shelf.end(job, await draw(job))
                state.withLock { state in
                    state.running -= 1
                    if job.isAlone { (state.isAlone, state.suspects) = (false, max(0, state.suspects - 1)) }
                }
                wake()
            }
        }
        return jobs.count == plan.count && !plan.isAlone
    }
}

extension PostgresShelf {
    func claimJobs(_ plan: ClaimPlan) async -> [SharedJob] {
        let (id, machineClass, sources) = (identity.id, machineClass, identity.sourcesValue)
        var found: [SharedJob] = []
        do throws(SharedError) {
            found = try await jobs.run { (session) throws(SharedError) in
                var found: [SharedJob] = []
                try session.run(
                    Self.claimStatement(plan), [.text(id), .text(machineClass), sources]
                ) { row in
                    guard let key = row.digest(0) else { return }
                    found.append(
                        SharedJob(
                            key: key, request: row.data(1), client: row.text(2), priority: row.integer(3),
                            crashes: row.integer(4)))
                }
                return found
            }
        } catch { note(error) }
        held.withLock { $0.formUnion(found.map(\.key)) }
        claimed.withLock { $0.formUnion(found.map(\.key)) }
        counters.withLock { counters in
            counters.claimed += found.count
            if found.isEmpty { counters.emptyClaims += 1 }
        }
        return found
    }

    /// The condition and the count are part of the text, not parameters. So PostgreSQL uses the indexes without
    /// planning each claim again, which would take twice as long as the claim.
    static func claimStatement(_ plan: ClaimPlan) -> String {
        """
        UPDATE offstage.job SET state = 'taken', node = $1, changed = now() WHERE key IN (
            SELECT j.key FROM offstage.job j
            WHERE j.state = 'waiting' AND j.class = $2 AND j.crashes \(plan.isAlone ? "> 0" : "= 0") AND j.request IS NOT NULL
                AND (j.source = '' OR $3::text[] IS NULL OR j.source = ANY ($3::text[]))
                AND (j.is_immediate OR NOT EXISTS (SELECT FROM offstage.suspension s
                    WHERE s.until > now() AND (s.client IS NULL OR s.client = j.client)))
            ORDER BY j.priority DESC, j.turn LIMIT \(plan.count) FOR UPDATE SKIP LOCKED
        ) RETURNING key, request, client, priority, crashes
        """
    }

    /// Ends a claimed job, once the pictures that the shelf received before are stored.
    func end(_ job: SharedJob, _ error: DrawingError?) async {
        claimed.withLock { _ = $0.remove(job.key) }
        held.withLock { _ = $0.remove(job.key) }
        finishes.add([error.map { .failure(job.key, JobEnd($0, before: job.crashes)) } ?? .end(job.key)])
    }
}
