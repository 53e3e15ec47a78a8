import Foundation
import Offstage

/// `GET /v1/events`: the renderer's events, as server-sent events. A slow reader misses the oldest events. The service disconnects a
/// reader that does not read at all.
@MainActor
struct EventsResource {
    let context: ServeContext

    private static let beat = Duration.seconds(15)
    /// The maximum number of bytes that a reader has not read.
    private static let patience = 1 << 20

    func get(_ request: HTTPRequest) throws(Problem) -> Handling {
        .stream(HTTPAnswer(200, "text/event-stream").with("Cache-Control", "no-store")) { [self] in await run($0) }
    }

    private func run(_ exchange: Exchange) async {
        exchange.put(Data(": offstage \(context.configuration.version)\nretry: 2000\n\n".utf8))
        let events = context.renderer.events(buffering: 1024)
        let beats = Task { [self] in
            while (try? await Task.sleep(for: Self.beat)) != nil { put(Data(":\n\n".utf8), into: exchange) }
        }
        defer { beats.cancel() }
        for await event in events {
            if exchange.isOver || Task.isCancelled { break }
            put(Self.text(of: event), into: exchange)
        }
    }

    private func put(_ data: Data, into exchange: Exchange) {
        exchange.put(data)
        if !exchange.isOver, exchange.pendingBytes > Self.patience { exchange.connection?.cut() }
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
        }
    }
}
