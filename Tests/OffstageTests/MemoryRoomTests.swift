import Testing

@testable import Offstage

@Suite(.timeLimit(.minutes(5)))
struct MemoryRoomTests {
    @Test func nobodyWaitsBelowTheLimit() async {
        let room = MemoryRoom(limit: 100, admitted: 1)
        let (first, firstWaited) = await room.share(60)
        let (second, secondWaited) = await room.share(60)
        #expect(!firstWaited && !secondWaited)
        withExtendedLifetime((first, second)) {}
    }

    @Test func aFewAreAdmittedWhateverTheirSize() async {
        let room = MemoryRoom(limit: 100, admitted: 2)
        let (first, _) = await room.share(1000)
        let (second, waited) = await room.share(1000)
        #expect(!waited)
        withExtendedLifetime((first, second)) {}
    }

    @Test func theSmallestIsNext() async {
        let room = MemoryRoom(limit: 100, admitted: 1)
        var first: MemoryRoom.Share? = room.take(100)
        let order = Journal()
        let tasks = [300, 200, 100].map { bytes in
            Task {
                let (share, waited) = await room.share(bytes)
                #expect(waited)
                await order.note("\(bytes)")
                withExtendedLifetime(share) {}
            }
        }
        while room.waitingCount < 3 { await Task.yield() }
        withExtendedLifetime(first) {}
        first = nil
        for task in tasks { await task.value }
        #expect(await order.entries == ["100", "200", "300"])
    }

    /// Small pictures may overtake a waiting large one, but only up to the bound.
    @Test func aLargeOneIsOvertakenANumberOfTimes() async {
        let room = MemoryRoom(limit: 100, admitted: 1, mostOvertakings: 3)
        var first: MemoryRoom.Share? = room.take(100)
        let order = Journal()
        var tasks: [Task<Void, Never>] = []
        for (name, bytes) in [("large", 300), ("larger", 400)] + (1...8).map({ ("small \($0)", 200) }) {
            let count = tasks.count
            tasks.append(
                Task {
                    let share = await room.share(bytes).share
                    await order.note(name)
                    withExtendedLifetime(share) {}
                })
            while room.waitingCount == count { await Task.yield() }
        }
        withExtendedLifetime(first) {}
        first = nil
        for task in tasks { await task.value }
        let rest = (4...8).map { "small \($0)" }
        #expect(await order.entries == ["small 1", "small 2", "large", "small 3", "larger"] + rest)
    }

    /// Requests for one drawing share its files: otherwise many readers of a new, large picture would fill the
    /// memory.
    @Test func requestsOfOneDrawingShareItsFiles() async throws {
        let folder = try TemporaryFolder()
        let gate = Gate()
        let engine = ContentEngine(gate: gate)
        var configuration = RendererConfiguration()
        configuration.store = PictureStore(folder: folder.path)
        configuration.workLimit = 0
        let renderer = Renderer(engine: engine, configuration: configuration)
        let admitted = renderer.filesRoom.admitted
        let tasks = (0..<4 * admitted).map { _ in
            renderer.filesTask(for: ContentRequest(identifier: "a", key: "a"), as: [FileVariant(.png())])
        }
        while renderer.counters.joined < tasks.count - 1 { await Task.yield() }
        await gate.open()
        var contents: Set<Digest> = []
        for task in tasks {
            let files = try await task.value[0]
            #expect(!files.isCached)
            contents.insert(files.files[0].content)
        }
        #expect(contents.count == 1)
        #expect(renderer.counters.encoded <= admitted)
        await renderer.finish()
    }
}
