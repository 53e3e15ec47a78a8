import Foundation
import Offstage
import Testing

@testable import OffstageWorkers

struct ProgramTests {
    @Test func aMissingProgramIsNamed() async {
        var source = TestSource()
        source.program = WorkerProgram("offstage-nothing", installCommand: "make install")
        let engine = WorkerEngine(source, workers: 1)
        guard case .unavailable(let reason)? = await engine.error(.echo) else {
            Issue.record("it was drawn")
            return
        }
        #expect(
            reason.problem.hasPrefix(
                "the program offstage-nothing, which draws this kind of source, is in none of these folders: /"))
        // The test program's own folder, which contains the other workers.
        #expect(reason.problem.contains(".build/"))
        #expect(reason.remedy == "install it with: make install; or name its folder in the variable OFFSTAGE_WORKERS")
        await engine.shutDown()
    }

    @Test func aProgramThatIsNoWorkerIsNamed() async {
        var source = TestSource()
        // This program is in the same folder as the worker.
        source.program = WorkerProgram("StoreWriter")
        let engine = WorkerEngine(source, workers: 1)
        guard case .unavailable(let reason) = await engine.error(.echo) else {
            Issue.record("it was drawn")
            return
        }
        #expect(reason.problem.hasPrefix("the program StoreWriter does not start"))
        await engine.shutDown()
    }

    /// A copy of the worker that needs a library which does not exist on any machine, in a folder that the host
    /// names.
    @Test func aLibraryThatIsMissingIsNamed() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var program = try Data(contentsOf: URL(fileURLWithPath: TestSource().program.find()))
        let place = try #require(program.range(of: Data("libc.so.6\0".utf8)))
        program.replaceSubrange(place, with: Data("libq.so.6\0".utf8))
        let file = folder.appendingPathComponent("offstage-incomplete-worker")
        try program.write(to: file)
        chmod(file.path, 0o755)
        WorkerFolders.own = folder.path
        defer { WorkerFolders.own = nil }
        var source = TestSource()
        source.program = WorkerProgram("offstage-incomplete-worker")
        #expect(try source.program.find() == file.path)
        let expected = EngineUnavailable(
            problem: "the program offstage-incomplete-worker does not start: libq.so.6 is missing",
            remedy: "install the package that contains libq.so.6")
        for jail in [WorkerJail.wherePossible, .never] {
            let engine = WorkerEngine(source, workers: 1, jail: jail)
            #expect(await engine.error(.echo) == .unavailable(expected), "\(jail)")
            await engine.shutDown()
        }
    }

    /// Imitates the kernel, which may kill a program during a short lack of memory.
    @Test(arguments: [(4, 0), (50, 5)])
    func aProgramThatIsKilledWhileItStartsIsStartedAgain(deaths: Int, most: Int) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var source = TestSource()
        source.program.files = [file.path, "\(deaths)"]
        // Without bubblewrap, so that the program can count its starts in a file.
        let engine = WorkerEngine(source, workers: 1, jail: .never)
        let error = await engine.error(.echo)
        await engine.shutDown()
        if most == 0 {
            #expect(error == nil)
        } else {
            let expected = EngineUnavailable(
                problem: "the program offstage-test-worker does not start: it was killed before it was ready",
                remedy: "check the system's log for the reason, such as too little memory")
            #expect(error == .unavailable(expected))
            #expect(try Data(contentsOf: file).count == most)
        }
    }

    @Test func programsAreFoundWhereTheyAreInstalled() throws {
        #expect(
            WorkerFolders.folders(around: "/usr/bin/offstage") == [
                "/usr/lib/offstage", "/usr/bin/lib/offstage", "/usr/bin/offstage", "/usr/bin",
            ])
        #expect(WorkerFolders.folders(around: "/usr/lib/liboffstage.so.0").contains("/usr/lib/offstage"))

        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let place = folder.appendingPathComponent("lib/offstage")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let path = place.appendingPathComponent("offstage-image").path
        let folders = WorkerFolders.folders(around: folder.path + "/bin/offstage")
        // Neither a folder that contains no program nor a file that is not executable.
        #expect(throws: EngineUnavailable.self) { try WorkerProgram("offstage-image").find(in: folders) }
        try Data().write(to: URL(fileURLWithPath: path))
        chmod(path, 0o644)
        #expect(throws: EngineUnavailable.self) { try WorkerProgram("offstage-image").find(in: folders) }
        chmod(path, 0o755)
        #expect(try WorkerProgram("offstage-image").find(in: folders) == path)
    }
}
