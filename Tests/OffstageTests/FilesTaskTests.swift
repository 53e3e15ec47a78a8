import Offstage
import Testing

/// Requests for files through a task that can be cancelled and reprioritised.
@Suite(.timeLimit(.minutes(5)))
struct FilesTaskTests {
    private let variants = [FileVariant(.png()), FileVariant(.webp(), scale: 2)]

    @Test func theFilesOfAllScalesComeInTheirOrder() async throws {
        let renderer = Renderer(engine: ContentEngine())
        let task = renderer.filesTask(for: ContentRequest(identifier: "a"), as: variants)
        let files = try await task.value[0].files
        #expect(files.map(\.size.width) == [20, 40])
        #expect(task.isOver)
        await renderer.finish()
    }

    @Test func cancelEndsItBetweenTheDrawingsOfTwoScales() async throws {
        let gate = Gate()
        let engine = ContentEngine(gate: gate)
        let renderer = Renderer(engine: engine)
        let task = renderer.filesTask(for: ContentRequest(identifier: "a"), as: variants)
        await engine.started.wait(for: 1)
        await gate.open(for: "a")
        await engine.started.wait(for: 2)
        task.cancel()
        let error = await #expect(throws: RenderError.self) { try await task.value }
        #expect(error?.reason == .cancelled)
        await gate.open()
        await renderer.finish()
    }

    @Test func aPriorityHoldsForAllOfItsDrawings() async throws {
        let gate = Gate()
        let engine = ContentEngine(gate: gate)
        let renderer = Renderer(engine: engine)
        renderer.isSuspended = true
        let files = renderer.filesTask(for: ContentRequest(identifier: "files"), as: variants)
        files.setPriority(.high)
        while renderer.waitingCount == 0 { await Task.yield() }
        let others = ["1", "2"].map { renderer.task(for: ContentRequest(identifier: $0)) }
        renderer.isSuspended = false
        await engine.started.wait(for: 1)
        // The second drawing is requested before the first one's slot is passed on.
        renderer.isSuspended = true
        await gate.open()
        while renderer.waitingCount < 3 { await Task.yield() }
        renderer.isSuspended = false
        _ = try await files.value
        for task in others { _ = try await task.picture }
        #expect(await engine.started.entries == ["files", "files", "1", "2"])
        await renderer.finish()
    }
}
