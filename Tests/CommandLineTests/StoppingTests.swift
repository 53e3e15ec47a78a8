import Foundation
import Testing

/// Ctrl-C and similar signals end the program at once, before all pictures are finished, with complete files and no
/// process left. One test at a time, because each uses two processors.
@Suite(.serialized) struct StoppingTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func aSignal(signal: Int32) throws {
        try LongRun.with { run in
            kill(run.child.id, signal)
            try expectEnd(of: run, code: 128 + signal, since: run.pictures)
        }
    }

    /// A terminal's Ctrl-C reaches every process in the group.
    @Test func aSignalToTheProcessGroup() throws {
        try LongRun.with(["--json"]) { run in
            kill(-run.child.id, SIGINT)
            let outcome = try expectEnd(of: run, code: 130, since: run.pictures)
            // Lines are complete, too.
            #expect(outcome.text.hasSuffix("}\n"))
            #expect(try outcome.objects.count > 10)
        }
    }

    /// The signal arrives while nothing is drawn: the program waits for its input.
    @Test func aSignalWhileReadingStandardInput() throws {
        try withFolder { folder in
            let child = try Child(
                [Offstage.path, "render", "-", "--out", "out"], holdsInput: true, folder: folder.path)
            // The run creates its output folder first.
            #expect(eventually { access(folder.path("out"), F_OK) == 0 })
            kill(child.id, SIGINT)
            #expect(try child.wait().code == 130)
            #expect(folder.files() == [])
        }
    }

    @Test func aSignalToASheet() throws {
        try withFolder { folder in
            for index in 1...300 { try folder.write("in/\(index).png", MachineTests.png) }
            let child = try Child([Offstage.path, "sheet", "in", "-o", "sheet.png"], folder: folder.path)
            var processes: [ProcessTable.Entry] = []
            #expect(
                eventually {
                    processes = ProcessTable.descendants(of: child.id)
                    return processes.contains { $0.name == "WebKitWebProces" } || child.hasEnded
                })
            kill(child.id, SIGTERM)
            #expect(try child.wait().code == 143)
            #expect(processes.filter { $0.isThere } == [])
            #expect(!folder.files().contains { $0.hasPrefix("sheet") || $0.hasPrefix(".") })
        }
    }

    /// After SIGKILL, only the other processes can clean up. A temporary file may remain, under its temporary name.
    @Test func killed() throws {
        try LongRun.with { run in
            kill(run.child.id, SIGKILL)
            let outcome = try run.child.wait()
            #expect(outcome.code == 137)
            #expect(eventually { run.leftOver.isEmpty })
            for file in run.folder.files("out") where file.hasSuffix(".png") {
                #expect(throws: Never.self) { _ = try run.folder.picture("out/" + file) }
            }
        }
    }

    @discardableResult
    private func expectEnd(of run: LongRun, code: Int32, since before: Int) throws -> Outcome {
        let outcome = try run.child.wait()
        #expect(outcome.code == code)
        #expect(outcome.error == "")
        // No wait is needed, because the program has already waited for them.
        #expect(run.leftOver == [])
        run.expectNoFurtherPictures(since: before)
        try run.expectWholePicturesOnly()
        #expect(run.folder.files("tmp") == [])
        return outcome
    }
}
