import Offstage

/// Shows when a request or an engine is released.
final class Token: Sendable {}

struct FakeRequest: DrawingRequest {
    var identifier: String
    /// Part of the picture, so that a test can distinguish its answer from others.
    var width = 1
    var key: String?
    var token: Token?
    var scale = 1.0

    var coalescingKey: String? { key }
}

/// Draws a picture of the requested width when `gate` opens.
struct FakeEngine: Engine {
    var capacity = 1
    var gate: Gate?
    /// The drawings that fail, by identifier.
    var errors: [String: DrawingError] = [:]
    var token: Token?
    let started = Journal()
    let finished = Journal()

    func draw(_ request: FakeRequest) async throws(DrawingError) -> Drawing {
        await started.note(request.identifier)
        await gate?.pass(request.identifier)
        await finished.note(request.identifier)
        if let error = errors[request.identifier] { throw error }
        let pixmap = Pixmap.of(request.width, 1, isOpaque: true) { _, _ in [0, 0, 0, 255] }
        return Drawing(pixmaps: [pixmap], scale: 2, warnings: [])
    }

    func shutDown() async { await finished.note("shut down") }
}

extension Renderer {
    /// Accepts requests in the given order.
    func ask(for identifiers: String..., options: RenderOptions = RenderOptions()) -> [RenderTask<[RenderedPicture]>] {
        identifiers.map { task(for: FakeRequest(identifier: $0), options: options) }
    }
}

/// The error if there is no picture; otherwise nil.
func reason(_ task: RenderTask<[RenderedPicture]>) async -> DrawingError? {
    do throws(RenderError) {
        _ = try await task.pictures
        return nil
    } catch {
        return error.reason
    }
}
