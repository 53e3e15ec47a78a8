import Offstage
import OffstageRequests
import OffstageWebKit
import Testing

@testable import OffstageService

/// A request can be cancelled and reprioritised before it is in the queue.
@Suite struct RequestControlTests {
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
        let control = RequestControl()
        control.setPriority(.high)
        let waiting = Task { try await service.files(for: first, control) }
        while renderer.waitingCount == 0 { await Task.yield() }
        // The less urgent request has no slot in the queue.
        await #expect { _ = try await service.files(for: second, RequestControl()) } throws: {
            ($0 as? ServiceError)?.code == .queueFull
        }
        let cancelled = RequestControl()
        cancelled.cancel()
        cancelled.setPriority(.veryHigh)
        await #expect { _ = try await service.files(for: second, cancelled) } throws: {
            [.cancelled, .queueFull].contains(($0 as? ServiceError)?.code)
        }
        control.cancel()
        await #expect { _ = try await waiting.value } throws: { ($0 as? ServiceError)?.code == .cancelled }
        lease.end()
    }
}
