import Foundation
import Testing

/// Processes of a run are killed while the run draws.
@Suite struct HostileRecoveryTests {
    /// Each picture exists and equals that of an undisturbed run.
    @Test func killedWebProcessesCostNothing() throws {
        try withFolder { folder in
            try Self.write(200, to: folder)
            let calm = try Offstage.run("render", "in", "--out", "calm", "-q", "--no-cache", in: folder)
            #expect(calm.code == 0, "\(calm.error)")
            let child = try Child(
                [Offstage.path, "render", "in", "--out", "out", "--jobs", "2", "-q", "--no-cache"], folder: folder.path)
            var seen: [ProcessTable.Entry] = []
            var killed = 0
            // Each time more pictures exist, one process that has drawn is killed.
            while !child.hasEnded {
                for process in ProcessTable.descendants(of: child.id) where !seen.contains(process) {
                    seen.append(process)
                }
                if folder.files("out").count > 40 * (killed + 1),
                    let victim = seen.first(where: { $0.name == "WebKitWebProces" && $0.isThere })
                {
                    kill(victim.id, SIGKILL)
                    killed += 1
                }
                usleep(2000)
            }
            let outcome = try child.wait()
            #expect(killed >= 3)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(folder.files("out") == folder.files("calm"))
            for name in folder.files("calm") {
                #expect(try folder.data("out/\(name)") == folder.data("calm/\(name)"), "\(name) has other bytes")
            }
            #expect(seen.filter(\.isThere) == [])
        }
    }

    /// Killing a process as soon as it starts, when WebKit itself would end the program, makes at most one result
    /// fail.
    @Test func processesThatAreKilledAsTheyStart() throws {
        try withFolder { folder in
            try Self.write(120, to: folder)
            let calm = try Offstage.run("render", "in", "--out", "calm", "-q", "--no-cache", in: folder)
            #expect(calm.code == 0, "\(calm.error)")
            let child = try Child(
                [Offstage.path, "render", "in", "--out", "out", "--jobs", "2", "-q", "--no-cache", "--json"],
                folder: folder.path)
            var seen: Set<pid_t> = []
            var killed = 0
            while !child.hasEnded {
                for process in ProcessTable.descendants(of: child.id) where process.name.hasPrefix("WebKit") {
                    // Not all processes are killed: some remain to draw.
                    guard seen.insert(process.id).inserted, killed < 12, seen.count % 3 != 0 else { continue }
                    kill(process.id, SIGKILL)
                    killed += 1
                }
                usleep(300)
            }
            let outcome = try child.wait()
            #expect(killed >= 2)
            #expect(outcome.code == 0 || outcome.code == 1, "\(outcome.code): \(outcome.error)")
            let lines = try outcome.objects
            #expect(lines.count == 120)
            #expect(lines.count { $0["status"] as? String == "failed" } <= killed)
            for name in folder.files("out") {
                #expect(try folder.data("out/\(name)") == folder.data("calm/\(name)"), "\(name) has other bytes")
            }
        }
    }

    /// A worker that has lost its display ends, and another one draws its document.
    @Test func theEndOfADisplayCostsNoPicture() throws {
        try LongRun.with { run in
            let display = try #require(run.processes.first { $0.name == "Xvfb" })
            kill(display.id, SIGKILL)
            let outcome = try run.child.wait()
            #expect(outcome.code == 0)
            #expect(outcome.error == "")
            #expect(run.pictures == LongRun.count)
            #expect(run.leftOver == [])
            #expect(run.folder.files("tmp") == [])
        }
    }

    /// Pictures that are not finished when the run's time is up have failed. The run does not wait for a document
    /// that hangs.
    @Test func theRunsTime() throws {
        try withFolder { folder in
            try folder.write("in/a.html", row())
            try folder.write("in/b.html", "<script>while (true) {}</script>")
            let outcome = try Offstage.run(
                "render", "in", "--out", "out", "--javascript", "--run-timeout", "15", "--timeout", "3600", "--jobs",
                "2", "--json", "--results", "results.jsonl", in: folder)
            #expect(outcome.code == 1)
            let objects = try outcome.objects
            #expect(objects.map { $0["status"] as? String } == ["drawn", "failed"])
            #expect(
                objects[1]["error"] as? String
                    == "in/b.html: not drawn within the run's time limit of 15 s; raise --run-timeout")
            #expect(folder.files("out") == ["a.png"])
            #expect(try folder.data("results.jsonl") == outcome.output)
        }
    }

    static func write(_ count: Int, to folder: Folder) throws {
        for index in 1...count {
            try folder.write(
                "in/\(index).html", row("rgb(\(index % 256),90,0)") + "<p>Row \(index)</p><h3>Ἀθῆναι 漢字</h3>")
        }
    }
}
