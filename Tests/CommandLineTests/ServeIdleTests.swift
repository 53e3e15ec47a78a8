import Foundation
import Testing

/// When the service ends a connection, and when it does not.
@Suite struct ServeIdleTests {
    private let lines = ["Content-Type": "application/jsonl", "Transfer-Encoding": "chunked"]

    private func batch(_ socket: String, _ headers: [String: String] = [:], _ line: String? = nil) throws -> Client {
        let client = try Client(socket)
        try client.sendHead("POST", "/v1/batch", lines.merging(headers) { $1 })
        if let line { try client.sendChunk(line + "\n") }
        return client
    }

    /// Batches that have requested nothing, that have received all their answers, or that have sent part of a line
    /// are idle. A batch that waits for a drawing is not.
    @Test func idleBatchesAreClosed() throws {
        try withFolder { folder in
            let service = try Service(["--idle-timeout", "1"], in: folder)
            #expect(try service.draw(row(), "identifier=kept").status == 200)
            #expect(try service.ask("POST", "/v1/suspensions").status == 201)
            let working = try batch(service.socket, [:], #"{"id": "w", "html": "<p>working", "inline": true}"#)
            #expect(try eventually { try service.metric("drawings_waiting") == 1 })
            let silent = try batch(service.socket)
            let answered = try batch(service.socket, [:], #"{"id": "a", "command": "stats"}"#)
            #expect(answered.text(until: #""id":"a""#).contains("200 OK"))
            let begun = try batch(service.socket)
            try begun.sendChunk(#"{"id": "b", "html": "#)
            for client in [silent, answered, begun] { #expect(client.isEnded) }
            // The answer has no final chunk, so the client knows that it is incomplete.
            #expect(!answered.text(until: "\r\n0\r\n").contains("\r\n0\r\n"))
            // Waits until another connection is closed, which takes longer than the batches were idle.
            let idle = try Client(service.socket)
            try idle.sendHead("GET", "/healthz")
            #expect(idle.isEnded)
            #expect(try service.metric("drawings_waiting") == 1)
            #expect(try service.ask("POST", "/v1/suspensions/end", [:], "").status == 303)
            #expect(working.text(until: #""id":"w""#).contains(#""status":"drawn""#))
            #expect(working.isEnded)
        }
    }

    /// A connection whose request waits for a drawing is not idle either.
    @Test func whoWaitsForADrawingIsKept() throws {
        try withFolder { folder in
            let service = try Service(["--idle-timeout", "1"], in: folder)
            #expect(try service.ask("POST", "/v1/suspensions").status == 201)
            let waiting = try Client(service.socket)
            try waiting.send("POST", "/v1/images", ["Content-Type": "text/html", "Connection": "close"], row())
            #expect(try eventually { try service.metric("drawings_waiting") == 1 })
            for _ in 0..<2 {
                let idle = try Client(service.socket)
                #expect(idle.isEnded)
            }
            #expect(try service.metric("drawings_waiting") == 1)
            #expect(try service.ask("POST", "/v1/suspensions/end", [:], "").status == 303)
            #expect(try waiting.answer().status == 200)
        }
    }

    /// A header or a body that arrives byte by byte does not keep a connection open.
    @Test func drippedRequestsAreClosed() throws {
        try withFolder { folder in
            let service = try Service(["--idle-timeout", "1"], in: folder)
            let script = """
                import socket, sys
                path, text = sys.argv[1], sys.argv[2].encode()
                client = socket.socket(socket.AF_UNIX)
                client.connect(path)
                client.sendall(text)
                # Waits for an answer or the end between two bytes, and never stops by itself.
                client.settimeout(0.05)
                while True:
                    try:
                        if not client.recv(1000): break
                    except TimeoutError: pass
                    except ConnectionError: break
                    try: client.sendall(b'x')
                    except OSError: break
                """
            let post = "POST /v1/images HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\n"
            for text in [post + "X: ", post + "Content-Length: 100000\r\n\r\n"] {
                let outcome = try Child(["python3", "-c", script, service.socket, text], folder: folder.path).wait()
                #expect(outcome.code == 0, "\(outcome.error)")
            }
            #expect(try eventually { try service.metric("http_connections") == 1 })
        }
    }

    /// Removing a token from the file ends its requests; requests with other tokens continue.
    @Test func aTokenThatIsTakenAway() throws {
        try withFolder { folder in
            try Tokens.write(["leaving", "staying", "operator rights=all"], in: folder)
            let service = try Service(["--token-file", "tokens", "--idle-timeout", "600"], in: folder)
            #expect(try service.ask("POST", "/v1/suspensions", Tokens.header("operator")).status == 201)
            func connect(_ name: String) throws -> (idle: Client, batch: Client, waiting: Client) {
                let idle = try Client(service.socket)
                try idle.sendHead("GET", "/metrics", Tokens.header(name))
                #expect(idle.text(until: "build_info").contains("200 OK"))
                let batch = try batch(service.socket, Tokens.header(name), #"{"id": "1", "command": "stats"}"#)
                #expect(batch.text(until: #""id":"1""#).contains("200 OK"))
                let waiting = try Client(service.socket)
                try waiting.send(
                    "POST", "/v1/images",
                    Tokens.header(name).merging(["Content-Type": "text/html", "Connection": "close"]) { $1 },
                    "<p>\(name)")
                return (idle, batch, waiting)
            }
            let (leaving, staying) = (try connect("leaving"), try connect("staying"))
            #expect(try eventually { try service.metric("drawings_waiting", Tokens.of("staying")) == 2 })
            // A connection's token is the last one that it has shown.
            let both = try Client(service.socket)
            try both.sendHead("GET", "/v1/none", Tokens.header("leaving"))
            #expect(both.text(until: "no-such-resource").contains("404"))
            try both.sendHead("GET", "/metrics", Tokens.header("staying"))
            #expect(both.text(until: "build_info").contains("200 OK"))

            try Tokens.write(["staying", "operator rights=all"], in: folder)
            kill(service.child.id, SIGHUP)
            #expect(leaving.idle.isEnded)
            #expect(leaving.batch.isEnded)
            #expect(leaving.waiting.isEnded)
            #expect(try eventually { try service.metric("drawings_waiting", Tokens.of("staying")) == 1 })
            for client in [staying.idle, both] {
                try client.sendHead("GET", "/v1/openapi.json", Tokens.header("staying"))
                #expect(client.text(until: #""openapi""#).contains(#""openapi""#))
            }
            try staying.batch.sendChunk(#"{"id": "2", "command": "stats"}"# + "\n")
            #expect(staying.batch.text(until: #""id":"2""#).contains(#""id":"2""#))
            #expect(try service.ask("POST", "/v1/suspensions/end", Tokens.header("operator"), "").status == 303)
            #expect(try staying.waiting.answer().status == 200)
        }
    }

    /// A batch continues with the rights that it had at its start, so it ends when the file grants different rights.
    @Test func aBatchWhoseRightsChange() throws {
        try withFolder { folder in
            try Tokens.write(["changing rights=all", "staying"], in: folder)
            let service = try Service(["--token-file", "tokens", "--idle-timeout", "600"], in: folder)
            let batches = try ["changing", "staying"].map { name in
                let batch = try batch(service.socket, Tokens.header(name), #"{"id": "1", "command": "stats"}"#)
                #expect(batch.text(until: #""id":"1""#).contains("200 OK"))
                return batch
            }
            try Tokens.write(["changing rights=draw", "staying"], in: folder)
            kill(service.child.id, SIGHUP)
            #expect(batches[0].isEnded)
            try batches[1].sendChunk(#"{"id": "2", "command": "stats"}"# + "\n")
            #expect(batches[1].text(until: #""id":"2""#).contains(#""id":"2""#))
        }
    }

    /// While the service drains, open connections end after their next answer.
    @Test func theEndIsAnnounced() throws {
        try withFolder { folder in
            let service = try Service(["--drain", "600", "--idle-timeout", "600"], in: folder)
            let early = try Client(service.socket)
            try early.sendHead("GET", "/healthz")
            #expect(!early.text(until: "ok\n").contains("Connection: close"))
            kill(service.child.id, SIGTERM)
            #expect(try eventually { try service.ask("GET", "/readyz").code == "draining" })
            try early.sendHead("GET", "/metrics")
            #expect(early.isEnded)
            #expect(early.text(until: "build_info").components(separatedBy: "Connection: close").count == 2)
            let late = try Client(service.socket)
            try late.send("POST", "/v1/images", ["Content-Type": "text/html"], row())
            let answer = try late.answer()
            #expect(answer.status == 200)
            #expect(answer.headers["connection"] == "close")
        }
    }

    /// Connections also end after answers to requests that began before the service stops; some of these are refused.
    @Test func answersWhileItStopsEndTheirConnections() throws {
        try withFolder { folder in
            let service = try Service(["--stop-timeout", "600"], in: folder)
            // All requests begin before any is answered.
            let suspension = try service.ask("POST", "/v1/suspensions")
            let id = try #require(suspension.object["identifier"] as? String)
            let clients = try (0..<10).map { index in
                let client = try Client(service.socket)
                try client.send("POST", "/v1/images", ["Content-Type": "text/html"], row(height: 2000 + index))
                return client
            }
            let half = try Client(service.socket)
            try half.sendHead("POST", "/v1/images", ["Content-Type": "text/html", "Content-Length": "5"])
            // The number includes the request for the metrics.
            #expect(try eventually { try service.metric("http_requests_in_progress") == 12 })
            #expect(try service.ask("DELETE", "/v1/suspensions/\(id)").status == 204)
            kill(service.child.id, SIGTERM)
            for client in clients {
                let answer = try client.answer()
                #expect(answer.status == 200)
                #expect(answer.headers["connection"] == "close")
            }
            try half.write("<p>no")
            #expect(try half.answer().headers["connection"] == "close")
            #expect(try service.child.wait().code == 0)
        }
    }
}
