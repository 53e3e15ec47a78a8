import Foundation
import Offstage
import OffstageHTML
import Synchronization
import Testing

/// Documents that workers draw, for a program without a main loop. One after the other: some tests kill all workers.
@Suite(.serialized)
struct HTMLEngineTests {
    private func picture(_ snippet: Snippet, _ engine: HTMLEngine) async throws -> Pixmap {
        try #require(try await engine.draw(snippet).pixmaps.first)
    }

    private func color(_ pixmap: Pixmap) -> [UInt8] { pixmap.withRow(0) { Array($0.prefix(4)) } }

    private func block(_ color: String, _ name: String = "a") -> Snippet {
        Snippet("<body style='margin:0;height:20px;background:\(color)'>", identifier: name, width: 20)
    }

    @Test func darkAndLightRowsAreDrawnAtOnce() async throws {
        let engine = HTMLEngine(views: 2)
        let html = """
            <body style='margin:0;height:9px'><style>body { background: #ff0000 }
            @media (prefers-color-scheme: dark) { body { background: #0000ff } }</style>
            """
        var colors: Set<[UInt8]> = []
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for number in 0..<12 {
                var snippet = Snippet(html, identifier: "\(number)", width: 9)
                snippet.emulation.colorScheme = number % 2 == 0 ? .dark : .light
                let wanted: [UInt8] = number % 2 == 0 ? [255, 0, 0, 255] : [0, 0, 255, 255]
                group.addTask { [snippet] in
                    let found = try await color(picture(snippet, engine))
                    #expect(found == wanted)
                    return found
                }
            }
            for try await color in group { colors.insert(color) }
        }
        #expect(colors.count == 2)
        await engine.shutDown()
    }

    /// A document that waits in the worker of a slow one is drawn by another worker that has nothing to do.
    @Test func noDocumentWaitsBehindASlowOne() async throws {
        let engine = HTMLEngine(views: 2)
        var slow = Snippet("<img src=a.png>", identifier: "slow")
        slow.base = SlowFiles()
        (slow.timeout, slow.limits.grace) = (3_000, 3_000)
        let never = Task { [slow] in try await engine.draw(slow) }
        for number in 0..<40 { _ = try await picture(block("red", "\(number)"), engine) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 40..<60 { group.addTask { _ = try await picture(block("red", "\(number)"), engine) } }
            try await group.waitForAll()
        }
        await engine.shutDown()
        await #expect(throws: DrawingError.self) { try await never.value }
    }

    /// Bytes that are larger than a packet, in both directions.
    @Test func largeDocumentsFilesAndPictures() async throws {
        let engine = HTMLEngine()
        let files = Files(["a.css": Data(("/*" + String(repeating: "x", count: 1 << 20) + "*/ p { color: red }").utf8)])
        var snippet = Snippet(
            "<link rel=stylesheet href=a.css><p>Text<!--\(String(repeating: "y", count: 1 << 18))-->",
            identifier: "large", width: 1_500)
        snippet.base = files
        snippet.geometry.height = .fixed(2_000)
        let drawing = try await engine.draw(snippet)
        #expect(drawing.pixmaps[0].size == PixelSize(width: 1_500, height: 2_000))
        #expect(drawing.dependencies.map(\.path) == ["a.css"])
        #expect(drawing.warnings == [])
        #expect(files.asked.withLock { $0 } == ["a.css"])
        await engine.shutDown()
    }

    @Test func missingFilesAreWarnings() async throws {
        let engine = HTMLEngine()
        var snippet = Snippet("<img src=a.png><img src=b.png><p>text", identifier: "a")
        snippet.base = Files([:])
        let warnings = try await engine.draw(snippet).warnings
        #expect(warnings.map(\.subject).sorted() == ["a.png", "b.png"])
        await engine.shutDown()
    }

    @Test func errorsOfTheWorkerAreTheCallers() async {
        let engine = HTMLEngine()
        let empty = Snippet("<!doctype html><body style='margin:0'><p hidden>a", identifier: "a")
        await #expect(throws: DrawingError.zeroHeight) { try await engine.draw(empty) }
        await #expect(throws: DrawingError.notFound("q")) {
            var snippet = Snippet("<p>a", identifier: "a")
            snippet.selector = Snippet.Selector("q")
            _ = try await engine.draw(snippet)
        }
        await engine.shutDown()
    }

    /// A worker that is killed costs no picture.
    @Test func killedWorkersAreReplaced() async throws {
        let engine = HTMLEngine(views: 2)
        let first = try await picture(block("#123456"), engine)
        for round in 0..<3 {
            for worker in Self.workers { kill(worker, SIGKILL) }
            #expect(try await color(picture(block("#123456", "\(round)"), engine)) == color(first))
        }
        #expect(await engine.restarts >= 3)
        await engine.shutDown()
    }

    @Test func stoppedEnginesRefuseAndLeaveNoProcess() async throws {
        let engine = HTMLEngine()
        _ = try await picture(block("red"), engine)
        await engine.shutDown()
        await #expect(throws: DrawingError.finished) { try await engine.draw(block("red")) }
    }

    /// The end comes while the worker starts: it does not stay, and nobody waits for it for ever.
    @Test func anEngineIsShutDownWhileItStarts() async {
        for _ in 0..<5 {
            let engine = HTMLEngine()
            let drawing = Task { try await engine.draw(block("red")) }
            await Task.yield()
            await engine.shutDown()
            _ = await drawing.result
        }
        #expect(Self.workers.isEmpty)
    }

    /// Pages and parts: several pictures in one answer, and an answer of lines and letters.
    @Test func partsAndVectorsArrive() async throws {
        let engine = HTMLEngine()
        var parts = Snippet("<body style='margin:0'><p>a<p>b<p>c", identifier: "a", width: 50)
        parts.selector = Snippet.Selector("p", isEach: true)
        #expect(try await engine.draw(parts).pixmaps.count == 3)
        let drawing = try await engine.draw(Snippet("<p>text", identifier: "a").drawn(into: .vector()))
        guard case .vector(let image)? = drawing.pictures.first else {
            Issue.record("it is not a vector picture")
            return
        }
        #expect((image as? VectorImage)?.document.starts(with: Data("%PDF".utf8)) == true)
        await engine.shutDown()
    }

    /// The processes of this program's workers.
    private static var workers: [pid_t] {
        ChildProcesses.all().filter { ChildProcesses.name(of: $0) == "offstage-html" }
    }
}

/// A folder whose files never arrive.
private struct SlowFiles: ResourceProvider {
    func resource(at path: String) async throws(ResourceError) -> Data {
        // Longer than the test: its task is not cancelled, and ends with the program.
        try? await Task.sleep(for: .seconds(3_000))
        throw .missing
    }
}

/// Files in memory.
private final class Files: ResourceProvider {
    private let files: [String: Data]
    let asked = Mutex<[String]>([])

    init(_ files: [String: Data]) { self.files = files }

    func resource(at path: String) async throws(ResourceError) -> Data {
        asked.withLock { $0.append(path) }
        guard let data = files[path] else { throw .missing }
        return data
    }
}
