import Foundation
import Testing

/// The memory limit that clients share: received bytes count against it, announced bytes do not.
@Suite(.serialized) struct ServeMemoryTests {
    private static let piece = String(repeating: " ", count: 1 << 20)

    private func service(_ options: [String] = [], _ folder: Folder) throws -> Service {
        try Tokens.write(["greedy", "good", "operator rights=all"], in: folder)
        return try Service(["--token-file", "tokens", "--idle-timeout", "600"] + options, in: folder)
    }

    private func html(_ name: String) -> [String: String] {
        Tokens.header(name).merging(["Content-Type": "text/html"]) { $1 }
    }

    /// Checks that the service reserves no memory for clients that have left.
    private func expectNothingIsHeld(_ service: Service) throws {
        #expect(
            try eventually { try service.heldBytes("good") == 0 })
    }

    @Test func announcedBodiesTakeNothing() throws {
        try withFolder { folder in
            let service = try service([], folder)
            let headers = html("greedy").merging(["Content-Length": "\(16 << 20)"]) { $1 }
            let announcing = try (0..<17).map { _ in
                let client = try Client(service.socket)
                try client.sendHead("POST", "/v1/images", headers)
                return client
            }
            // The number includes the request for the metrics.
            #expect(try eventually { try service.metric("http_requests_in_progress", Tokens.of("good")) == 18 })
            #expect(try service.heldBytes("good") == 0)
            #expect(try service.draw(row(), "", Tokens.header("good")).status == 200)
            #expect(try service.draw(row("teal"), "", Tokens.header("greedy")).status == 200)
            for client in announcing { client.close() }
            try expectNothingIsHeld(service)
        }
    }

    /// A large header counts while its request is in progress, but not afterwards, although the connection stays
    /// open.
    @Test func headsCount() throws {
        try withFolder { folder in
            let service = try service([], folder)
            let large = (0..<7).map { ("X-\($0)", String(repeating: "x", count: 7000)) }
            let headers = html("greedy").merging(large) { $1 }
            let clients = try (0..<20).map { _ in
                let client = try Client(service.socket)
                try client.sendHead("POST", "/v1/images", headers.merging(["Content-Length": "9"]) { $1 })
                return client
            }
            #expect(try eventually { try service.heldBytes("good") ?? 0 >= Double(20 * 40_000) })
            for client in clients { try client.write("<p>Hello!") }
            for client in clients { #expect(client.text(until: "\r\n\r\n").contains("200 OK")) }
            try expectNothingIsHeld(service)
            #expect(try service.metric("http_connections", Tokens.of("good")) ?? 0 > 20)
        }
    }

    /// Bodies that are sent slowly, with a length or in chunks: one client uses half of the memory, and the other one
    /// is still answered.
    @Test(arguments: [false, true]) func bodiesCountAsTheyArrive(isChunked: Bool) throws {
        try withFolder { folder in
            let service = try service([], folder)
            let framing = isChunked ? ["Transfer-Encoding": "chunked"] : ["Content-Length": "\(16 << 20)"]
            var (open, refused): ([Client], [Answer]) = ([], [])
            while open.count < 20, refused.isEmpty {
                let client = try Client(service.socket)
                try client.sendHead("POST", "/v1/images", html("greedy").merging(framing) { $1 })
                for _ in 0..<15 {
                    if isChunked { try client.sendChunk(Self.piece) } else { try client.write(Self.piece) }
                }
                let full = Double((open.count + 1) * 15 << 20)
                var held = 0.0
                #expect(
                    try eventually {
                        held = try service.heldBytes("good") ?? 0
                        return held >= full || held < Double(open.count * 15 << 20) + 100 && open.count >= 8
                    }, "\(held) of \(full)")
                if held >= full { open.append(client) } else { refused.append(try client.answer()) }
            }
            // Half of the 256 MiB.
            #expect(open.count == 8)
            #expect(refused.first?.status == 429)
            #expect(refused.first?.code == "memory-share-used")
            #expect(refused.first?.headers["retry-after"] == "1")
            #expect(refused.first?.headers["connection"] == "close")
            let large = "<p>Hello" + String(repeating: Self.piece, count: 15)
            #expect(try service.draw(large, "", Tokens.header("good")).status == 200)
            #expect(try service.ask("GET", "/metrics", Tokens.header("greedy")).status == 200)
            // A client that frees memory can continue.
            open[0].close()
            #expect(try eventually { try service.heldBytes("good") ?? 0 < Double(106 << 20) })
            #expect(try service.draw("<p>again" + Self.piece, "", Tokens.header("greedy")).status == 200)
            for client in open { client.close() }
            try expectNothingIsHeld(service)
        }
    }

    /// Batch lines count from their first byte until their end has arrived.
    @Test func unfinishedLinesOfManyBatches() throws {
        try withFolder { folder in
            let service = try service([], folder)
            let headers = Tokens.header("greedy").merging(
                ["Content-Type": "application/jsonl", "Transfer-Encoding": "chunked"]) { $1 }
            let start = #"{"id": 1, "html": ""#
            let batches = try (0..<12).map { _ in
                let client = try Client(service.socket)
                try client.sendHead("POST", "/v1/batch", headers)
                try client.sendChunk(start)
                for _ in 0..<15 { try client.sendChunk(Self.piece) }
                return client
            }
            // Each byte counts twice. Eight clients have no memory for their lines, and no earlier lines that could
            // free any.
            #expect(try eventually { try service.heldBytes("good") ?? 0 >= Double(4 * 30 << 20) })
            #expect(try service.heldBytes("good") ?? 0 <= Double(128 << 20))
            #expect(try service.draw(row(), "", Tokens.header("good")).status == 200)
            let good = try service.ask(
                "POST", "/v1/batch", Tokens.header("good").merging(["Content-Type": "application/jsonl"]) { $1 },
                start + "<p>x" + Self.piece + "\"}\n")
            #expect(good.text.contains(#""status":"drawn""#), "\(good.text.prefix(500))")
            for client in batches { try client.write("0\r\n\r\n") }
            let texts = try batches.map { try $0.answer().text }
            #expect(texts.count { $0.contains("memory-full") } == 8, "\(texts.map { $0.prefix(200) })")
            #expect(
                texts.allSatisfy { $0.contains(#""line":1"#) || $0.contains("line 1") },
                "\(texts.map { $0.prefix(200) })")
            try expectNothingIsHeld(service)
        }
    }

    /// The documents of a batch count until they have been drawn, even though their lines have been read.
    @Test func documentsOfABatchThatWait() throws {
        try withFolder { folder in
            let service = try service([], folder)
            let lease = try service.ask("POST", "/v1/suspensions", Tokens.header("operator"))
            let lines = (0..<3).map { #"{"id": \#($0), "html": "<p>\#($0)\#(Self.piece + Self.piece)"}"# + "\n" }
            let client = try Client(service.socket)
            let headers = ["Content-Type": "application/jsonl", "Connection": "close"]
            try client.send(
                "POST", "/v1/batch", Tokens.header("greedy").merging(headers) { $1 }, lines.joined())
            #expect(try eventually { try service.metric("drawings_waiting", Tokens.of("good")) == 3 })
            #expect(try service.heldBytes("good") ?? 0 >= Double(3 * 2 << 20))
            let place = try #require(lease.headers["location"])
            #expect(try service.ask("DELETE", place, Tokens.header("operator")).status == 204)
            let text = try client.answer().text
            #expect(text.components(separatedBy: #""status":"drawn""#).count == 4, "\(text.prefix(500))")
            try expectNothingIsHeld(service)
        }
    }

    /// A document that waits counts until it has been drawn, even if its client has left, whether it was prefetched,
    /// requested or PUT.
    @Test(arguments: ["prefetch", "images", "put"]) func documentsThatWait(resource: String) throws {
        try withFolder { folder in
            let service = try service([], folder)
            let lease = try service.ask("POST", "/v1/suspensions", Tokens.header("operator"))
            #expect(lease.status == 201)
            let padding = String(repeating: Self.piece, count: 12)
            var (waiting, codes): ([Client], [String?]) = ([], [])
            for index in 0..<20 where codes.isEmpty {
                let client = try Client(service.socket)
                let headers = html("greedy").merging(["Connection": "close"]) { $1 }
                let path = resource == "put" ? "images/\(index)" : resource
                try client.send(
                    resource == "put" ? "PUT" : "POST", "/v1/\(path)?width=\(100 + index)", headers, row() + padding)
                if resource == "prefetch" {
                    let answer = try client.answer()
                    if answer.status != 202 { codes.append(answer.code) }
                } else {
                    let count = Double(index + 1)
                    var held = 0.0
                    #expect(
                        try eventually {
                            held = try service.heldBytes("good") ?? 0
                            return try service.metric("drawings_waiting", Tokens.of("good")) == count
                                || index >= 5 && held < count * Double(24 << 20)
                        })
                    if held < count * Double(24 << 20) { codes.append(try client.answer().code) }
                    waiting.append(client)
                }
            }
            #expect(codes == ["memory-share-used"])
            // Every acknowledged picture is still stored.
            #expect(try service.heldBytes("good") ?? 0 >= Double(5 * 24 << 20))
            #expect(try service.heldBytes("good") ?? 0 <= Double(128 << 20))
            // Other clients still have memory for their documents, and immediate requests are drawn.
            let good = try service.ask("POST", "/v1/prefetch", html("good"), row("navy") + padding)
            #expect(good.status == 202)
            #expect(try service.draw(row("teal"), "immediate", Tokens.header("good")).status == 200)
            if resource != "prefetch" {
                for client in waiting { client.close() }
                #expect(try eventually { try service.metric("drawings_waiting", Tokens.of("good")) == 1 })
            }
            let place = try #require(lease.headers["location"])
            #expect(try service.ask("DELETE", place, Tokens.header("operator")).status == 204)
            try expectNothingIsHeld(service)
        }
    }
}
