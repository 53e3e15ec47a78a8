import Offstage
import OffstageRequests
import OffstageWebKit
import Testing

@testable import OffstageService

/// What is said of a request before it sets out holds as well.
@Suite struct TicketTests {
    @Test func priorityAndCancelling() async throws {
        var configuration = RendererConfiguration()
        configuration.maximumWaiting = 1
        let renderer = Renderer(engine: await MainActor.run { WebEngine() }, configuration: configuration)
        let service = PictureService(renderer: renderer)
        let lease = renderer.suspend()
        var reader = ServiceRequestReader(RequestReader(folder: nil, allowsFiles: false))
        let (first, second) = (
            try reader.read(["html": .text("<p>1")], at: "1"),
            try reader.read(["html": .text("<p>2"), "deadline": .integer(5)], at: "2")
        )
        let ticket = service.ticket()
        service.setPriority(.high, of: ticket)
        let waiting = Task { try await service.files(for: first, ticket) }
        while renderer.waitingCount == 0 { await Task.yield() }
        // The less urgent one has no room.
        await #expect { _ = try await service.files(for: second, service.ticket()) } throws: {
            ($0 as? ServiceError)?.code == .queueFull
        }
        let cancelled = service.ticket()
        service.cancel(cancelled)
        service.setPriority(.veryHigh, of: cancelled)
        await #expect { _ = try await service.files(for: second, cancelled) } throws: {
            [.cancelled, .queueFull].contains(($0 as? ServiceError)?.code)
        }
        service.cancel(ticket)
        await #expect { _ = try await waiting.value } throws: { ($0 as? ServiceError)?.code == .cancelled }
        lease.end()
    }
}
