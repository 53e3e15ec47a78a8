import Foundation
import Testing

/// Clients that try to harm a service, all at once and each in its own way, beside a good client.
@Suite(.serialized) struct ServeHostileClientTests {
    private static let kinds = [
        "announced", "dripped", "lines", "prefetches", "readers", "queries", "heads", "connections",
    ]
    /// The limits, in bytes, for all requests together, the memory cache, and a connection.
    private static let (requests, cache, connection) = (256 << 20, 64 << 20, 48 << 10)
    private static let connections = 2048
    private static let program = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("HostileClients/clients.py")
        .path

    @Test func theGoodClientIsServedAndMemoryIsBounded() throws {
        try withFolder { folder in
            try Tokens.write(["good"] + Self.kinds, in: folder)
            let service = try Service(
                [
                    "--listen", "127.0.0.1:0", "--token-file", "tokens", "--max-connections", "\(Self.connections)",
                    "--memory", "\(Self.cache)", "--no-access-log",
                ], in: folder)
            let html = Tokens.header("good").merging(["Content-Type": "text/html"]) { $1 }
            let large = "/v1/images/large?format=raw&width=1500&height=1770"
            #expect(try service.ask("PUT", large, html, row()).status == 201)
            #expect(try service.ask("PUT", "/v1/images/small", html, row()).status == 201)
            let small = try service.ask("GET", "/v1/images/small", html).body
            let base = try resident(service, "VmRSS")
            try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/\(service.child.id)/clear_refs"))

            let clients = try Self.kinds.enumerated().map { index, kind in
                try Child(
                    ["python3", Self.program, "\(service.port)", "\(index + 2)", Tokens.of(kind), kind],
                    holdsInput: true,
                    folder: folder.path)
            }
            func rounds(_ client: Child) -> Int {
                _ = client.hasEnded
                return client.text(0).components(separatedBy: "attacking").count - 1
            }
            for round in 1...2 {
                #expect(eventually { clients.allSatisfy { $0.hasEnded || rounds($0) >= round } })
                for _ in 0..<200 {
                    let answer = try service.ask("GET", "/v1/images/small", html)
                    #expect(answer.status == 200)
                    #expect(answer.body == small)
                }
                for index in 0..<5 {
                    let answer = try service.draw(row("rgb(\(round),\(index),0)"), "", html)
                    #expect(answer.status == 200, "\(answer.text.prefix(300))")
                }
            }
            for client in clients { #expect(!client.hasEnded, "\(client.text(1).suffix(1000))") }
            let bound = Self.requests + Self.cache + base + Self.connections * Self.connection
            let highest = try resident(service, "VmHWM")
            #expect(highest < bound * 6 / 5, "bytes: base \(base), highest \(highest), bound \(bound)")
            for client in clients {
                client.endInput()
                #expect(try client.wait().code == 0)
            }
            #expect(try eventually { try service.heldBytes("good") == 0 })
            #expect(try service.stop().code == 0)
        }
    }

    /// Memory in bytes, from `/proc`.
    private func resident(_ service: Service, _ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(service.child.id)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return try #require(line.split(separator: " ").dropLast().last.flatMap { Int($0) }) * 1024
    }
}
