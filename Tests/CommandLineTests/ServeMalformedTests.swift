import Foundation
import Testing

/// Requests that contradict their headers.
@Suite struct ServeMalformedTests {
    /// An invalid request, alone or after a valid one, is answered with 400, and the connection ends.
    @Test func malformedRequestsAreRefused() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            let post = "POST /v1/images HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\n"
            for header in [
                "Content-Length: -1", "Content-Length: +8", "Content-Length: 99999999999999999999999",
                "Content-Length: 8\r\nContent-Length: 8", "Content-Length: 8\r\nContent-Length: 9",
                "Content-Length: 8\r\nTransfer-Encoding: chunked", "Host: other\r\nContent-Length: 8",
                "X: a\r\n b\r\nContent-Length: 8", "X: a\nContent-Length: 8",
            ] {
                for before in ["", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"] {
                    let client = try Client(service.socket)
                    try client.write(
                        before + post + header + "\r\n\r\n<p>helloGET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    let text = client.text(until: "nothing")
                    let answers = text.components(separatedBy: "HTTP/1.1 ").dropFirst()
                    #expect(answers.count == (before.isEmpty ? 1 : 2), "\(header): \(text)")
                    #expect(answers.last?.hasPrefix("400 Bad Request") == true, "\(header)")
                    #expect(answers.allSatisfy { $0.contains("\r\nDate: ") })
                    #expect(client.isEnded)
                }
            }
            #expect(try service.draw(row()).status == 200)
            #expect(try eventually { try service.metric("http_connections") == 1 })
            let log = try service.stop().error
            #expect(!log.contains("CRITICAL"), "\(log.prefix(4000))")
        }
    }

    /// The answer arrives while the client still sends, and the rest of the request is dropped.
    @Test func tooLargeABodyIsAnsweredAtOnce() throws {
        try withFolder { folder in
            let service = try Service(["--max-body", "100000"], in: folder)
            let before = try #require(try service.metric("resident_memory_bytes"))
            let post = "POST /v1/images HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\n"
            let said = try Client(service.socket)
            try said.write(post + "Content-Length: 400000000\r\n\r\n")
            #expect(try said.answer().status == 413)
            let chunked = try Client(service.socket)
            try chunked.write(post + "Transfer-Encoding: chunked\r\n\r\n17d78400\r\n")
            #expect(try chunked.answer().status == 413)
            // A client that writes everything before it reads also gets its answer.
            let deaf = try Client(service.socket)
            try deaf.write(post + "Content-Length: 100000000\r\n\r\n")
            let piece = String(repeating: "x", count: 1_000_000)
            for _ in 0..<100 { try deaf.write(piece) }
            #expect(try deaf.answer().status == 413)
            // A client without the right gets this answer first.
            let foreign = try Client(service.socket)
            try foreign.write(
                "POST /v1/nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 400000000\r\n\r\n")
            #expect(try foreign.answer().status == 404)
            let after = try #require(try service.metric("resident_memory_bytes"))
            #expect(after - before < 20_000_000, "\(before) → \(after)")
        }
    }

    @Test func pathsOfTheMachineAreNotTold() throws {
        try withFolder { folder in
            mkdir(folder.path("public files"), 0o700)
            let service = try Service(["--files", "public files"], in: folder)
            let request = #"{"file": "not/there.html"}"#
            let answer = try service.ask("POST", "/v1/images", ["Content-Type": "application/json"], request)
            #expect(answer.status == 422)
            #expect(answer.text.contains("not/there.html"))
            #expect(!answer.text.contains("public files"), "\(answer.text)")
            let batch = try service.ask("POST", "/v1/batch", ["Content-Type": "application/jsonl"], request + "\n")
            #expect(batch.text.contains("not/there.html"))
            #expect(!batch.text.contains("public files"), "\(batch.text)")
            #expect(batch.headers["date"] != nil)
            try folder.write("public files/empty.html", "")
            try folder.write("public files/damaged.png", Data([0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]))
            try folder.write("public files/damaged.pdf", "%PDF-1.7")
            try folder.write("secret.html", "secret")
            for (name, target) in [("out.html", "../secret.html"), ("loop.html", "loop.html")] {
                try FileManager.default.createSymbolicLink(
                    atPath: folder.path("public files/" + name), withDestinationPath: target)
            }
            // All other errors that could reveal a file.
            for body in [
                #"{"file": "empty.html"}"#, #"{"file": "damaged.png"}"#, #"{"file": "damaged.pdf"}"#,
                #"{"file": "out.html"}"#, #"{"file": "loop.html"}"#, #"{"file": "../secret.html"}"#, #"{"file": "."}"#,
                #"{"file": "\#(folder.path("secret.html"))"}"#, #"{"file": "a\u0000b"}"#,
                #"{"html": "x", "base": "not-there"}"#, #"{"html": "x", "base": ".."}"#,
                #"{"html": "x", "base": "\#(folder.path)"}"#, #"{"html": "x", "css": ["not-there.css"]}"#,
                #"{"html": "x", "fonts": "not-there"}"#, #"{"html": "x", "output": "\#(folder.path)/x.png"}"#,
            ] {
                for (path, type) in [
                    ("images", "json"), ("prefetch", "json"), ("batch", "jsonl"), ("peaks", "json"),
                    ("annotations", "json"),
                ] {
                    let answer = try service.ask(
                        "POST", "/v1/\(path)", ["Content-Type": "application/\(type)"], body + "\n")
                    #expect(answer.status != 200 || path == "batch", "\(path): \(body)")
                    // A path that the client itself has given may appear in the answer.
                    let own = answer.text.replacing(folder.path + "/secret.html", with: "").replacing(
                        folder.path + "/x.png", with: "")
                    #expect(!own.contains("public files"), "\(path): \(body): \(answer.text)")
                    #expect(
                        !own.contains(NSTemporaryDirectory()) || body.contains("base"),
                        "\(path): \(body): \(answer.text)")
                    #expect(!answer.text.contains("secret\n"), "\(path): \(body)")
                }
            }
        }
    }
}
