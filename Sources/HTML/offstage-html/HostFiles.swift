import Foundation
import Offstage
import OffstageHTML
import OffstageWorkers
import Synchronization

/// The files of a document, which the host reads.
struct HostFiles: ResourceProvider {
    let channel: WorkerChannel
    let questions: Questions
    /// The drawing's number.
    let drawing: UInt32

    func resource(at path: String) async throws(ResourceError) -> Data { try await resource(at: path, upTo: .max) }

    func resource(at path: String, upTo count: Int) async throws(ResourceError) -> Data {
        let result = await withCheckedContinuation { answer in
            let number = questions.ask(for: drawing, answer)
            let values = [number, UInt64(max(0, count))]
            channel.send(HTMLMessage.ask.rawValue, number: drawing, values: values, Data(path.utf8))
        }
        return try result.get()
    }
}

/// The questions to the host that it has not answered yet.
final class Questions: Sendable {
    typealias Answer = CheckedContinuation<Result<Data, ResourceError>, Never>

    private let state = Mutex(State())

    private struct State: Sendable {
        var last: UInt64 = 0
        var open: [UInt64: (drawing: UInt32, answer: Answer)] = [:]
    }

    /// - Returns: the question's number.
    func ask(for drawing: UInt32, _ answer: Answer) -> UInt64 {
        state.withLock { state in
            state.last += 1
            state.open[state.last] = (drawing, answer)
            return state.last
        }
    }

    func answer(_ message: WorkerChannel.Message) {
        let open = state.withLock { $0.open.removeValue(forKey: message.values[0]) }
        let result: Result<Data, ResourceError> =
            switch message.values[1] {
            case 0: .success(message.content)
            case 1: .failure(.missing)
            case 3: .failure(.tooLarge)
            default: .failure(.refused(String(decoding: message.content, as: UTF8.self)))
            }
        open?.answer.resume(returning: result)
    }

    /// Ends the questions of a drawing that is finished: the host does not answer them any more.
    func forget(_ drawing: UInt32) {
        let left = state.withLock { state in
            let left = state.open.filter { $0.value.drawing == drawing }
            for number in left.keys { state.open[number] = nil }
            return left.values.map(\.answer)
        }
        for answer in left { answer.resume(returning: .failure(.missing)) }
    }
}
