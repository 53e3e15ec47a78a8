import Foundation
import Offstage
import Testing

@testable import OffstageWorkers

struct ProgramTests {
    @Test func aMissingProgramIsNamed() async {
        var source = TestSource()
        source.program = WorkerProgram("offstage-nothing", installCommand: "make install")
        let engine = WorkerEngine(source, workers: 1)
        let expected = EngineUnavailable(
            problem: "the program offstage-nothing, which draws this kind of source, is not installed",
            remedy: "install it with: make install")
        #expect(await engine.error(.echo) == .unavailable(expected))
        await engine.shutDown()
    }

    @Test func aProgramThatIsNoWorkerIsNamed() async {
        var source = TestSource()
        // In the same folder as the worker.
        source.program = WorkerProgram("StoreWriter")
        let engine = WorkerEngine(source, workers: 1)
        guard case .unavailable(let reason) = await engine.error(.echo) else {
            Issue.record("it was drawn")
            return
        }
        #expect(reason.problem.hasPrefix("the program StoreWriter does not start"))
        await engine.shutDown()
    }

    /// As by the kernel, when memory is short for a moment.
    @Test(arguments: [(4, 0), (50, 5)])
    func aProgramThatIsKilledWhileItStartsIsStartedAgain(deaths: Int, most: Int) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var source = TestSource()
        source.program.files = [file.path, "\(deaths)"]
        // Without bubblewrap, so that the program can count.
        let engine = WorkerEngine(source, workers: 1, jail: .never)
        let error = await engine.error(.echo)
        await engine.shutDown()
        if most == 0 {
            #expect(error == nil)
        } else {
            let expected = EngineUnavailable(
                problem: "the program offstage-test-worker does not start: it was killed before it was ready",
                remedy: "look for what killed it, such as too little memory, in the system's log")
            #expect(error == .unavailable(expected))
            #expect(try Data(contentsOf: file).count == most)
        }
    }

    @Test func programsAreFoundWhereTheyAreInstalled() throws {
        #expect(
            WorkerProgram.folders(around: "/usr/bin/offstage") == [
                "/usr/lib/offstage", "/usr/bin/lib/offstage", "/usr/bin/offstage", "/usr/bin",
            ])
        #expect(WorkerProgram.folders(around: "/usr/lib/liboffstage.so.0").contains("/usr/lib/offstage"))

        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let place = folder.appendingPathComponent("lib/offstage")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let path = place.appendingPathComponent("offstage-image").path
        let folders = WorkerProgram.folders(around: folder.path + "/bin/offstage")
        // Neither a folder nor a file that cannot be started.
        #expect(throws: EngineUnavailable.self) { try WorkerProgram("offstage-image").find(in: folders) }
        try Data().write(to: URL(fileURLWithPath: path))
        chmod(path, 0o644)
        #expect(throws: EngineUnavailable.self) { try WorkerProgram("offstage-image").find(in: folders) }
        chmod(path, 0o755)
        #expect(try WorkerProgram("offstage-image").find(in: folders) == path)
    }
}
