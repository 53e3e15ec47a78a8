import Foundation
import Testing

/// Documents with large files are not shared, and requests are refused while the database is unavailable.
@Suite struct SharedLimitTests {
    @Test func filesOfADocumentHaveALimit() throws {
        let url = try Machines.database()
        try withFolder { folder in
            for (name, bytes) in [("small", 900_000), ("large", 1_100_000)] {
                let padding = String(repeating: "x", count: bytes)
                try folder.write(
                    "in/\(name).svg",
                    "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/><!--\(padding)--></svg>"
                )
                try folder.write("in/\(name).html", "<img src=\(name).svg>")
            }
            let worker = try Machines.worker(url, in: folder)
            let run = try Child(
                [Offstage.path, "render", "in/small.html", "in/large.html", "--out", "out", "--via", url],
                folder: folder.path
            ).wait()
            #expect(run.code == 1)
            #expect(run.error.contains("large.html: "))
            #expect(run.error.contains("the document and its files exceed 1048576 bytes; render it without --via"))
            #expect(folder.files("out") == ["small.png"])
            try Machines.stop(worker)
        }
    }

    /// Simulates a client that submits another document's bytes under a document's key.
    @Test func aJobsKeyIsThatOfItsDocument() throws {
        let url = try Machines.database()
        try withFolder { folder in
            for name in ["a", "b"] { try folder.write("in/\(name).html", "<p>\(name)") }
            let worker = try Machines.worker(url, in: folder)
            try Machines.suspend(url)
            let run = try Child(
                [Offstage.path, "render", "in", "--out", "out", "--via", url, "-q"], folder: folder.path)
            #expect(try eventually { try Machines.waiting(url) == 2 })
            try Machines.query(
                url, "UPDATE offstage.job a SET request = b.request FROM offstage.job b WHERE a.key <> b.key")
            try Machines.resume(url)
            let outcome = try run.wait()
            #expect(outcome.code == 1)
            #expect(outcome.errorLines.count { $0.contains("reads the request differently") } == 2, "\(outcome.error)")
            #expect(folder.files("out") == [])
            try Machines.stop(worker)
        }
    }

    @Test func theDatabaseIsAway() throws {
        let url = try Machines.database()
        try withFolder { one in
            try withFolder { other in
                let service = try Service(["--shared", url], in: one)
                let worker = try Machines.worker(url, ["--socket", "state"], in: other)
                func readiness() throws -> Int {
                    let client = try Client(other.path("state"))
                    try client.send("GET", "/readyz", ["Connection": "close"], nil)
                    return try client.answer().status
                }
                let put = try service.ask("PUT", "/v1/images/a", ["Content-Type": "text/html"], "<p>first")
                #expect(put.status == 201)
                #expect(try eventually { try readiness() == 200 })
                try Machines.query(url, "ALTER SCHEMA offstage RENAME TO away")
                #expect(try service.ask("GET", "/v1/images/a").status == 503)
                #expect(try eventually { try readiness() == 503 })
                // The program draws the document itself.
                #expect(try service.draw("<p>alone").status == 200)
                try Machines.query(url, "ALTER SCHEMA away RENAME TO offstage")
                #expect(try eventually { try service.ask("GET", "/v1/images/a").status == 200 })
                #expect(try eventually { try readiness() == 200 })
                try Machines.stop(worker)
                #expect(try service.stop().code == 0)
            }
        }
    }
}
