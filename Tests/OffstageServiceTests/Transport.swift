import Foundation
import Offstage
import OffstageRequests
import OffstageWebKit
import Synchronization
import Testing

@testable import OffstageService

/// An in-memory transport for a session, and the session itself. Its engine never starts, because its renderer is
/// suspended.
final class Transport: Sendable {
    private struct State {
        var pieces: [Data] = []
        var isOver = false
        var reader: CheckedContinuation<Data?, Never>?
        var reads = 0
        var lines: [String] = []
        var takesMore = true
        var isGone = false
        var writer: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    let renderer: Renderer
    let lease: SuspensionLease
    let service: PictureService
    let session: LineSession

    init(
        limit: Int = 10, isOrdered: Bool = false, client: ServiceClient? = nil,
        memory: any LineMemory = UnlimitedLineMemory()
    ) async {
        let engine = await MainActor.run { WebEngine() }
        renderer = Renderer(engine: engine)
        lease = renderer.suspend()
        var configuration = LineSession.Configuration(limit: limit, lineLimit: 10_000)
        configuration.isOrdered = isOrdered
        configuration.client = client
        configuration.memory = memory
        service = PictureService(renderer: renderer)
        session = LineSession(
            service: service,
            reader: ServiceRequestReader(RequestReader(folder: nil, allowsFiles: false)), configuration)
    }

    func run() -> Task<LineSession.Outcome, Never> {
        Task { await session.run(read: { await self.read() }, write: { await self.write($0) }) }
    }

    // MARK: The client's side

    /// Sends each line as one piece.
    func send(_ lines: String...) {
        for line in lines { state.withLock { $0.pieces.append(Data((line + "\n").utf8)) } }
        feed()
    }

    func end() {
        state.withLock { $0.isOver = true }
        feed()
    }

    /// The number of pieces that the session has read.
    var reads: Int { state.withLock { $0.reads } }
    var lines: [String] { state.withLock { $0.lines } }

    /// Returns the received objects once there are this many.
    func results(_ count: Int) async throws -> [[String: Any]] {
        try await until("there are \(count) results") { lines.count >= count }
        return try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
    }

    func ids(_ count: Int) async throws -> [String] { try await results(count).map { $0["id"] as? String ?? "" } }

    /// Stops or resumes accepting results.
    func take(_ isTaking: Bool) {
        let writer = state.withLock { state in
            state.takesMore = isTaking
            return isTaking ? state.writer.take() : nil
        }
        writer?.resume()
    }

    /// Disconnects the client.
    func leave() {
        state.withLock { $0.isGone = true }
        take(true)
    }

    func until(_ what: String, _ condition: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(300)
        while !condition() {
            try #require(ContinuousClock.now < end, "not until \(what); came: \(lines)")
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    // MARK: The session's side

    private func read() async -> Data? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.reader = continuation }
                feed()
            }
        } onCancel: {
            end()
        }
    }

    private func feed() {
        let next: (CheckedContinuation<Data?, Never>, Data?)? = state.withLock { state in
            guard let reader = state.reader, state.isOver || !state.pieces.isEmpty else { return nil }
            state.reader = nil
            if state.pieces.isEmpty { return (reader, nil) }
            state.reads += 1
            return (reader, state.pieces.removeFirst())
        }
        if let (reader, piece) = next { reader.resume(returning: piece) }
    }

    private func write(_ data: Data) async -> Bool {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                if state.takesMore { return false }
                state.writer = continuation
                return true
            }
            if !waits { continuation.resume() }
        }
        return state.withLock { state in
            if state.isGone { return false }
            state.lines += String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
            return true
        }
    }
}

/// A request that waits for as long as the renderer is suspended.
func request(_ id: String, _ more: String = "") -> String {
    "{\"id\": \"\(id)\", \"html\": \"<p>\(id)\"\(more.isEmpty ? "" : ", " + more)}"
}

func cancel(_ id: String) -> String { "{\"id\": \"cancel \(id)\", \"command\": \"cancel\", \"request\": \"\(id)\"}" }
