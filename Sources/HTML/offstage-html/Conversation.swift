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
    private let channel = WorkerChannel.toHost()
    private let questions = Questions()
    private var engine: WebEngine?
    private var input: LoopInput?
    private var hasEnded = false

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
            NetworkNamespace.isWanted = value.hasOwnNetwork
            engine = WebEngine(views: value.views, allowedHosts: value.allowedHosts)
            engine?.sandbox = value.sandbox
        case .draw:
            guard let engine, let job = HTMLMessageContent.value(of: message.content, as: HTMLJob.self) else {
                return end()
            }
            draw(job, number: message.number, with: engine)
        case .told: questions.answer(message)
        case .ping: channel.send(HTMLMessage.pong.rawValue)
        case .drawn, .failed, .ask, .pong, nil: end()
        }
    }

    private func draw(_ job: HTMLJob, number: UInt32, with engine: WebEngine) {
        var snippet = job.snippet
        if job.hasFiles { snippet.base = HostFiles(channel: channel, questions: questions, drawing: number) }
        Task {
            do throws(DrawingError) {
                let drawing = try await engine.draw(snippet)
                try send(drawing, number, restarts: engine.restarts)
            } catch {
                let content = HTMLMessageContent.data(of: HTMLFailure(error))
                channel.send(
                    HTMLMessage.failed.rawValue, number: number, values: [UInt64(engine.restarts)], content)
            }
            questions.forget(number)
        }
    }

    private func send(_ drawing: Drawing, _ number: UInt32, restarts: Int) throws(DrawingError) {
        var pixmaps: [Pixmap] = []
        let content = HTMLMessageContent.data(of: HTMLAnswer(drawing, pixmaps: &pixmaps))
        switch try PictureMemory.written(pixmaps) {
        case .some(let memory):
            channel.send(
                HTMLMessage.drawn.rawValue, number: number,
                values: [UInt64(memory.count), memory.isFile ? 1 : 0, UInt64(restarts)], content,
                file: memory.file.number)
        case .none:
            channel.send(HTMLMessage.drawn.rawValue, number: number, values: [0, 0, UInt64(restarts)], content)
        }
    }
}
