import Foundation
import Testing

/// Which clients keep their connections when connections are scarce.
@Suite struct ServeConnectionTests {
    private static let shortage = "connections are scarce; idle ones are closed"

    private func reports(_ service: Service) -> Int {
        _ = service.child.hasEnded
        return service.child.text(1).components(separatedBy: Self.shortage).count - 1
    }

    /// The oldest connections end first. Connections that have shown a token, and those on the Unix socket, stay
    /// open.
    @Test func silentConnectionsMakeRoom() throws {
        try withFolder { folder in
            try Tokens.write(["good"], in: folder)
            // Behind a proxy, a single address may use all connections.
            let service = try Service(
                [
                    "--listen", "127.0.0.1:0", "--max-connections", "16", "--proxy-host", "localhost", "--token-file",
                    "tokens", "--idle-timeout", "600",
                ], in: folder)
            let port = try service.port
            let known = try Client(port: port)
            try known.sendHead("GET", "/metrics", Tokens.header("good"))
            #expect(known.text(until: "build_info").contains("200 OK"))
            // 14 connections for the network, and two reserved for the Unix socket.
            let silent = try (0..<13).map { index in
                let client = try Client(port: port)
                // One client has sent half a header, and one has shown an unknown token.
                if index == 1 { try client.write("GET /metrics HTTP/1.1\r\nHost: local") }
                if index == 2 {
                    try client.sendHead("GET", "/metrics", Tokens.header("nobody"))
                    #expect(client.text(until: "token-needed").contains("401"))
                }
                let count = Double(index + 3)
                #expect(try eventually { try service.metric("http_connections", Tokens.of("good")) == count })
                return client
            }
            #expect(reports(service) == 0)
            var late: [Client] = []
            for index in 0..<3 {
                let client = try Client(port: port)
                try client.sendHead("GET", "/metrics", Tokens.header("good"))
                #expect(client.text(until: "build_info").contains("200 OK"))
                #expect(silent[index].isEnded, "\(index)")
                late.append(client)
            }
            #expect(reports(service) == 1)
            // The Unix socket has its reserved connections, and ending silent network connections makes more
            // available.
            let local = try (0..<4).map { _ in
                let client = try Client(service.socket)
                try client.sendHead("GET", "/healthz")
                #expect(client.text(until: "ok\n").contains("200 OK"))
                return client
            }
            for client in [known] + late + local {
                try client.sendHead("GET", "/v1/none", Tokens.header("good"))
                #expect(client.text(until: "no-such-resource").contains("404"))
            }
        }
    }

    /// A token has at most half of the connections; clients of another token can connect.
    @Test func aTokenHasHalf() throws {
        try withFolder { folder in
            try Tokens.write(["greedy", "good"], in: folder)
            let service = try Service(["--max-connections", "12", "--token-file", "tokens"], in: folder)
            let greedy = try (0..<6).map { _ in
                let client = try Client(service.socket)
                try client.sendHead("GET", "/metrics", Tokens.header("greedy"))
                #expect(client.text(until: "build_info").contains("200 OK"))
                return client
            }
            let refused = try service.ask("GET", "/metrics", Tokens.header("greedy"))
            #expect(refused.status == 429)
            #expect(refused.code == "too-many-connections")
            #expect(refused.headers["retry-after"] == "1")
            #expect(try service.ask("GET", "/metrics", Tokens.header("good")).status == 200)
            // Open connections can still be used. When one of them ends, another can be opened.
            try greedy[5].sendHead("GET", "/healthz")
            #expect(greedy[5].text(until: "ok\n").contains("200 OK"))
            greedy[0].close()
            #expect(try eventually { try service.ask("GET", "/metrics", Tokens.header("greedy")).status == 200 })
        }
    }

    /// If clients are distinguished by address, many silent connections from one address are limited. This does not
    /// apply behind a proxy.
    @Test func anAddressHasHalf() throws {
        try withFolder { folder in
            try Tokens.write(["good"], in: folder)
            let service = try Service(
                [
                    "--listen", "127.0.0.1:0", "--max-connections", "8", "--token-file", "tokens", "--idle-timeout",
                    "600",
                ],
                in: folder)
            let port = try service.port
            let known = try (0..<4).map { _ in
                let client = try Client(port: port)
                try client.sendHead("GET", "/healthz")
                #expect(client.text(until: "ok\n").contains("200 OK"))
                return client
            }
            #expect(try Client(port: port).isEnded)
            #expect(
                eventually { service.child.hasEnded || service.child.text(1).contains("an address has 4 connections") })
            #expect(try service.ask("GET", "/healthz").status == 200)
            for client in known {
                try client.sendHead("GET", "/v1/none", Tokens.header("good"))
                #expect(client.text(until: "no-such-resource").contains("404"))
            }
        }
    }
}
