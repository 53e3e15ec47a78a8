import Dispatch
import Foundation
import Offstage
import OffstageWorkers
import Synchronization

/// One worker: the program `offstage-html` with its views, and the drawings that it makes now.
///
/// A thread of its own receives the worker's messages. Everything in them is untrusted.
final class HTMLWorker: Sendable {
    /// A drawing that the worker makes now.
    private struct Job: Sendable {
        let answer: CheckedContinuation<Attempts.Outcome<Drawing>?, Never>
        /// Nil for a document without files.
        let files: (any ResourceProvider)?
    }

    private struct State: Sendable {
        var process: ChannelProcess?
        var jobs: [UInt32: Job] = [:]
        /// The number of callers that have taken the worker and not put it back.
        var users = 0
        var drawings = 0
        /// Nil while it works.
        var loss: ProcessLoss.Cause?
        /// The number of messages from the worker.
        var messages = 0
        var isWatched = false
        var replaced = 0
        var sandboxAbsence: EngineUnavailable?
        var diagnosing: [CheckedContinuation<HTMLDiagnosis?, Never>] = []
    }

    private let state = Mutex(State())
    private let configuration: HTMLConfiguration
    private let start = Promise<EngineUnavailable?>()
    private let end = Promise<Void>()

    /// Begins to start the worker.
    init(_ configuration: HTMLConfiguration) {
        self.configuration = configuration
        let thread = Thread { [self] in run() }
        thread.name = "offstage-html"
        thread.start()
    }

    /// The number of callers that have taken it.
    var load: Int { state.withLock { $0.users } }
    func take() { state.withLock { $0.users += 1 } }
    func putBack() { state.withLock { $0.users -= 1 } }
    var isUsable: Bool { state.withLock { $0.loss == nil } }
    /// The number of processes that it has replaced.
    var replaced: Int { state.withLock { $0.replaced } }

    /// Draws a document. Not cancellable.
    ///
    /// - Parameter sent: called once the worker has the document.
    /// - Returns: nil if the drawing was withdrawn: another worker must draw it.
    func draw(_ snippet: Snippet, sent: @Sendable () -> Void) async -> Attempts.Outcome<Drawing>? {
        let job = HTMLMessageContent.data(of: HTMLJob(snippet))
        if let problem = await start.value { return .failed(.unavailable(problem)) }
        return await withCheckedContinuation { answer in
            let (number, process, loss) = state.withLock { state in
                state.drawings += 1
                let number = UInt32(truncatingIfNeeded: state.drawings)
                if state.loss == nil { state.jobs[number] = Job(answer: answer, files: snippet.base) }
                return (number, state.process, state.loss)
            }
            guard loss == nil, let process else {
                return answer.resume(
                    returning: .lost(ProcessLoss(loss ?? .crashed, blame: .nobody, isAlone: number <= 1)))
            }
            watch()
            // If the worker is gone, or is killed here, the thread that receives notices it, and ends all its drawings.
            if process.channel.send(HTMLMessage.draw.rawValue, number: number, job) { sent() } else { process.kill() }
        }
    }

    /// Withdraws the newest drawing if it has not begun.
    func withdrawNewest() {
        let (process, newest) = state.withLock { ($0.process, $0.jobs.keys.max()) }
        if let newest { process?.channel.send(HTMLMessage.withdraw.rawValue, number: newest) }
    }

    /// The reason that it gave for drawing without a sandbox.
    var sandboxAbsence: EngineUnavailable? { state.withLock { $0.sandboxAbsence } }

    func diagnosis() async throws(EngineUnavailable) -> HTMLDiagnosis {
        if let problem = await start.value { throw problem }
        let diagnosis = await withCheckedContinuation { answer in
            let process = state.withLock { state -> ChannelProcess? in
                if state.loss != nil { return nil }
                state.diagnosing.append(answer)
                return state.process
            }
            guard let process else { return answer.resume(returning: nil) }
            process.channel.send(HTMLMessage.diagnose.rawValue)
        }
        guard let diagnosis else {
            throw EngineUnavailable(
                problem: "the worker for HTML ended before it answered",
                remedy: "make sure that there is free memory, and that its libraries are installed")
        }
        return diagnosis
    }

    /// Ends the worker, and waits until its process is gone.
    func ended() async {
        beginEnd()
        await end.value
    }

    /// Begins to end the worker. Its drawings fail.
    func beginEnd() {
        let process = state.withLock { state in
            if state.loss == nil { state.loss = .crashed }
            return state.process
        }
        // The worker then ends its own processes and itself.
        process?.channel.close()
    }

    // MARK: The thread

    private func run() {
        let process: ChannelProcess
        do throws(EngineUnavailable) { process = try ChannelProcess(WorkerProgram("offstage-html")) } catch {
            state.withLock { $0.loss = .unavailable(error) }
            end.keep(())
            return start.keep(error)
        }
        let isWanted = state.withLock { state in
            state.process = process
            return state.loss == nil
        }
        // The engine may have been shut down meanwhile.
        if !isWanted { process.channel.close() }
        process.channel.send(
            HTMLMessage.configure.rawValue, HTMLMessageContent.data(of: configuration))
        start.keep(nil)
        while case .message(let message) = process.channel.receive(within: -1) {
            state.withLock { $0.messages += 1 }
            guard take(message, process.channel) else {
                process.kill()
                fail(.misbehaved("the worker sent a message that no drawing needs"))
                break
            }
        }
        fail(.crashed)
        // It may still be ending its own processes.
        process.end(within: Self.lastMoments)
        end.keep(())
    }

    /// The time that a worker gets to end its own processes, milliseconds.
    private static let lastMoments: Int32 = 2_000

    /// - Returns: false for a message that has no meaning.
    private func take(_ message: WorkerChannel.Message, _ channel: WorkerChannel) -> Bool {
        switch HTMLMessage(rawValue: message.kind) {
        case .pong: return true
        case .withdrawn:
            let job = state.withLock { $0.jobs.removeValue(forKey: message.number) }
            job?.answer.resume(returning: nil)
            return job != nil
        case .ask: return answer(message, channel)
        case .drawn:
            guard let job = finish(message.number, replaced: message.values[2]) else { return false }
            let outcome = Self.drawing(in: message)
            job.answer.resume(returning: outcome ?? .lost(ProcessLoss(Self.lie, blame: .document, isAlone: false)))
            return outcome != nil
        case .failed:
            guard let job = finish(message.number, replaced: message.values[0]) else { return false }
            let failure = HTMLMessageContent.value(of: message.content, as: HTMLFailure.self)
            job.answer.resume(
                returning: failure.map { .failed($0.error) }
                    ?? .lost(ProcessLoss(Self.lie, blame: .document, isAlone: false)))
            return failure != nil
        case .diagnosis:
            guard let diagnosis = HTMLMessageContent.value(of: message.content, as: HTMLDiagnosis.self) else {
                return false
            }
            let answer = state.withLock { $0.diagnosing.isEmpty ? nil : $0.diagnosing.removeFirst() }
            answer?.resume(returning: diagnosis)
            return answer != nil
        case .withoutSandbox:
            guard let absence = HTMLMessageContent.value(of: message.content, as: HTMLAbsence.self) else {
                return false
            }
            state.withLock { $0.sandboxAbsence = absence.reason }
            return true
        case .configure, .draw, .told, .withdraw, .ping, .diagnose, nil: return false
        }
    }

    private static let lie = ProcessLoss.Cause.misbehaved("the worker's answer is not a picture")

    private func finish(_ number: UInt32, replaced: UInt64) -> Job? {
        state.withLock { state in
            state.replaced = Int(clamping: replaced)
            return state.jobs.removeValue(forKey: number)
        }
    }

    private static func drawing(in message: WorkerChannel.Message) -> Attempts.Outcome<Drawing>? {
        guard let answer = HTMLMessageContent.value(of: message.content, as: HTMLAnswer.self) else { return nil }
        do throws(FileError) {
            let count = Int(clamping: message.values[0])
            let pixels = try message.file.flatMap { file throws(FileError) in
                try PictureMemory.reader(of: file, count: count, isFile: message.values[1] == 1)
            }
            return answer.drawing { pixels?($0) }.map { .drawn($0, isBlank: false) }
        } catch { return .failed(.spoolFailed(error)) }
    }

    /// Reads a file for a document, concurrently with everything else.
    private func answer(_ question: WorkerChannel.Message, _ channel: WorkerChannel) -> Bool {
        guard let job = state.withLock({ $0.jobs[question.number] }) else {
            // The document requested a file while its drawing ended.
            channel.send(HTMLMessage.told.rawValue, number: question.number, values: [question.values[0], 1])
            return true
        }
        guard let files = job.files else { return false }
        let (path, limit) = (String(decoding: question.content, as: UTF8.self), Int(clamping: question.values[1]))
        Task {
            func tell(_ result: UInt64, _ content: Data = Data()) {
                channel.send(
                    HTMLMessage.told.rawValue, number: question.number, values: [question.values[0], result], content)
            }
            do throws(ResourceError) { tell(0, try await files.resource(at: path, upTo: limit)) } catch {
                switch error {
                case .missing: tell(1)
                case .refused(let reason): tell(2, Data(reason.utf8))
                case .tooLarge: tell(3)
                }
            }
        }
        return true
    }

    // MARK: The end

    /// Ends the drawings of a worker that is lost. Only the first cause counts.
    private func fail(_ cause: ProcessLoss.Cause) {
        let (diagnosing, jobs, isAlone) = state.withLock { state in
            if state.loss == nil { state.loss = cause }
            defer { (state.jobs, state.diagnosing) = ([:], []) }
            return (state.diagnosing, state.jobs.sorted { $0.key < $1.key }.map(\.value.answer), state.drawings <= 1)
        }
        for answer in diagnosing { answer.resume(returning: nil) }
        for (index, answer) in jobs.enumerated() {
            // The others were still waiting.
            let blame: ProcessLoss.Blame = index < configuration.views ? .document : .nobody
            answer.resume(returning: .lost(ProcessLoss(cause, blame: blame, isAlone: isAlone)))
        }
    }

    /// Watches the worker while it draws: its main loop must answer within this time, seconds.
    private static let patience = 10.0

    private func watch() {
        let messages = state.withLock { state -> Int? in
            if state.isWatched { return nil }
            state.isWatched = true
            return state.messages
        }
        if let messages { look(after: messages) }
    }

    /// Asks the worker for a sign of life, and looks for it later.
    private func look(after messages: Int) {
        state.withLock { $0.process }?.channel.send(HTMLMessage.ping.rawValue)
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { [weak self] in
            guard let self else { return }
            let (now, isIdle) = state.withLock { state in
                if state.jobs.isEmpty { state.isWatched = false }
                return (state.messages, state.jobs.isEmpty)
            }
            if isIdle { return }
            if now == messages {
                state.withLock { $0.process }?.kill()
                return fail(.hung(seconds: Self.patience))
            }
            look(after: now)
        }
    }
}
