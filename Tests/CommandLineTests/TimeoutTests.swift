import Foundation
import Testing

/// `--timeout`: a file that does not arrive delays a picture by at most this time.
@Suite struct TimeoutTests {
    @Test func aFileThatDoesNotCome() throws {
        try withFolder { folder in
            try folder.write("a.html", row() + "<img src=slow.png width=10 height=10>")
            let slow = folder.path("slow.png")
            try folder.write("slow.png", MachineTests.png)
            let outcome = try withUnreadableYet(slow) {
                try Offstage.run("render", "a.html", "--out", "out", "--json", "--timeout", "2", in: folder)
            }
            #expect(outcome.code == 0)
            let object = try #require(try outcome.objects.first)
            #expect(object["status"] as? String == "incomplete")
            let warnings = try #require(object["warnings"] as? [[String: String]])
            #expect(warnings.map { $0["code"] } == ["deadline"])
            #expect(try #require(object["milliseconds"] as? Double) >= 2000)
            // The resources that arrived are in the picture.
            #expect(try folder.picture("out/a.png")[0, 0] == [255, 0, 0, 255])

            // Longer than the default of 10 s.
            let patient = try withUnreadableYet(slow) {
                try Offstage.run("render", "a.html", "--out", "patient", "--json", "--timeout", "12", in: folder)
            }
            #expect(try #require(patient.objects.first?["milliseconds"] as? Double) >= 12_000)

            let strict = try withUnreadableYet(slow) {
                try Offstage.run(
                    "render", "a.html", "--out", "strict", "-q", "--timeout", "2", "--strict", in: folder)
            }
            #expect(strict.code == 1)
            #expect(strict.error.hasPrefix("offstage: a.html: not loaded before the deadline: "))
            #expect(folder.files("strict") == [])
        }
    }

    /// Other pictures are not delayed either. The one with the short time is finished while the file is still
    /// missing, before the one that waits longer. The picture that does not use the file is finished before both.
    @Test func theShorterTimeIsOverFirst() throws {
        try withFolder { folder in
            // More than Swift has threads: each waits in its own call of `open`.
            let images = (0..<8).map { "<img src=\"slow.png?\($0)\" width=10 height=10>" }.joined()
            for name in ["long", "short"] { try folder.write("\(name).html", row() + images) }
            let slow = folder.path("slow.png")
            try folder.write("slow.png", MachineTests.png)
            try withUnreadableYet(slow) {
                let pipe = try PipeProgram("--no-cache", "--jobs", "3", "--timeout", "15", in: folder)
                pipe.send(
                    #"{"id": "long", "file": "long.html", "inline": true}"#,
                    #"{"id": "short", "file": "short.html", "timeout": 3, "inline": true}"#, request("other"))
                let end = try pipe.end()
                #expect(end.results.map(\.id) == ["other", "short", "long"])
                #expect(end.results.map(\.status) == ["drawn", "incomplete", "incomplete"])
            }
        }
    }

    /// The holder of a lease on a file makes others wait in `open` until it returns the lease (fcntl(2)), but no
    /// longer than the kernel's lease-break-time of 45 s. So each run uses its own lease.
    private func withUnreadableYet<R>(_ path: String, _ body: () throws -> R) throws -> R {
        let file = open(path, O_RDWR | O_CLOEXEC)
        defer { close(file) }
        // The kernel asks for the lease back with a signal; the default is to ignore SIGURG.
        let (setSignal, setLease): (Int32, Int32) = (10, 1024)
        #expect(fcntl(file, setSignal, SIGURG) == 0)
        #expect(fcntl(file, setLease, F_WRLCK) == 0)
        return try body()
    }
}
