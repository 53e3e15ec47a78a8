import Foundation
import Testing

/// Clients that request large pictures and do not read them.
@Suite struct ServeReaderTests {
    /// However many readers there are, and whatever they read, each picture is in memory once or in a file.
    @Test func slowReadersTakeLittleMemory() throws {
        try withFolder { folder in
            let service = try Service(["--memory", "0", "--idle-timeout", "600"], in: folder)
            // 10.6 MB each: 400 readers of the first picture, and ten readers of other pictures.
            func draw(_ index: Int) -> String {
                "<!doctype html><body style='margin:0'><div style='height:1770px;background:rgb(0,0,\(index))'>"
            }
            let query = "?width=1500&format=raw"
            let headers = ["Content-Type": "text/html"]
            let whole = try service.ask("POST", "/v1/images" + query, headers, draw(0)).body
            #expect(whole.count > 10_000_000)
            #expect(try service.ask("PUT", "/v1/images/large" + query, headers, draw(0)).status == 201)
            let before = try #require(try service.metric("resident_memory_bytes"))
            let read = try bytesRead(by: service.child.id)
            var readers = try (0..<400).map { _ in
                let client = try Client(service.socket)
                try client.send("GET", "/v1/images/large", ["Connection": "close"], nil)
                return client
            }
            for index in 1...10 {
                let client = try Client(service.socket)
                try client.send(
                    "POST", "/v1/images" + query, headers.merging(["Connection": "close"]) { $1 }, draw(index))
                readers.append(client)
            }
            // Every reader has received the beginning of its answer.
            for client in readers { #expect(client.text(until: "\r\n\r\n").contains("200 OK")) }
            // The picture is read from the disk for the first reader, and perhaps for a second one at the same time.
            #expect(try bytesRead(by: service.child.id) - read < 200_000_000)
            #expect(try service.draw(row("teal")).status == 200)
            #expect(
                try eventually {
                    (try service.metric("resident_memory_bytes") ?? .infinity) - before < Double(64 << 20)
                }, "bytes at rest: \(before)")
            // One reader of each kind continues and receives its complete picture.
            #expect(try readers[0].answer().body == whole)
            #expect(try readers[409].answer().body.count == whole.count)
            for client in readers { client.close() }
            #expect(try eventually { try service.metric("http_connections") == 1 })
        }
    }

    /// Clients that request the same new picture share its bytes, and new pictures wait for the disk.
    @Test(arguments: [true, false]) func newPicturesTakeLittleMemory(isSame: Bool) throws {
        try withFolder { folder in
            let service = try Service(["--memory", "0", "--idle-timeout", "600"], in: folder)
            func draw(_ index: Int) -> String {
                "<!doctype html><body style='margin:0'><div style='height:1770px;background:rgb(0,0,\(index))'>"
            }
            #expect(try service.draw(row()).status == 200)
            let process = "/proc/\(service.child.id)"
            // Resets the process's peak memory.
            try Data("5".utf8).write(to: URL(fileURLWithPath: process + "/clear_refs"))
            let before = try #require(try service.metric("resident_memory_bytes"))
            let readers = try (0..<60).map { index in
                let client = try Client(service.socket)
                try client.send(
                    "POST", "/v1/images?width=1500&format=raw", ["Content-Type": "text/html", "Connection": "close"],
                    draw(isSame ? 0 : index))
                return client
            }
            for client in readers { #expect(client.text(until: "\r\n\r\n").contains("200 OK")) }
            let status = try String(contentsOfFile: process + "/status", encoding: .utf8)
            let highest = try #require(status.firstMatch(of: #/VmHWM:\s+([0-9]+) kB/#).flatMap { Double($0.1) })
            // 60 separate copies would be 637 MB.
            #expect(highest * 1024 - before < Double(192 << 20), "bytes at rest: \(before)")
            for client in readers { client.close() }
            #expect(try eventually { try service.metric("http_connections") == 1 })
        }
    }

    /// A client must read each piece of its answer within the time limit.
    @Test func whoDoesNotReadIsCutOff() throws {
        try withFolder { folder in
            let service = try Service(["--idle-timeout", "1"], in: folder)
            let query = "?width=1500&format=raw&height=1770"
            let deaf = try Client(service.socket)
            try deaf.send("POST", "/v1/images" + query, ["Content-Type": "text/html"], row())
            let batch = try Client(service.socket)
            let line = #"{"html": "<p>text", "inline": true, "format": "raw", "height": 1770, "width": 1500}"# + "\n"
            try batch.send("POST", "/v1/batch", ["Content-Type": "application/jsonl"], line)
            #expect(try eventually { try service.metric("http_connections") == 1 })
            #expect(deaf.isEnded)
            #expect(batch.isEnded)
        }
    }

    /// Single bytes do not count as progress, neither those of a body nor those that a client reads of its answer.
    @Test func whoSendsOrReadsByDropsIsCutOff() throws {
        try withFolder { folder in
            let service = try Service(["--idle-timeout", "4"], in: folder)
            let body = ["Content-Type": "text/html", "Content-Length": "\(8 << 20)"]
            let dripping = try Client(service.socket)
            try dripping.sendHead("POST", "/v1/images", body)
            let sipping = try Client(service.socket)
            try sipping.send(
                "POST", "/v1/images?width=1500&format=raw&height=1770", ["Content-Type": "text/html"], row())
            #expect(sipping.text(until: "\r\n\r\n").contains("200 OK"))
            // A client that sends enough in each interval is served.
            let steady = try Client(service.socket)
            try steady.sendHead("POST", "/v1/images", body.merging(["Connection": "close"]) { $1 })
            let piece = "<p>x" + String(repeating: " ", count: 32_764)
            for _ in 0..<256 {
                try steady.write(piece)
                try dripping.write(" ")
                sipping.sip()
            }
            #expect(try steady.answer().status == 200)
            // Only the connection for the metrics is left.
            #expect(
                try eventually {
                    try dripping.write(" ")
                    sipping.sip()
                    return try service.metric("http_connections") == 1
                })
            #expect(dripping.isEnded)
            #expect(sipping.isEnded)
        }
    }

    /// The bytes that a process has read from files and other descriptors.
    private func bytesRead(by process: Int32) throws -> Int {
        let io = try String(contentsOfFile: "/proc/\(process)/io", encoding: .utf8)
        return try #require(io.firstMatch(of: /rchar: ([0-9]+)/).flatMap { Int($0.1) })
    }
}
