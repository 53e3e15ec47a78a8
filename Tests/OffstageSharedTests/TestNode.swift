import Foundation
import Offstage
import Synchronization

@testable import OffstageShared

extension PostgresShelf {
    /// Puts a picture as a client that may change all pictures.
    func put(_ picture: StoredPicture, as identifier: String, over expected: ExpectedPicture) async throws -> Bool {
        let anyone = PinningClient(name: nil, mayChangeOthers: true)
        let pictures = [(identifier: identifier, picture: picture)]
        if case .done = try await put(pictures, removing: [], by: anyone, over: expected) { return true }
        return false
    }

    func remove(_ identifier: String, _ expected: ExpectedPicture) async throws -> Bool {
        let anyone = PinningClient(name: nil, mayChangeOthers: true)
        if case .done = try await remove([identifier], by: anyone, expected) { return true }
        return false
    }
}

/// A test node: a renderer with its own store.
final class TestNode: Sendable {
    let engine: NodeEngine
    let shelf: PostgresShelf
    let renderer: Renderer
    let messages = Messages()
    private let folder: String
    private let worker = Mutex<(SharedWorker, Task<Void, Never>)?>(nil)

    /// - Parameter lives: false for a node that writes one heartbeat and receives nothing, so that the test controls
    ///   the other nodes.
    init(
        _ address: SharedAddress, engine: NodeEngine = NodeEngine(), machineClass: String = "class", slots: Int = 2,
        lives: Bool = true, sources: [String]? = nil
    ) async throws {
        var template = Array((NSTemporaryDirectory() + "offstage-node-XXXXXX").utf8CString)
        folder = String(cString: mkdtemp(&template))
        let messages = messages
        shelf = PostgresShelf(
            address,
            NodeIdentity(machineClass: machineClass, parts: [], slots: slots, version: "test", sources: sources)
        ) { message in messages.lock.withLock { $0.append(message) } }
        self.engine = engine
        var configuration = RendererConfiguration()
        configuration.store = PictureStore(folder: folder)
        configuration.shared = shelf
        renderer = Renderer(engine: engine, configuration: configuration)
        if lives { try await shelf.start() } else { try await shelf.beat(takesOver: false) }
    }

    final class Messages: Sendable {
        let lock = Mutex<[String]>([])
    }

    func bytes(_ number: Int, as identifier: String? = nil) async throws -> Data? {
        let files = try await renderer.files(for: Document(number, identifier), as: [FileVariant(.png())])
        return await files[0].files[0].data()
    }

    func key(_ number: Int) -> Digest { renderer.sharedKey(for: Document(number), as: [FileVariant(.png())])! }

    /// A submission that another node draws.
    func submission(
        _ number: Int, client: String = "", priority: Int = 0, source: String = ""
    ) -> PostgresShelf.Submission {
        .init(
            key: key(number), request: Data("\(number)".utf8), client: client, priority: priority, source: source)
    }

    /// Starts drawing other nodes' requests.
    func work() {
        let worker = SharedWorker(shelf, slots: 2) { [renderer] in
            max(0, 4 - renderer.waitingCount - renderer.runningCount)
        } draw: { [renderer] job in
            let document = Document(Int(String(decoding: job.request, as: UTF8.self))!)
            do throws(RenderError) {
                _ = try await renderer.files(for: document, as: [FileVariant(.png())])
                await renderer.shareFiles(for: document, as: [FileVariant(.png())])
                return nil
            } catch { return error.reason }
        }
        self.worker.withLock { $0 = (worker, Task { await worker.run() }) }
    }

    func stop() async {
        if let (worker, task) = worker.withLock({ $0 }) {
            worker.stop()
            await task.value
        }
        await renderer.finish()
        await shelf.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
