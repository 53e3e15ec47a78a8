import Foundation
import Offstage

/// `GET /v1/events`: the renderer's events, as server-sent events. A slow reader misses the oldest events. The service disconnects a
/// reader that does not read at all.
struct EventsResource: Sendable {
    let context: ServeContext

    private static let beat = Duration.seconds(15)
    /// The maximum number of bytes that a reader may leave unread.
    private static let patience = 1 << 20

    func get(_ request: HTTPRequest) throws(Problem) -> Handling {
        .stream(HTTPAnswer(200, "text/event-stream").with("Cache-Control", "no-store")) { await run($0) }
    }

    private func run(_ stream: AnswerStream) async {
        let start = Data(": offstage \(context.configuration.version)\nretry: 2000\n\n".utf8)
        guard await stream.put(start, patience: Self.patience) else { return }
        let events = context.renderer.events(buffering: 1024)
        let beats = Task {
            while (try? await Task.sleep(for: Self.beat)) != nil {
                if await !stream.put(Data(":\n\n".utf8), patience: Self.patience) { break }
            }
        }
        defer { beats.cancel() }
        for await event in events {
            if Task.isCancelled { break }
            if await !stream.put(Self.text(of: event), patience: Self.patience) { break }
        }
    }

    private static func text(of event: RenderEvent) -> Data {
        var object: [String: Any] = ["kind": event.kind.name, "identifier": event.identifier]
        if let request = event.request { object["request"] = request }
        if case .failed(let reason) = event.kind { object["reason"] = "\(reason)" }
        return Data("event: \(event.kind.name)\ndata: ".utf8) + HTTPAnswer.jsonData(object) + Data("\n\n".utf8)
    }
}

extension RenderEvent.Kind {
    var name: String {
        switch self {
        case .submitted: "submitted"
        case .joined: "joined"
        case .started: "started"
        case .drawn: "drawn"
        case .encoded: "encoded"
        case .stored: "stored"
        case .hitInMemory: "hit-in-memory"
        case .hitOnDisk: "hit-on-disk"
        case .cancelled: "cancelled"
        case .failed: "failed"
        case .evicted: "evicted"
        case .withdrawn: "withdrawn"
        }
    }
}
