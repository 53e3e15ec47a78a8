import Foundation
import Testing

/// `--suspend-signal`: SIGUSR1 suspends a run, SIGUSR2 resumes it, and neither ends any of its processes. One test at
/// a time, because each signal must arrive at the right moment.
@Suite(.serialized) struct SuspendSignalTests {
    private static let count = 120

    /// Starts a run and calls `body` during it. The run has as many cached pictures as pictures to draw.
    private func withRun(_ arguments: [String], _ body: (Child, Folder) throws -> Void) throws {
        try withFolder { folder in
            for index in 1...Self.count {
                try folder.write("in/kept-\(index).html", row("rgb(0,\(index),0)"))
            }
            let common = ["in", "--out", "out", "--cache", "cache", "--jobs", "2"]
            let first = try Child([Offstage.path, "render", "-q"] + common, folder: folder.path).wait()
            #expect(first.code == 0, "\(first.error)")
            try FileManager.default.removeItem(atPath: folder.path("out"))
            for index in 1...Self.count {
                try folder.write("in/drawn-\(index).html", row("rgb(\(index),0,0)", height: 600))
            }
            let child = try Child(
                arguments + [Offstage.path, "render", "--suspend-signal"] + common, folder: folder.path)
            // Waits for the first drawn picture; cached pictures are written, too.
            #expect(eventually { count("drawn", in: folder) > 0 || child.hasEnded })
            #expect(!child.hasEnded)
            try body(child, folder)
        }
    }

    private func count(_ name: String, in folder: Folder) -> Int {
        folder.files("out").count { $0.hasPrefix(name) && $0.hasSuffix(".png") }
    }

    @Test func aRunIsPausedAndGoesOn() throws {
        try withRun([]) { child, folder in
            // The signal goes to the program and to WebKit's processes, as when a shell signals a job.
            kill(-child.id, SIGUSR1)
            #expect(
                eventually {
                    child.hasEnded || child.text(1).contains("suspended; kill -USR2 \(child.id) resumes it\n")
                })
            // WebKit's processes do not end even if something else sends them the signal.
            let processes = ProcessTable.descendants(of: child.id)
            #expect(processes.count { $0.name == "WebKitWebProces" } == 2)
            for process in processes { for signal in [SIGUSR1, SIGUSR2] { kill(process.id, signal) } }
            // The cached pictures are all written while the run is suspended.
            #expect(eventually { count("kept", in: folder) == Self.count || child.hasEnded })
            let drawn = count("drawn", in: folder)
            #expect(drawn < Self.count - 10, "the run was over before it was suspended")
            #expect(!child.hasEnded)
            kill(-child.id, SIGUSR2)
            let outcome = try child.wait()
            #expect(outcome.code == 0)
            #expect(count("drawn", in: folder) == Self.count)
            // The lines are in order, and no other process has written any.
            let lines = outcome.errorLines
            let told = lines.filter { $0.hasPrefix("[") }.compactMap { $0.split(separator: " ").dropFirst().first }
            #expect(told == told.sorted() && told.count == 2 * Self.count)
            #expect(
                lines.filter { !$0.hasPrefix("[") }.dropLast() == [
                    "suspended; kill -USR2 \(child.id) resumes it", "resumed",
                ])
            #expect(lines.last?.contains("\(Self.count) from the cache") == true)
            for process in processes { #expect(!process.isThere) }
        }
    }

    @Test func theBarShowsIt() throws {
        try withFolder { folder in
            for index in 1...400 { try folder.write("in/\(index).html", row("rgb(\(index % 256),0,9)", height: 600)) }
            let command = "exec '\(Offstage.path)' render in --out out --no-cache --suspend-signal"
            let child = try Child(["script", "-qefc", command, "/dev/null"], folder: folder.path)
            // Does not count files that are being written, which disappear when the program ends.
            func finished() -> Int { folder.files("out").count { $0.hasSuffix(".png") && !$0.hasPrefix(".") } }
            #expect(eventually { finished() > 5 || child.hasEnded })
            let program = try #require(ProcessTable.descendants(of: child.id).first { $0.name == "offstage" })
            kill(program.id, SIGUSR1)
            let words = "/400  suspended; kill -USR2 \(program.id) resumes it"
            #expect(eventually { child.text(0).contains(words) || child.hasEnded })
            let count = finished()
            kill(program.id, SIGUSR2)
            #expect(eventually { finished() > count + 5 || child.hasEnded })
            kill(program.id, SIGTERM)
            _ = try child.wait()
            #expect(finished() > count + 5)
        }
    }

    @Test func ctrlCWhileSuspended() throws {
        try withRun([]) { child, folder in
            kill(child.id, SIGUSR1)
            #expect(eventually { child.hasEnded || child.text(1).contains("suspended") })
            kill(child.id, SIGINT)
            let outcome = try child.wait()
            #expect(outcome.code == 130)
        }
    }

    /// Without the option, the signals end the program, as usual.
    @Test(arguments: [SIGUSR1, SIGUSR2]) func withoutTheOption(signal: Int32) throws {
        try withFolder { folder in
            let child = try Child(
                [Offstage.path, "render", "-", "--out", "out"], holdsInput: true, folder: folder.path)
            #expect(eventually { access(folder.path("out"), F_OK) == 0 })
            kill(child.id, signal)
            #expect(try child.wait().code == 128 + signal)
        }
    }
}
