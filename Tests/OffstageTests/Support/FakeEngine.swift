import Offstage

struct FakeRequest: DrawingRequest {
    var identifier: String
    /// Of the picture, so that an answer can be told from another's.
    var width = 1
}

/// Draws a picture as wide as asked for, once `gate` lets it.
struct FakeEngine: Engine {
    var capacity = 1
    var gate: Gate?
    /// Fails these, by identifier.
    var errors: [String: DrawingError] = [:]
    let started = Journal()
    let finished = Journal()

    func draw(_ request: FakeRequest) async throws(DrawingError) -> Drawing {
        await started.note(request.identifier)
        await gate?.pass()
        await finished.note(request.identifier)
        if let error = errors[request.identifier] { throw error }
        let pixmap = Pixmap.of(request.width, 1, isOpaque: true) { _, _ in [0, 0, 0, 255] }
        return Drawing(pixmap: pixmap, scale: 2, warnings: [])
    }

    func shutDown() async { await finished.note("shut down") }
}
