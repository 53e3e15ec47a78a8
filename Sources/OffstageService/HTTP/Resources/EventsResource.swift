import CSoup
import Foundation
import Offstage

/// `GET /v1/events`: what happens, as server-sent events. A reader that does not keep up misses the oldest, and one that does not
/// read at all is dropped.
@MainActor
struct EventsResource {
    let context: ServeContext

    private static let beat = Duration.seconds(15)
    /// Bytes that are not on their way yet.
    private static let patience = 1 << 20

    func get(_ request: HTTPRequest) throws(Problem) -> Handling {
        .stream { [self] exchange in
            var answer = HTTPAnswer(200, "text/event-stream")
            answer.headers.append((name: "Cache-Control", value: "no-store"))
            exchange.begin(answer)
            exchange.stream { [self] in await run(exchange) }
        }
    }

    private func run(_ exchange: Exchange) async {
        exchange.append(Data(": offstage \(context.configuration.version)\nretry: 2000\n\n".utf8))
        exchange.flush()
        let events = context.renderer.events(buffering: 1024)
        let beats = Task { [self] in
            while true {
                guard (try? await Task.sleep(for: Self.beat)) != nil else { return }
                put(Data(":\n\n".utf8), into: exchange)
            }
        }
        defer { beats.cancel() }
        for await event in events {
            if exchange.isOver || Task.isCancelled { break }
            put(Self.text(of: event), into: exchange)
        }
    }

    private func put(_ data: Data, into exchange: Exchange) {
        if exchange.isOver { return }
        exchange.append(data)
        exchange.flush()
        if exchange.pendingBytes > Self.patience { exchange.connection?.cut() }
    }

    private static func text(of event: RenderEvent) -> Data {
        var object: [String: Any] = ["kind": event.kind.name, "identifier": event.identifier]
        if let request = event.request { object["request"] = request }
        if case .failed(let reason) = event.kind { object["reason"] = "\(reason)" }
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        let json = (try? JSONSerialization.data(withJSONObject: object, options: options)) ?? Data()
        return Data("event: \(event.kind.name)\ndata: ".utf8) + json + Data("\n\n".utf8)
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
