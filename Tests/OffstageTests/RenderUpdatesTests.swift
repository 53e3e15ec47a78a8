import Offstage
import Testing

@Suite(.timeLimit(.minutes(15)))
struct RenderUpdatesTests {
    private struct Thumbnails: ThumbnailProviding {
        let image: RenderedPicture?
        func thumbnail(for request: some DrawingRequest) async -> RenderedPicture? { image }
    }

    private let gate = Gate()
    private let engine: FakeEngine

    init() { engine = FakeEngine(gate: gate, errors: ["bad": .empty]) }

    private func renderer(thumbnail: RenderedPicture? = nil) -> Renderer {
        var configuration = RendererConfiguration()
        configuration.thumbnails = Thumbnails(image: thumbnail)
        return Renderer(engine: engine, configuration: configuration)
    }

    private func thumbnail() async throws -> RenderedPicture {
        try await Renderer(engine: FakeEngine()).picture(for: FakeRequest(identifier: "small", width: 2))
    }

    /// An update as text, such as `full 3`: its kind and the picture's width.
    private func text(_ update: RenderUpdate?) -> String? {
        switch update {
        case .placeholder: "placeholder"
        case .stale(let image): "stale \(image.size.width)"
        case .thumbnail(let image): "thumbnail \(image.size.width)"
        case .full(let image): "full \(image.size.width)"
        case nil: nil
        }
    }

    @Test func placeholderThenThumbnailThenThePicture() async throws {
        let renderer = renderer(thumbnail: try await thumbnail())
        var updates = renderer.updates(for: FakeRequest(identifier: "a", width: 3)).makeAsyncIterator()
        #expect(text(try await updates.next()) == "placeholder")
        // The gate is closed: the thumbnail does not wait for the drawing.
        #expect(text(try await updates.next()) == "thumbnail 2")
        await gate.open()
        #expect(text(try await updates.next()) == "full 3")
        #expect(text(try await updates.next()) == nil)
    }

    @Test func withoutAThumbnailThePictureFollowsAndAnErrorEndsIt() async throws {
        let renderer = renderer()
        var updates = renderer.updates(for: FakeRequest(identifier: "a")).makeAsyncIterator()
        var failing = renderer.updates(for: FakeRequest(identifier: "bad")).makeAsyncIterator()
        #expect(text(try await updates.next()) == "placeholder")
        #expect(text(try await failing.next()) == "placeholder")
        await gate.open()
        #expect(text(try await updates.next()) == "full 1")
        do throws(RenderError) {
            let update = try await failing.next()
            Issue.record("\(text(update) ?? "the end")")
        } catch {
            #expect(error == RenderError(identifier: "bad", reason: .empty))
        }
        #expect(text(try await failing.next()) == nil)
    }

    @Test func whatIsNotNeededAnyMoreIsLeftOut() async throws {
        let renderer = renderer(thumbnail: try await thumbnail())
        var updates = renderer.updates(for: FakeRequest(identifier: "a")).makeAsyncIterator()
        #expect(text(try await updates.next()) == "placeholder")
        await gate.open()
        await renderer.finish()
        #expect(text(try await updates.next()) == "full 1")
    }

    @Test func leavingTheLoopCancelsTheRequest() async throws {
        let renderer = renderer()
        renderer.isSuspended = true
        for try await _ in renderer.updates(for: FakeRequest(identifier: "a")) { break }
        #expect(renderer.counters.cancelled == 1)
        renderer.isSuspended = false
        await renderer.finish()
        #expect(await engine.started.entries == [])
    }

    @Test func theOptionsAreTheRequests() async throws {
        let renderer = renderer()
        renderer.isSuspended = true
        await gate.open()
        let options = RenderOptions(isImmediate: true)
        var updates: [String?] = []
        for try await update in renderer.updates(for: FakeRequest(identifier: "a"), options: options) {
            updates.append(text(update))
        }
        #expect(updates.last == "full 1")
    }
}
