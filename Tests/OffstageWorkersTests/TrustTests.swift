import Foundation
import Offstage
import Testing

@testable import OffstageWorkers

/// When a worker misbehaves, its earlier pictures are removed from all caches.
struct TrustTests {
    private let folder = NSTemporaryDirectory() + "offstage-trust-\(UUID().uuidString)"

    private func renderer() -> Renderer {
        var configuration = RendererConfiguration()
        configuration.memory = CachedPictures.cache()
        configuration.store = PictureStore(folder: folder)
        return Renderer(
            engine: WorkerEngine(TestSource(isCached: true), workers: 1), configuration: configuration)
    }

    private func request(_ document: String, _ command: TestCommand = .echo) -> TestRequest {
        TestRequest(identifier: document, document: Data(document.utf8), command: command)
    }

    private func origins(of renderer: Renderer) async throws -> [RenderedPicture.Origin] {
        var origins: [RenderedPicture.Origin] = []
        for document in ["a", "b"] { origins.append(try await renderer.picture(for: request(document)).origin) }
        return origins
    }

    @Test(arguments: [TestCommand.open, .garbage]) func picturesAreWithdrawn(command: TestCommand) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = renderer()
        #expect(try await origins(of: first) == [.drawn, .drawn])
        #expect(try await origins(of: first) == [.memory, .memory])
        await #expect(throws: RenderError.self) { _ = try await first.picture(for: request("c", command)) }
        #expect(first.counters.withdrawn == 2)
        #expect(try await origins(of: first) == [.drawn, .drawn])
        // These pictures are from another worker, and stay.
        await first.finish()
        let second = renderer()
        #expect(try await origins(of: second) == [.disk, .disk])
        await second.finish()
    }

    @Test func withdrawnPicturesAreNotInTheStoreEither() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = renderer()
        #expect(try await origins(of: first) == [.drawn, .drawn])
        await #expect(throws: RenderError.self) { _ = try await first.picture(for: request("c", .open)) }
        await first.finish()
        let second = renderer()
        #expect(try await origins(of: second) == [.drawn, .drawn])
        await second.finish()
    }

    /// The worker's picture is right; its later misbehaviour is found with the next document or at the end.
    @Test(arguments: [TestCommand.answerAndOpen, .twoAnswers]) func afterAnAnswer(command: TestCommand) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = renderer()
        #expect(try await origins(of: first) == [.drawn, .drawn])
        #expect(try await first.picture(for: request("c", command)).origin == .drawn)
        #expect(try await first.picture(for: request("d")).origin == .drawn)
        #expect(first.counters.withdrawn == 3)
        #expect(try await origins(of: first) == [.drawn, .drawn])
        #expect(try await first.picture(for: request("c", command)).origin == .drawn)
        await first.finish()
        let second = renderer()
        #expect(try await origins(of: second) == [.drawn, .drawn])
        await second.finish()
    }

    /// A thumbnail is made from a picture that is already in memory.
    @Test func thumbnailsAreWithdrawnToo() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = renderer()
        #expect(try await origins(of: first) == [.drawn, .drawn])
        let box = PixelSize(width: 8, height: 8)
        #expect(try await first.thumbnail(for: request("a"), fittingInto: box).size == box)
        await #expect(throws: RenderError.self) { _ = try await first.picture(for: request("c", .open)) }
        #expect(first.thumbnailAtOnce(for: request("a"), fittingInto: box) == nil)
        await first.finish()
        let second = renderer()
        #expect(await second.thumbnailAtHand(for: request("a"), RenderOptions(thumbnail: box)) == nil)
        await second.finish()
    }

    /// A crash is an accident, so other pictures stay.
    @Test(arguments: [TestCommand.abort, .exit]) func othersKeepTheirPictures(command: TestCommand) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let renderer = renderer()
        #expect(try await origins(of: renderer) == [.drawn, .drawn])
        await #expect(throws: RenderError.self) { _ = try await renderer.picture(for: request("c", command)) }
        #expect(try await origins(of: renderer) == [.memory, .memory])
        #expect(renderer.counters.withdrawn == 0)
        await renderer.finish()
    }

    /// The worker did nothing forbidden, but its source knows that the answer is impossible for such a document.
    @Test func anUntrueAnswerEndsTheWorker() async throws {
        try await withEngine { engine async throws in
            let first = try await engine.draw(TestRequest()).trust[0]
            await #expect(throws: DrawingError.self) { _ = try await engine.draw(TestRequest(doubts: Doubts(9))) }
            #expect(first.isLost)
            let second = try await engine.draw(TestRequest()).trust[0]
            #expect(second !== first)
            #expect(!second.isLost)
        }
    }

    /// An earlier document may have taken over the worker, so the document is drawn again.
    @Test func theInnocentDocumentIsDrawnAgain() async throws {
        try await withEngine { engine async throws in
            let first = try await engine.draw(TestRequest()).trust[0]
            let second = try await engine.draw(TestRequest(doubts: Doubts(1))).trust[0]
            #expect(first.isLost && !second.isLost)
        }
        try await withEngine { engine async throws in
            // This worker has drawn no other document.
            await #expect(throws: DrawingError.self) { _ = try await engine.draw(TestRequest(doubts: Doubts(1))) }
        }
    }

    /// An earlier document may also have taken over a worker that seems to be idle.
    @Test func theDocumentOfASilentWorkerIsDrawnAgain() async throws {
        try await withEngine { engine async throws in
            _ = try await engine.draw(TestRequest(command: .answerAndBurn))
            var budget = WorkerBudget()
            (budget.seconds, budget.processorSeconds) = (2, 100_000)
            #expect(try await engine.pixels(budget: budget) == echo())
        }
    }

    /// Misconduct is found without another request to the worker.
    @Test(arguments: [TestCommand.answerAndOpen, .twoAnswers]) func misconductAtRestIsFound(command: TestCommand)
        async throws
    {
        try await withEngine { engine async throws in
            let trust = try await engine.draw(TestRequest(command: command)).trust[0]
            while !trust.isLost { await Task.yield() }
        }
    }
}
