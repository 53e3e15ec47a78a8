import Foundation
import Testing

/// Clients that do not read, that stop halfway, and many clients at once.
@Suite struct ServeSlowClientTests {
    /// The backlog for a slow reader of events is bounded: its connection ends, and other clients are served
    /// meanwhile.
    @Test func aReaderOfEventsThatDoesNotRead() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            #expect(try service.draw(row()).status == 200)
            let before = try #require(try service.metric("resident_memory_bytes"))
            let deaf = try (0..<10).map { _ in
                let client = try Client(service.socket)
                try client.send("GET", "/v1/events", [:], nil)
                return client
            }
            #expect(try eventually { try service.metric("http_connections") == 11 })
            // All answers after the first come from the cache. Each of them is an event of 400 bytes.
            let name = String(repeating: "x", count: 250)
            // No more at a time than the sockets can buffer, because this client writes everything before it reads.
            let lines = String(repeating: "{\"identifier\": \"\(name)\", \"html\": \"<p>text\"}\n", count: 150)
            for index in 0..<200 {
                let answer = try service.ask("POST", "/v1/batch", ["Content-Type": "application/jsonl"], lines)
                // Requests of the first batch that arrive after the picture has been drawn are also answered from the
                // cache.
                let kept = answer.text.split(separator: "\n").count { $0.contains(#""kept":true"#) }
                #expect(index == 0 ? kept < 150 : kept == 150)
            }
            #expect(try eventually { try service.metric("http_connections") == 1 })
            let after = try #require(try service.metric("resident_memory_bytes"))
            // One megabyte plus the system's buffers for each client; 10 × 10 MB were sent.
            #expect(after - before < 40_000_000, "\(before) → \(after)")
            for client in deaf { #expect(client.isEnded) }
        }
    }

    /// If a client does not read the results of a batch, the service reads no more from it.
    @Test func aReaderOfABatchThatDoesNotRead() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            #expect(try service.draw(row()).status == 200)
            let before = try #require(try service.metric("resident_memory_bytes"))
            let deaf = try Client(service.socket)
            deaf.setPatience(seconds: 2)
            // Each result has half a megabyte.
            let line = #"{"html": "<p>text", "inline": true, "format": "raw", "height": 300}"# + "\n"
            let lines = String(repeating: line, count: 20_000)
            try deaf.send("POST", "/v1/batch", ["Content-Type": "application/jsonl"], lines)
            // The client wrote until the service stopped reading.
            #expect(errno == EAGAIN)
            let after = try #require(try service.metric("resident_memory_bytes"))
            #expect(after - before < 250_000_000, "\(before) → \(after)")
            #expect(try service.draw(row("blue")).status == 200)
            deaf.close()
            #expect(try eventually { try service.metric("http_connections") == 1 })
            #expect(try service.stop().code == 0)
        }
    }

    /// A slow client is distinguished from one that has left, where possible: on a Unix socket, but not over a
    /// network.
    @Test func aClientThatSaysNoMore() throws {
        try withFolder { folder in
            let service = try Service(["--listen", "127.0.0.1:0", "--idle-timeout", "600"], in: folder)
            #expect(try service.draw(row("teal")).status == 200)
            func files() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/\(service.child.id)/fd").count
            }
            let before = try files()
            // The connection of a client that closes its side ends with the last answer, without `Connection: close`.
            let brief = try Client(service.socket)
            for path in ["/metrics", "/v1/none", "/healthz"] { try brief.sendHead("GET", path) }
            brief.sayNoMore()
            #expect(brief.isEnded)
            #expect(brief.text(until: "ok\n").components(separatedBy: "HTTP/1.1 ").count == 4)
            #expect(try service.ask("POST", "/v1/suspensions").status == 201)
            let client = try Client(service.socket)
            try client.send("POST", "/v1/images", ["Content-Type": "text/html"], row())
            let batch = try Client(service.socket)
            try batch.send(
                "POST", "/v1/batch", ["Content-Type": "application/jsonl"], "{\"html\": \"<p>1\", \"id\": 7}\n")
            client.sayNoMore()
            batch.sayNoMore()
            #expect(try eventually { try service.metric("drawings_waiting") == 2 })
            // On a network socket, it counts as disconnected.
            let port = try #require(service.child.text(1).firstMatch(of: #/127\.0\.0\.1:([0-9]+)/#)?.1)
            let script = """
                import socket
                s = socket.create_connection(('127.0.0.1', \(port)))
                s.sendall(b'POST /v1/images HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Type: text/html\\r\\nContent-Length: 5\\r\\n\\r\\n<p>no')
                s.shutdown(socket.SHUT_WR)
                print(s.recv(12).decode())
                """
            let other = try Child(["python3", "-c", script], folder: folder.path).wait()
            #expect(other.text == "\n", "\(other.text)\(other.error)")
            #expect(
                try eventually {
                    try service.ask("GET", "/metrics").text.contains("offstage_events_total{kind=\"cancelled\"} 1\n")
                })
            #expect(try service.metric("drawings_waiting") == 2)
            #expect(try service.ask("POST", "/v1/suspensions/end", [:], "").status == 303)
            #expect(try client.answer().picture.size == [400, 40])
            #expect(try batch.answer().text.contains("\"id\":7"))
            #expect(try eventually { try service.metric("http_connections") == 1 })
            #expect(try files() <= before + 4)
        }
    }

    /// Nothing is lost on the Unix socket, even if a web process is killed: each client gets an answer for each row.
    @Test(arguments: [false, true]) func manyClients(isKilled: Bool) throws {
        try withFolder { folder in
            let service = try Service(["--no-sandbox"], in: folder)
            #expect(try service.draw(row()).status == 200)
            try folder.write("load.py", Self.load)
            let load = try Child(["python3", "load.py", service.socket, "8", "25"], folder: folder.path)
            if isKilled {
                for round in 1...3 {
                    #expect(
                        try eventually {
                            try service.metric("http_request_duration_seconds_count") ?? 0 > Double(40 * round)
                        })
                    for process in ProcessTable.descendants(of: service.child.id)
                    where process.name == "WebKitWebProces" {
                        kill(process.id, SIGKILL)
                    }
                }
            }
            let outcome = try load.wait()
            #expect(outcome.code == 0, "\(outcome.error)")
            let answers = try #require(try outcome.objects.first as? [String: Int])
            // Each kill makes at most the drawings in progress fail, and only after a second attempt.
            #expect(answers["200"] ?? 0 >= (isKilled ? 194 : 200), "\(answers)")
            #expect(Set(answers.keys).isSubset(of: ["200", "422", "503"]), "\(answers)")
            #expect(answers.values.reduce(0, +) == 200, "\(answers)")
            #expect(try service.stop().code == 0)
        }
    }

    /// Starts this many concurrent clients, each with its own connection and this many rows, all different. Prints
    /// how many answers had each status. A picture of another row is an error.
    private static let load = """
        import collections, http.client, json, socket, struct, sys, threading
        path, clients, rows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
        class Connection(http.client.HTTPConnection):
            def connect(self):
                self.sock = socket.socket(socket.AF_UNIX)
                self.sock.settimeout(60)
                self.sock.connect(path)
        counts, errors = collections.Counter(), []
        def run(client):
            try:
                connection = Connection('localhost')
                for row in range(rows):
                    width = 100 + client * rows + row
                    html = f"<!doctype html><body style='margin:0'><div style='height:30px;background:red'>{width}</div>"
                    connection.request('POST', f'/v1/images?width={width}', html, {'Content-Type': 'text/html'})
                    answer = connection.getresponse()
                    body = answer.read()
                    counts[str(answer.status)] += 1
                    if answer.status == 200 and struct.unpack('>II', body[16:24]) != (width, 30):
                        errors.append(f'row {width}: another picture')
            except Exception as error:
                errors.append(f'client {client}: {error!r}')
        threads = [threading.Thread(target=run, args=[client]) for client in range(clients)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(json.dumps(counts))
        sys.exit('\\n'.join(errors) or 0)
        """
}
