import Foundation
import Samples
import Testing

@testable import Offstage

/// Two renderers that need the same picture at the same time: one draws it, the other finds it.
@Suite(.timeLimit(.minutes(15)))
struct DrawingClaimTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock()
    private let row = ContentRequest(identifier: "a")

    init() throws { folder = try TemporaryFolder() }

    /// A renderer that behaves like one in another process: it has its own store, unless the test passes one.
    private func renderer(_ engine: ContentEngine, store: PictureStore? = nil) -> Renderer {
        var configuration = RendererConfiguration()
        configuration.store = store ?? PictureStore(folder: folder.path)
        configuration.clock = clock
        return Renderer(engine: engine, configuration: configuration)
    }

    /// Advances the clock until `isOver` is true.
    private func pass(until isOver: @escaping @Sendable () -> Bool) async {
        while !isOver() {
            clock.advance(by: .milliseconds(50))
            await Task.yield()
        }
    }

    /// Advances the clock so that the waiting renderer tries `count` times.
    private func tries(_ count: Int) async {
        for _ in 0..<count {
            await clock.sleepers(1)
            clock.advance(by: .milliseconds(50))
        }
    }

    @Test(arguments: [false, true])
    func theOtherWaitsAndFindsThePicture(isStoreShared: Bool) async throws {
        let shared = isStoreShared ? PictureStore(folder: folder.path) : nil
        let gate = Gate()
        let engines = (ContentEngine(gate: gate), ContentEngine())
        let first = renderer(engines.0, store: shared)
        let second = renderer(engines.1, store: shared)
        let drawing = first.task(for: row)
        await engines.0.started.wait(for: 1)
        let waiting = second.task(for: ContentRequest(identifier: "b"))
        await tries(5)
        #expect(!waiting.isOver)
        await gate.open()
        await first.finish()
        await pass { waiting.isOver }
        #expect(try await waiting.picture.identifier == "b")
        #expect(try await waiting.picture.size == drawing.picture.size)
        #expect(engines.1.drawings.count == 0)
        #expect(second.counters.hitsOnDisk == 1)
        await second.finish()
    }

    @Test func filesAreNotMadeTwiceEither() async throws {
        let gate = Gate()
        let engines = (ContentEngine(gate: gate), ContentEngine())
        let (first, second) = (renderer(engines.0), renderer(engines.1))
        let variants = [FileVariant(.webp()), FileVariant(.png(), fittingInto: PixelSize(width: 8, height: 8))]
        async let drawn = first.files(for: row, as: variants)
        await engines.0.started.wait(for: 1)
        let waiting = Task { [row] in try await second.files(for: row, as: variants) }
        await tries(3)
        await gate.open()
        let made = try await drawn
        let done = Record<Bool>()
        Task {
            _ = try await waiting.value
            done.note(true)
        }
        await pass { !done.entries.isEmpty }
        let found = try await waiting.value
        #expect(engines.1.drawings.count == 0)
        #expect(found[0].isCached && !made[0].isCached)
        #expect(found[0].files.map(\.content) == made[0].files.map(\.content))
        await first.finish()
        await second.finish()
    }

    /// Another renderer drew the picture between the first lookup and the drawing; no request waits.
    @Test(arguments: [false, true])
    func whatWasDrawnWhileARequestWaitedIsFound(asFiles: Bool) async throws {
        let engine = ContentEngine()
        let (first, second) = (renderer(ContentEngine()), renderer(engine))
        second.isSuspended = true
        let events = second.events()
        let waiting = Task { [row] in
            if asFiles { return try await second.files(for: row, as: [FileVariant(.png())])[0].isCached }
            return try await second.picture(for: row).size.width == 20
        }
        for await event in events where event.kind == .submitted { break }
        while second.waitingCount == 0 { await Task.yield() }
        _ = try await first.picture(for: row)
        await first.finish()
        second.isSuspended = false
        #expect(try await waiting.value)
        #expect(engine.drawings.count == 0)
        #expect(second.counters.hitsOnDisk == 1)
        await second.finish()
    }

    @Test func whoIsToDrawAnewDoesNotWait() async throws {
        let gate = Gate()
        let engine = ContentEngine(gate: gate)
        let (first, second) = (renderer(engine), renderer(ContentEngine()))
        let drawing = first.task(for: row)
        await engine.started.wait(for: 1)
        _ = try await second.picture(for: row, options: RenderOptions(usesCache: false))
        _ = try await second.picture(for: ContentRequest(identifier: "a", content: "other"))
        #expect(second.counters.drawn == 2)
        await gate.open()
        _ = try await drawing.picture
        await first.finish()
        await second.finish()
    }

    @Test func whereTheFirstFailsTheOtherDraws() async throws {
        let gate = Gate()
        let engine = ContentEngine(gate: gate)
        let (first, second) = (renderer(engine), renderer(ContentEngine()))
        // A picture that the time limit cut short is not cached.
        let late = ContentRequest(identifier: "a", warnings: [DrawingWarning(.deadline, "x.png")])
        let drawing = first.task(for: late)
        await engine.started.wait(for: 1)
        let waiting = second.task(for: row)
        await tries(2)
        await gate.open()
        _ = try await drawing.picture
        await pass { waiting.isOver }
        #expect(try await waiting.picture.warnings == [])
        #expect(second.counters.drawn == 1)
        await first.finish()
        await second.finish()
    }

    @Test func oneWhoNeverEndsHoldsNobodyUpForEver() async throws {
        let gate = Gate()
        let engine = ContentEngine(gate: gate)
        let (first, second) = (renderer(engine), renderer(ContentEngine()))
        let stuck = first.task(for: row)
        await engine.started.wait(for: 1)
        let start = clock.now
        let waiting = second.task(for: row)
        await pass { waiting.isOver }
        #expect(try await waiting.picture.size.width == 20)
        #expect(start.duration(to: clock.now) >= DrawingClaim.patience)
        #expect(!stuck.isOver)
        await gate.open()
        await first.finish()
        await second.finish()
    }

    @Test func twoProgramsShareTheWork() throws {
        let programs = try (0..<2).map { _ in try StoreProgram("draw", folder.path, "150") }
        let drawn = try programs.map { program in
            let outcome = try program.wait()
            #expect(outcome.code == 0, "\(outcome.text)")
            let count = try #require(outcome.text.wholeMatch(of: #/drawn (\d+)\n/#))
            return try #require(Int(count.1))
        }
        #expect(drawn.reduce(0, +) == 150, "\(drawn)")
    }

    @Test func aProgramThatIsKilledHoldsNothing() async throws {
        let program = try StoreProgram("stall", folder.path, "7")
        try program.waitForBytes(1)
        let store = PictureStore(folder: folder.path)
        let fingerprint = try #require(SampleEngine().fingerprint(of: SampleRow(7)))
        let claim = DrawingClaim(store.drawingLocks, for: fingerprint, as: [FileVariant(.png())])
        #expect(!store.drawingLocks.take(claim.number))
        program.kill()
        #expect(store.drawingLocks.take(claim.number))
        #expect(!store.drawingLocks.take(claim.number))
    }
}
