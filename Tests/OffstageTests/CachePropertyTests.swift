import SeededRandom
import Synchronization
import Testing

@testable import Offstage

/// Random sequences with a memory cache and a store: every request is answered exactly once, and never with content
/// older than the request.
@Suite(.timeLimit(.minutes(15)))
struct CachePropertyTests {
    @Test func noRequestIsAnsweredTwiceNorWithOldContent() async throws {
        for seed in Seed.some(12) {
            var trial = try CacheTrial(seed: seed)
            await trial.run(steps: 150)
        }
    }
}

/// A row whose content gives the picture's width, and whose file gives its height.
struct VersionedRow: DrawingRequest {
    var identifier: String
    var width: Int
    var scale = 1.0
    var coalescingKey: Int? { width }
}

/// Draws with the file's state at the start of the drawing.
struct VersionedEngine: Engine {
    let capacity = 2
    let version: Version
    var gate: Gate?
    let started = Journal()

    func draw(_ row: VersionedRow) async throws(DrawingError) -> Drawing {
        let height = version.value
        await started.note(row.identifier)
        await gate?.pass(row.identifier)
        for _ in 0..<row.width % 7 { await Task.yield() }
        let pixmap = Pixmap.of(row.width, height, isOpaque: true) { _, _ in [1, 2, 3, 255] }
        var drawing = Drawing(pixmaps: [pixmap], scale: 1, warnings: [])
        drawing.dependencies = [Dependency(path: "file", digest: Digest(of: "\(height)"))]
        return drawing
    }

    func fingerprint(of row: VersionedRow) -> Fingerprint? {
        var builder = Fingerprint.Builder()
        builder.add("width", "\(row.width)")
        return builder.build()
    }

    func digest(of path: String, for row: VersionedRow) async -> Digest? { Digest(of: "\(version.value)") }
    func shutDown() async {}
}

/// The version of the file that all rows use.
final class Version: Sendable {
    private let mutex = Mutex(1)
    var value: Int { mutex.withLock { $0 } }
    func raise() { mutex.withLock { $0 += 1 } }
}

struct CacheTrial {
    private struct Asked {
        let row: VersionedRow
        /// The file's version at the time of the request.
        let version: Int
    }

    private let seed: UInt64
    private var chance: SeededGenerator
    private let folder: TemporaryFolder
    private let version = Version()
    private let answers = Record<(number: Int, outcome: Result<[RenderedPicture], DrawingError>)>()
    private var asked: [Int: Asked] = [:]
    private var configuration = RendererConfiguration()
    private var renderer: Renderer
    private var drawings = 0

    init(seed: UInt64) throws {
        self.seed = seed
        chance = SeededGenerator(seed: seed)
        folder = try TemporaryFolder()
        configuration.memory = CachedPictures.cache(limits: MemoryCacheLimits(bytes: 40_000, count: 4))
        configuration.store = PictureStore(folder: folder.path)
        renderer = Renderer(engine: VersionedEngine(version: version), configuration: configuration)
    }

    mutating func run(steps: Int) async {
        for _ in 0..<steps { await step() }
        await restart()
        #expect(answers.entries.map(\.number).sorted() == asked.keys.sorted(), "seed \(seed)")
        for (number, outcome) in answers.entries {
            guard let one = asked[number] else { continue }
            switch outcome {
            case .success(let images):
                #expect(images.map(\.identifier) == [one.row.identifier], "seed \(seed), request \(number)")
                #expect(images.map(\.size.width) == [one.row.width], "seed \(seed), request \(number)")
                #expect(images[0].size.height >= one.version, "seed \(seed), request \(number)")
            case .failure(let reason): #expect(reason == .cancelled, "seed \(seed), request \(number)")
            }
        }
        // Some answers must come from a cache; otherwise this run tested nothing.
        #expect(drawings < asked.count, "seed \(seed)")
    }

    private mutating func step() async {
        switch Int.random(in: 0..<100, using: &chance) {
        case 0..<60: submit()
        case 60..<68: for _ in 0..<30 { await Task.yield() }
        case 68..<72: version.raise()
        case 72..<78: renderer.cancel(identifier: "\(Int.random(in: 0..<5, using: &chance))")
        case 78..<82: renderer.trimMemory(to: 0.5)
        case 82..<86: await configuration.store?.remove([.pixels(of: "\(Int.random(in: 0..<5, using: &chance))")])
        case 86..<92: await suspend()
        case 92..<95: await keptAnswersComeWhileSuspended()
        default: await restart()
        }
    }

    private mutating func row() -> VersionedRow {
        VersionedRow(
            identifier: "\(Int.random(in: 0..<5, using: &chance))", width: Int.random(in: 20..<26, using: &chance))
    }

    private mutating func submit() {
        let row = row()
        let options = RenderOptions(
            priority: .allCases.randomElement(using: &chance)!, usesCache: !chance.oneIn(10),
            storesResult: !chance.oneIn(10), thumbnail: chance.oneIn(3) ? PixelSize(width: 8, height: 8) : nil)
        let number = asked.count + 1
        asked[number] = Asked(row: row, version: version.value)
        _ = renderer.submit(row, options) { [answers] in answers.note((number, $0)) }
    }

    /// While suspended, the renderer starts nothing, even for a picture that may be on disk.
    private mutating func suspend() async {
        let lease = renderer.suspend()
        let started = renderer.counters.started
        for _ in 0..<3 { submit() }
        for _ in 0..<50 { await Task.yield() }
        #expect(renderer.counters.started == started, "seed \(seed)")
        lease.end()
    }

    /// A picture that was just drawn and stored is returned without another drawing.
    private mutating func keptAnswersComeWhileSuspended() async {
        await restart()
        let row = row()
        _ = try? await renderer.picture(for: row)
        await restart()
        let lease = renderer.suspend()
        let image = try? await renderer.picture(for: row)
        #expect(image?.size == PixelSize(width: row.width, height: version.value), "seed \(seed)")
        #expect(renderer.counters.started == 0, "seed \(seed)")
        lease.end()
    }

    /// Pending pictures are drawn and stored; the next renderer has an empty memory cache.
    private mutating func restart() async {
        await renderer.finish()
        drawings += renderer.counters.drawn
        #expect(renderer.counters.started >= renderer.counters.drawn, "seed \(seed)")
        configuration.memory = CachedPictures.cache(limits: MemoryCacheLimits(bytes: 40_000, count: 4))
        renderer = Renderer(engine: VersionedEngine(version: version), configuration: configuration)
    }
}
