import Foundation
import Testing

@testable import Offstage
@testable import OffstageWorkers

/// `--fresh-workers` decides which documents and clients share a worker.
struct FreshWorkerTests {
    /// Draws a document for a client, and returns the identity of the worker.
    private func worker(
        _ engine: WorkerEngine<TestSource>, of client: String? = nil, _ document: WorkerDocument? = nil
    ) async throws -> DrawingTrust {
        try await RenderClient.$current.withValue(client.map { RenderClient($0) }) {
            try await engine.draw(TestRequest(shared: document)).trust[0]
        }
    }

    @Test func neverIsTheDefault() async throws {
        try await withEngine { engine async throws in
            let first = try await worker(engine, of: "a")
            #expect(try await worker(engine, of: "b") === first)
            #expect(try await worker(engine) === first)
        }
    }

    @Test func eachDocumentHasItsWorker() async throws {
        try await withEngine(fresh: .document) { engine async throws in
            let first = try await worker(engine, of: "a")
            let second = try await worker(engine, of: "a")
            #expect(second !== first)
            // Only the spare worker remains.
            #expect(await engine.pool.everyWorker().count == 1)
            #expect(await engine.restarts == 0)
        }
    }

    /// The pages of a document are drawn from one shared copy.
    @Test(arguments: [FreshWorkers.document, .client]) func aDocumentKeepsItsWorker(fresh: FreshWorkers) async throws {
        try await withEngine(fresh: fresh) { engine async throws in
            let first = try WorkerDocument(Data("document".utf8))
            let other = try WorkerDocument(Data("document".utf8))
            let worker = try await worker(engine, first)
            #expect(try await self.worker(engine, other) !== worker)
            #expect(try await self.worker(engine, first) === worker)
        }
    }

    @Test func eachClientHasItsWorker() async throws {
        try await withEngine(fresh: .client) { engine async throws in
            let (a, b) = (try await worker(engine, of: "a"), try await worker(engine, of: "b"))
            #expect(a !== b)
            #expect(try await worker(engine, of: "a") === a)
            #expect(try await worker(engine, of: "b") === b)
            let (nobody, somebody) = (try await worker(engine), try await worker(engine))
            #expect(nobody !== somebody)
            #expect(nobody !== a)
        }
    }

    @Test func workersOfManyClientsAreLimited() async throws {
        try await withEngine(fresh: .client) { engine async throws in
            for client in 0..<20 { _ = try await worker(engine, of: "\(client)") }
            // Eight workers and the spare one.
            #expect(await engine.pool.everyWorker().count == 9)
            let last = try await worker(engine, of: "19")
            #expect(try await worker(engine, of: "19") === last)
        }
    }

    @Test func theRendererNamesTheClient() async throws {
        let renderer = Renderer(engine: WorkerEngine(TestSource(), workers: 1, fresh: .client))
        func worker(of client: String) async throws -> DrawingTrust {
            let options = RenderOptions(client: RenderClient(client), usesCache: false, storesResult: false)
            return try await renderer.picture(for: TestRequest(), options: options).trust[0]
        }
        let (a, b) = (try await worker(of: "a"), try await worker(of: "b"))
        #expect(a !== b)
        #expect(try await worker(of: "a") === a)
        await renderer.finish()
    }
}
