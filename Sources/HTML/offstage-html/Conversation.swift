import CGLib
import Foundation
import Offstage
import OffstageGLib
import OffstageHTML
import OffstageWebKit
import OffstageWorkers

/// The worker's side of the messages: receives documents on the main loop, draws them, and answers.
@MainActor
final class Conversation {
    private let channel: WorkerChannel
    private let questions = Questions()
    private var engine: WebEngine?
    private var input: LoopInput?
    private var hasEnded = false
    /// Drawings that wait for a view, in the order of their arrival. The renderer's queue sends no
    /// more than there are views; a host that calls the engine itself may.
    private var waiting: [(number: UInt32, job: HTMLJob)] = []
    private var (views, running) = (1, 0)
    private var hasToldOfSandbox = false

    init(_ channel: WorkerChannel) { self.channel = channel }

    /// Runs the main loop until the host closes the connection.
    func holdUntilEnd() {
        input = LoopInput(channel.descriptor) { [weak self] in self?.receive() }
        while !hasEnded { g_main_context_iteration(nil, 1) }
    }

    private func receive() {
        while true {
            switch channel.receive(within: 0) {
            case .message(let message): take(message)
            case .timeout: return
            case .end, .malformed: return end()
            }
        }
    }

    private func end() {
        input?.stop()
        hasEnded = true
    }

    /// The host is trusted: a message that cannot be read is from another build, and ends the worker.
    private func take(_ message: WorkerChannel.Message) {
        switch HTMLMessage(rawValue: message.kind) {
        case .configure:
            guard let value = HTMLMessageContent.value(of: message.content, as: HTMLConfiguration.self) else {
                return end()
            }
            if let fonts = value.fonts { PrivateFonts.use(fonts) }
            views = value.views
            engine = WebEngine(views: value.views, allowedHosts: value.allowedHosts)
            engine?.sandbox = value.sandbox
        case .draw:
            guard let job = HTMLMessageContent.value(of: message.content, as: HTMLJob.self) else { return end() }
            waiting.append((message.number, job))
            startNext()
        case .told: questions.answer(message)
        case .withdraw:
            guard let index = waiting.firstIndex(where: { $0.number == message.number }) else { return }
            waiting.remove(at: index)
            channel.send(HTMLMessage.withdrawn.rawValue, number: message.number)
        case .ping: channel.send(HTMLMessage.pong.rawValue)
        case .diagnose:
            Task {
                let diagnosis = await Diagnosis.now()
                channel.send(HTMLMessage.diagnosis.rawValue, HTMLMessageContent.data(of: diagnosis))
            }
        case .drawn, .failed, .ask, .withdrawn, .pong, .diagnosis, .withoutSandbox, nil: end()
        }
    }

    private func startNext() {
        guard running < views, !waiting.isEmpty, let engine else { return }
        running += 1
        let (number, job) = waiting.removeFirst()
        var snippet = job.snippet
        if job.hasFiles { snippet.base = HostFiles(channel: channel, questions: questions, drawing: number) }
        Task {
            let result: Result<Drawing, DrawingError>
            do throws(DrawingError) { result = .success(try await engine.draw(snippet)) } catch {
                result = .failure(error)
            }
            running -= 1
            // WebKit loads the next document while this one's pixels are copied and sent.
            startNext()
            await tellOfSandbox(engine.sandbox)
            answer(number, result, restarts: UInt64(engine.restarts))
            questions.forget(number)
        }
    }

    /// Tells the host once if documents are drawn without a sandbox.
    private func tellOfSandbox(_ sandbox: Sandbox) async {
        guard sandbox == .wherePossible, !hasToldOfSandbox, let absence = await Sandbox.absence else { return }
        hasToldOfSandbox = true
        channel.send(HTMLMessage.withoutSandbox.rawValue, HTMLMessageContent.data(of: HTMLAbsence(absence)))
    }

    private func answer(_ number: UInt32, _ result: Result<Drawing, DrawingError>, restarts: UInt64) {
        do throws(DrawingError) { try send(try result.get(), number, restarts: restarts) } catch {
            let content = HTMLMessageContent.data(of: HTMLFailure(error))
            if !channel.send(HTMLMessage.failed.rawValue, number: number, values: [restarts], content) { end() }
        }
    }

    private func send(_ drawing: Drawing, _ number: UInt32, restarts: UInt64) throws(DrawingError) {
        var pixmaps: [Pixmap] = []
        let content = HTMLMessageContent.data(of: HTMLAnswer(drawing, pixmaps: &pixmaps))
        switch try PictureMemory.written(pixmaps) {
        case .some(let memory):
            let isSent = channel.send(
                HTMLMessage.drawn.rawValue, number: number,
                values: [UInt64(memory.count), memory.isFile ? 1 : 0, restarts], content,
                file: memory.file.number)
            // The host would wait for the answer.
            if !isSent { end() }
        case .none:
            let isSent = channel.send(
                HTMLMessage.drawn.rawValue, number: number, values: [0, 0, restarts], content)
            if !isSent { end() }
        }
    }
}
