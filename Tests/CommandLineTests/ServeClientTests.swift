import Foundation
import Testing

/// Each client of a service gets a fair share of its drawings.
@Suite struct ServeClientTests {
    private static let bulk = "bulkbulkbulkbulkbulk"
    private static let page = "pagepagepagepagepage"
    private static let slow = "slowslowslowslowslow"

    /// The identifiers of drawings, in the order in which they started.
    private func started(_ client: Client, _ count: Int) -> [String] {
        started(in: client.text { started(in: $0).count >= count })
    }

    private func started(in text: String) -> [String] {
        text.matches(of: #/event: started\ndata: \{"identifier":"([^"]*)"/#).map { String($0.1) }
    }

    /// Sends a request without waiting for the answer, and waits until it is in the queue.
    private func ask(
        _ service: Service, _ identifier: String, _ query: String = "", _ headers: [String: String] = [:]
    ) throws -> Client {
        let client = try Client(service.socket)
        let before = try waiting(service, headers)
        try client.send(
            "POST", "/v1/images?identifier=\(identifier)\(query)",
            headers.merging(["Content-Type": "text/html", "Connection": "close"]) { own, _ in own },
            "<p>\(identifier)")
        #expect(try eventually { try waiting(service, headers) == before + 1 })
        return client
    }

    private func waiting(_ service: Service, _ headers: [String: String]) throws -> Int {
        let text = try service.ask("GET", "/metrics", headers).text
        let line = text.split(separator: "\n").first { $0.hasPrefix("offstage_drawings_waiting ") }
        return line.flatMap { $0.split(separator: " ").last }.flatMap { Int($0) } ?? -1
    }

    private func bearer(_ token: String) -> [String: String] { ["Authorization": "Bearer \(token)"] }

    @Test func eachTokenHasItsTurnsAndItsHighestPriority() throws {
        try withFolder { folder in
            try folder.write(
                "tokens",
                """
                # word, name, what it may have
                \(Self.bulk) bulk share=2
                \(Self.page) rights=all
                \(Self.slow) reports priority=low

                """)
            chmod(folder.path("tokens"), 0o600)
            let service = try Service(["--token-file", "tokens"], in: folder)
            let events = try Client(service.socket)
            try events.send("GET", "/v1/events", bearer(Self.page), nil)
            _ = events.text(until: "retry: 2000")
            let lease = try service.ask("POST", "/v1/suspensions", bearer(Self.page))
            let place = try #require(lease.headers["location"])
            var clients = [try ask(service, "slow", "&priority=very-high", bearer(Self.slow))]
            for number in 1...6 { clients.append(try ask(service, "bulk\(number)", "", bearer(Self.bulk))) }
            for number in 1...2 { clients.append(try ask(service, "page\(number)", "", bearer(Self.page))) }
            #expect(try service.ask("DELETE", place, bearer(Self.page)).status == 204)
            #expect(
                started(events, 9) == [
                    "bulk1", "page1", "bulk2", "bulk3", "page2", "bulk4", "bulk5", "bulk6", "slow",
                ])
            for client in clients { #expect(try client.answer().status == 200) }
        }
    }

    /// Each process gets one fair share, however many connections it has.
    @Test func withoutTokensEachProcessAtTheSocketHasItsTurns() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            let events = try Client(service.socket)
            try events.send("GET", "/v1/events", [:], nil)
            _ = events.text(until: "retry: 2000")
            let lease = try service.ask("POST", "/v1/suspensions")
            let place = try #require(lease.headers["location"])
            let clients = try (1...5).map { try ask(service, "bulk\($0)") }
            let other = try Child(
                [
                    "/usr/bin/curl", "-s", "--unix-socket", "s", "-H", "Content-Type: text/html", "-d", "<p>other",
                    "-o",
                    "other.png", "http://localhost/v1/images?identifier=other",
                ], folder: folder.path)
            #expect(try eventually { try waiting(service, [:]) == 6 })
            #expect(try service.ask("DELETE", place).status == 204)
            #expect(started(events, 6).prefix(2) == ["bulk1", "other"])
            for client in clients { #expect(try client.answer().status == 200) }
            #expect(try other.wait().code == 0)
        }
    }

    @Test(arguments: [
        ("short", "line 1 of tokens has no token"), ("", "tokens has no token"),
        ("0123456789abcdef share=0", "line 1 of tokens: share takes a whole number from 1 to 1000, not '0'"),
        ("0123456789abcdef priority=top", "line 1 of tokens: priority takes very-low, low, normal"),
        (
            "0123456789abcdef color=red",
            "line 1 of tokens: after a token, only a name, priority=…, share=…, rights=… and prefix=… are allowed"
        ),
        ("# a\n0123456789abcdef\n0123456789abcdef b", "line 3 of tokens has the token of an earlier line"),
    ])
    func aFileOfTokensThatIsWrong(text: String, message: String) throws {
        try withFolder { folder in
            try folder.write("tokens", text)
            chmod(folder.path("tokens"), 0o600)
            let outcome = try Offstage.run("serve", "--socket", "s", "--token-file", "tokens", in: folder)
            #expect(outcome.code == 2)
            #expect(outcome.error.contains(message), "\(outcome.error)")
            #expect(!outcome.error.contains("0123456789abcdef"))
        }
    }
}
