import Foundation
import Testing

/// `offstage work`: the sources that it draws, its metrics, and how it ends.
@Suite struct SharedWorkTests {
    /// The answer of a worker on its socket.
    private func ask(_ folder: Folder, _ path: String, _ method: String = "GET") throws -> Answer {
        let client = try Client(folder.path("state"))
        try client.send(method, path, ["Connection": "close"], nil)
        return try client.answer()
    }

    private func claimed(_ folder: Folder) throws -> Int? {
        let text = String(decoding: try ask(folder, "/metrics").body, as: UTF8.self)
        return text.firstMatch(of: #/shared_events_total\{kind="claimed"\} (\d+)/#).flatMap { Int($0.1) }
    }

    @Test func aWorkerTakesTheSourcesThatItDraws() throws {
        let url = try Machines.database()
        try withFolder { folder in
            for number in 0..<6 { try folder.write("in/\(number).html", "<p>Row \(number)") }
            let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='6' height='9'/></svg>"
            try folder.write("in/drawing.svg", svg)
            for number in 0..<3 { try folder.write("in/\(number).wav", Sound.wav(seconds: number + 1)) }
            let (one, other) = (try folder.make("one"), try folder.make("other"))
            let documents = try Machines.worker(url, ["--only", "html,image", "--socket", "state"], in: one)
            #expect(documents.text(1).contains("at once, only html and image\n"))
            let nobody = try Child(
                [Offstage.path, "shared", "nodes", url], folder: folder.path
            ).wait()
            #expect(nobody.text.contains("1 at once, only html, image  live"))
            let sounds = try Machines.worker(url, ["--only", "sound", "--socket", "state"], in: other)
            let run = try Child(
                [Offstage.path, "render", "in", "--out", "out", "--via", url, "-q"], folder: folder.path
            ).wait()
            #expect(run.code == 0, "\(run.error)")
            #expect(folder.files("out").count == 10)
            #expect(try claimed(one) == 7)
            #expect(try claimed(other) == 3)
            try Machines.stop(documents)
            try Machines.stop(sounds)
        }
    }

    @Test func itsStateAndItsMetricsAreThoseOfAService() throws {
        let url = try Machines.database()
        try withFolder { folder in
            let worker = try Machines.worker(url, ["--socket", "state"], in: folder)
            #expect(try ask(folder, "/healthz").status == 200)
            #expect(try eventually { try ask(folder, "/readyz").status == 200 })
            let metrics = String(decoding: try ask(folder, "/metrics").body, as: UTF8.self)
            for line in ["shared_nodes 1", "shared_up 1", "shared_waiting 0", "drawings_running 0"] {
                #expect(metrics.contains("\noffstage_\(line)\n"), "\(line)")
            }
            // A machine that only works for others has no clients of its own.
            for path in ["/", "/v1/images/a", "/v1/openapi.json"] { #expect(try ask(folder, path).status == 404) }
            #expect(try ask(folder, "/v1/images", "POST").status == 404)
            try Machines.stop(worker)
            #expect(!FileManager.default.fileExists(atPath: folder.path("state")))
        }
    }

    /// Stops a worker's web processes, and gives the worker a job.
    private func withHangingJob(
        _ options: [String],
        _ body: (_ url: String, _ worker: Child, _ run: Child, _ folder: Folder, [pid_t]) throws -> Void
    ) throws {
        let url = try Machines.database()
        try withFolder { folder in
            try folder.write("a.html", "<p>hangs")
            let worker = try Machines.worker(url, ["--socket", "state", "--no-sandbox"] + options, in: folder)
            let processes = ProcessTable.descendants(of: worker.id).filter { $0.name.hasPrefix("WebKitWebProc") }.map(
                \.id)
            #expect(!processes.isEmpty)
            for process in processes { kill(process, SIGSTOP) }
            let run = try Child(
                [Offstage.path, "render", "a.html", "--via", url, "-q"], folder: folder.path)
            #expect(try eventually { try Machines.query(url, "SELECT state FROM offstage.job") == ["taken"] })
            kill(worker.id, SIGTERM)
            try body(url, worker, run, folder, processes)
        }
    }

    @Test func theLastJobIsFinishedWhileItDrains() throws {
        try withHangingJob([]) { url, worker, run, folder, processes throws in
            #expect(try eventually { try ask(folder, "/readyz").status == 503 })
            #expect(String(decoding: try ask(folder, "/readyz").body, as: UTF8.self).contains("draining"))
            #expect(try ask(folder, "/metrics").status == 200)
            for process in processes { kill(process, SIGCONT) }
            #expect(try worker.wait().code == 0)
            #expect(try run.wait().code == 0)
            #expect(try folder.picture("a.png").width > 0)
        }
    }

    @Test func afterTheTimeLimitOthersDrawIt() throws {
        try withHangingJob(["--stop-timeout", "0.1"]) { url, worker, run, folder, _ throws in
            #expect(try worker.wait().code == 0)
            #expect(try Machines.query(url, "SELECT state FROM offstage.job") == ["waiting"])
            let other = try Machines.worker(url, in: try folder.make("other"))
            #expect(try run.wait().code == 0)
            try Machines.stop(other)
        }
    }

    /// A strict document's files are sent after the machine has noticed that they are missing.
    @Test func aStrictDocumentHasItsFiles() throws {
        let url = try Machines.database()
        try withFolder { folder in
            try folder.write(
                "in/dot.svg",
                "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='6' height='9'/></svg>")
            try folder.write("in/style.css", "p { color: red; background: url(dot.svg) }")
            try folder.write("in/a.html", "<link rel=stylesheet href=style.css><p>Strict<img src=dot.svg>")
            try folder.write("in/b.html", "<p>Strict<img src=missing.svg>")
            let worker = try Machines.worker(url, in: folder)
            let run = try Child(
                [
                    Offstage.path, "render", "in/a.html", "in/b.html", "--strict", "--out", "out", "--via", url,
                    "--json",
                ],
                folder: folder.path
            ).wait()
            #expect(run.code == 1)
            #expect(folder.files("out") == ["a.png"])
            #expect(
                try run.objects.compactMap { ($0["warnings"] as? [[String: Any]])?.first?["subject"] as? String } == [
                    "missing.svg"
                ])
            try Machines.stop(worker)
        }
    }
}
