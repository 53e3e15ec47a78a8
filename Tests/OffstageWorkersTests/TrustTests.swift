import Foundation
import Offstage
import Testing

@testable import OffstageWorkers

/// What a worker drew before it was found to be taken over is not believed any more.
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
        // These are by another worker, and stay.
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

    /// A crash is an accident.
    @Test(arguments: [TestCommand.abort, .exit]) func othersKeepTheirPictures(command: TestCommand) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let renderer = renderer()
        #expect(try await origins(of: renderer) == [.drawn, .drawn])
        await #expect(throws: RenderError.self) { _ = try await renderer.picture(for: request("c", command)) }
        #expect(try await origins(of: renderer) == [.memory, .memory])
        #expect(renderer.counters.withdrawn == 0)
        await renderer.finish()
    }

    /// The worker did nothing forbidden, but its source knows what a document of its kind cannot have.
    @Test func anUntrueAnswerEndsTheWorker() async throws {
        try await withEngine { engine async throws in
            let first = try await engine.draw(TestRequest()).trust[0]
            await #expect(throws: DrawingError.self) { _ = try await engine.draw(TestRequest(isDoubted: true)) }
            #expect(first.isLost)
            let second = try await engine.draw(TestRequest()).trust[0]
            #expect(second !== first)
            #expect(!second.isLost)
        }
    }
}
