import Foundation
import Offstage
import Synchronization

/// The workers of one program: at most `capacity` that draw or have drawn, and a spare one that has not drawn yet.
actor WorkerPool {
    nonisolated let capacity: Int
    private let program: WorkerProgram
    private let jail: WorkerJail
    private let recycling: Recycling
    private let fresh: FreshWorkers
    private var idle = IdleWorkers()
    /// The workers that draw, so that the pool can end them.
    private var drawing: [ObjectIdentifier: WorkerProcess] = [:]
    /// The next worker, ready or starting. Nil before the second drawing: a program that draws one document needs none.
    private var spare: Task<Result<WorkerProcess, EngineUnavailable>, Never>?
    /// True once a worker has been taken to draw.
    private var hasLent = false
    private let line: WorkerLine
    private var hasEnded = false
    /// The reason why bubblewrap does not work here, once a worker has started without it.
    private var bubblewrapProblem: String?
    private nonisolated let losses = Atomic(0)

    /// - Parameters:
    ///   - capacity: the maximum number of workers that draw at the same time; at least 1.
    ///   - fresh: when a document gets a worker that has drawn nothing before.
    ///   - recycling: the limits of one worker.
    init(_ program: WorkerProgram, capacity: Int, jail: WorkerJail, fresh: FreshWorkers, recycling: Recycling) {
        self.program = program
        self.capacity = max(1, capacity)
        self.jail = jail
        self.fresh = fresh
        self.recycling = recycling
        line = WorkerLine(capacity: max(1, capacity))
    }

    /// The number of workers that crashed, hung, gave untrue answers or exceeded a limit.
    nonisolated var restarts: Int { losses.load(ordering: .relaxed) }

    /// Draws a document of the task's client, if necessary in a second worker.
    ///
    /// If the task is cancelled, the pool ends the worker.
    func run(_ job: WorkerJob) async throws(DrawingError) -> WorkerReply {
        var attempts = Attempts()
        let owner = WorkerOwner(fresh, client: RenderClient.current, job)
        while true {
            let worker = try await take(for: owner, isFresh: attempts.needFreshProcess)
            let outcome = await withTaskCancellationHandler {
                await worker.draw(job)
            } onCancel: {
                worker.kill()
            }
            await putBack(worker, of: owner)
            if Task.isCancelled { throw .cancelled }
            switch attempts.next(after: outcome) {
            case .answer(let reply, _): return reply
            case .again, .alone, .redraw: continue
            case .giveUp(let error): throw error
            }
        }
    }

    /// The protections of a worker, which it starts if necessary.
    func protections() async throws(EngineUnavailable) -> WorkerProtections {
        guard !hasEnded else { throw Self.ended }
        let task = spare ?? start()
        spare = task
        return try await task.value.get().protections
    }

    /// For tests: true while a worker has a document.
    var isDrawing: Bool { !drawing.isEmpty }

    /// For tests: the workers that draw, those that can draw again, and the spare one, once it is ready.
    func everyWorker() async -> [WorkerProcess] {
        let ready = drawing.values + idle.workers
        return ready + ([try? await spare?.value.get()].compactMap { $0 })
    }

    /// - Parameter isFresh: true for a worker that has drawn nothing.
    private func take(for owner: WorkerOwner, isFresh: Bool) async throws(DrawingError) -> WorkerProcess {
        guard await line.enter() else { throw .cancelled }
        do throws(EngineUnavailable) {
            if hasEnded { throw Self.ended }
            let worker: WorkerProcess
            if !isFresh, let last = idle.take(for: owner) { worker = last } else { worker = try await takeSpare() }
            drawing[ObjectIdentifier(worker)] = worker
            if hasLent, spare == nil { spare = start() }
            hasLent = true
            return worker
        } catch {
            await line.leave()
            throw .unavailable(error)
        }
    }

    private func takeSpare() async throws(EngineUnavailable) -> WorkerProcess {
        let task = spare ?? start()
        // No other call gets this worker while this call waits for it.
        spare = nil
        let worker = try await task.value.get()
        if hasEnded {
            await worker.end()
            throw Self.ended
        }
        return worker
    }

    private func putBack(_ worker: WorkerProcess, of owner: WorkerOwner) async {
        drawing[ObjectIdentifier(worker)] = nil
        if worker.isLost { losses.add(1, ordering: .relaxed) }
        if hasEnded { await worker.end() } else { idle.add(worker, of: owner) }
        for old in idle.takeSurplus(over: mostIdle) { await old.end() }
        await line.leave()
    }

    /// Without owners, the pool has as many workers as can draw at a time. With owners, which come and go, it needs
    /// more.
    private var mostIdle: Int { fresh == .never ? capacity - drawing.count : max(capacity, Self.leastOwners) }

    /// The number of owners whose workers may wait for their next documents: a stopped worker takes a few MB.
    private static let leastOwners = 8

    private func start() -> Task<Result<WorkerProcess, EngineUnavailable>, Never> {
        Task {
            do throws(EngineUnavailable) { return .success(try await started()) } catch { return .failure(error) }
        }
    }

    private func started() async throws(EngineUnavailable) -> WorkerProcess {
        let path = try program.find()
        if jail != .never, bubblewrapProblem == nil {
            switch await WorkerProcess.start(path, files: program.files, inBubblewrap: true, recycling: recycling) {
            case .success(let worker): return try checked(worker)
            case .failure(let failure) where failure.wasKilled: throw unable(failure, path)
            case .failure(let failure) where jail == .always: throw Self.withoutBubblewrap(failure.detail)
            case .failure(let failure):
                // If the worker does not start without bubblewrap either, the problem is in the worker.
                let worker = try await startedBare(path)
                bubblewrapProblem = failure.detail
                return worker
            }
        }
        return try await startedBare(path)
    }

    private func startedBare(_ path: String) async throws(EngineUnavailable) -> WorkerProcess {
        switch await WorkerProcess.start(path, files: program.files, inBubblewrap: false, recycling: recycling) {
        case .success(let worker): return try checked(worker)
        case .failure(let failure): throw unable(failure, path)
        }
    }

    private func unable(_ failure: WorkerStartFailure, _ path: String) -> EngineUnavailable {
        let missing = failure.wasKilled ? [] : WorkerProgram.missingLibraries(of: path)
        let detail = missing.isEmpty ? failure.detail : "\(missing.joined(separator: ", ")) is missing"
        return EngineUnavailable(
            problem: "the program \(program.name) does not start: \(detail)",
            remedy: failure.wasKilled
                ? "check the system's log for the reason, such as too little memory"
                : missing.isEmpty
                    ? "install it again with: \(program.installCommand)"
                    : "install the package that contains \(missing.joined(separator: ", "))")
    }

    private func checked(_ worker: WorkerProcess) throws(EngineUnavailable) -> WorkerProcess {
        let missing = WorkerProtections.required.subtracting(worker.protections)
        if missing.isEmpty { return worker }
        throw EngineUnavailable(
            problem:
                "the program \(program.name) cannot protect itself; missing: \(missing.names.joined(separator: ", "))",
            remedy: "allow seccomp filters in this container, and use a kernel that supports them")
    }

    private static func withoutBubblewrap(_ detail: String) -> EngineUnavailable {
        EngineUnavailable(
            problem: "no sandbox is available: bubblewrap cannot start a worker: \(detail)",
            remedy: "install the Debian package bubblewrap and allow user namespaces, or leave out --sandbox")
    }

    private static let ended = EngineUnavailable(
        problem: "the engine was shut down", remedy: "create a new engine")

    /// Ends all workers. Drawings in progress fail. Returns when no process and no descriptor of the pool remains.
    func shutDown() async {
        hasEnded = true
        for worker in drawing.values { worker.kill() }
        await line.waitUntilEmpty()
        for worker in idle.takeSurplus(over: 0) { await worker.end() }
        let spare = spare
        self.spare = nil
        if case .success(let worker) = await spare?.value { await worker.end() }
    }
}
