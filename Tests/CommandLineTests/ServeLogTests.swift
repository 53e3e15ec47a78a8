import Foundation
import Testing

/// The access log contains each request, its client and its status, but no text from a client.
@Suite struct ServeLogTests {
    private static let secret = "sesam"

    /// Requests of every kind with something secret in every part. Returns the log lines for them.
    private func lines(_ options: [String], _ ask: (Service) throws -> Void) throws -> [String] {
        try withFolder { folder in
            try Tokens.write(["painter rights=all", "no"], in: folder)
            let service = try Service(["--token-file", "tokens"] + options, in: folder)
            try ask(service)
            let outcome = try service.stop()
            #expect(outcome.code == 0)
            #expect(!outcome.error.contains(Self.secret), "\(outcome.error)")
            #expect(!outcome.error.contains("token-of"), "\(outcome.error)")
            return outcome.errorLines.filter { $0.contains(#/\d{4}-\d\d-\d\dT\d\d:/#) }
        }
    }

    private func askForEverything(_ service: Service) throws {
        let headers = Tokens.header("painter").merging(["Content-Type": "text/html", "User-Agent": Self.secret]) { $1 }
        #expect(try service.draw(row(), "identifier=\(Self.secret)", headers).status == 200)
        #expect(try service.draw(row(), "identifier=\(Self.secret)", headers).status == 200)
        #expect(try service.ask("PUT", "/v1/images/\(Self.secret)", headers, row()).status == 201)
        #expect(try service.ask("GET", "/v1/images/\(Self.secret)", headers).status == 200)
        #expect(try service.ask("DELETE", "/v1/images/\(Self.secret)", headers).status == 204)
        #expect(try service.ask("GET", "/v1/peaks/\(Self.secret)", headers).status == 404)
        #expect(try service.draw(row("#abcdef"), "identifier=\(Self.secret)&width=0", headers).status == 422)
        #expect(try service.ask("POST", "/v1/prefetch?identifier=\(Self.secret)", headers, row("navy")).status == 202)
        let lines =
            #"{"identifier": "\#(Self.secret)", "html": "<p>\#(Self.secret)", "nothing": "\#(Self.secret)"}"# + "\n"
        let batch = headers.merging(["Content-Type": "application/jsonl"]) { $1 }
        #expect(try service.ask("POST", "/v1/batch", batch, lines).status == 200)
        #expect(try service.ask("GET", "/\(Self.secret)?\(Self.secret)", headers).status == 404)
        #expect(try service.ask("GET", "/healthz?\(Self.secret)", [:]).status == 200)
        #expect(try service.ask(Self.secret, "/metrics", headers).status == 405)
        #expect(try service.ask("GET", "/metrics", ["Authorization": "Bearer \(Self.secret)"]).status == 401)
        let malformed = try Client(service.socket)
        try malformed.write("GET /\(Self.secret)\u{01} HTTP/1.1\r\n\r\n")
        #expect(try malformed.answer().status == 400)
    }

    private static let expected: [(client: String?, method: String, route: String, status: Int, how: String?)] = [
        ("painter", "POST", "/v1/images", 200, "drawn"), ("painter", "POST", "/v1/images", 200, "kept"),
        ("painter", "PUT", "/v1/images/{identifier}", 201, "kept"),
        ("painter", "GET", "/v1/images/{identifier}", 200, "kept"),
        ("painter", "DELETE", "/v1/images/{identifier}", 204, nil),
        ("painter", "GET", "/v1/peaks/{identifier}", 404, nil), ("painter", "POST", "/v1/images", 422, nil),
        ("painter", "POST", "/v1/prefetch", 202, nil), ("painter", "POST", "/v1/batch", 200, nil),
        ("painter", "GET", "-", 404, nil),
        (nil, "GET", "/healthz", 200, nil), ("painter", "-", "-", 405, nil), (nil, "GET", "/metrics", 401, nil),
        (nil, "-", "-", 400, nil),
    ]

    @Test func linesForPeople() throws {
        let lines = try lines([]) { try askForEverything($0) }
        try #require(lines.count == Self.expected.count, "\(lines.joined(separator: "\n"))")
        for (index, (line, expected)) in zip(lines, Self.expected).enumerated() {
            let parts = try #require(
                line.wholeMatch(
                    of:
                        #/(?:offstage: )?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\S+) (\d+) (\S+) (\S+) (\d+|-) (\d+) (\d+\.\d) ms (\S+)/#
                ), "\(line)")
            #expect(parts.2 == expected.client ?? "-", "\(line)")
            #expect(parts.3 == "\(index + 1)", "\(line)")
            #expect(parts.4 == expected.method, "\(line)")
            #expect(parts.5 == expected.route, "\(line)")
            #expect(parts.6 == "\(expected.status)", "\(line)")
            #expect((Int(parts.7) ?? -1) >= 0)
            if expected.status == 200 { #expect(parts.7 != "0", "\(line)") }
            if expected.route.contains("images") { #expect(parts.9 == expected.how ?? "-", "\(line)") }
        }
    }

    @Test func linesForPrograms() throws {
        let lines = try lines(["--access-log", "json"]) { try askForEverything($0) }
        let objects = try lines.filter { $0.hasPrefix("{") }.map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
        }
        try #require(objects.count == Self.expected.count, "\(lines.joined(separator: "\n"))")
        let names: Set = ["time", "client", "request", "method", "route", "status", "bytes", "milliseconds", "answer"]
        for (index, (object, expected)) in zip(objects, Self.expected).enumerated() {
            #expect(names.isSuperset(of: object.keys), "\(object)")
            #expect((object["time"] as? String)?.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/#) != nil)
            #expect(object["client"] as? String == expected.client, "\(object)")
            #expect(object["request"] as? Int == index + 1)
            #expect(object["method"] as? String == expected.method, "\(object)")
            #expect(object["route"] as? String == expected.route, "\(object)")
            #expect(object["status"] as? Int == expected.status, "\(object)")
            #expect(object["bytes"] as? Int != nil)
            #expect(object["milliseconds"] as? Double != nil)
        }
    }

    /// Names and text cannot imitate other log lines, and a client that leaves has no status.
    @Test func clientsThatLeave() throws {
        for format in ["text", "json"] {
            let lines = try lines(["--access-log", format]) { service in
                let headers = Tokens.header("painter").merging(["Content-Type": "text/html"]) { $1 }
                #expect(
                    try service.ask("POST", "/v1/suspensions", headers.filter { $0.key != "Content-Type" }).status
                        == 201)
                let client = try Client(service.socket)
                try client.send("POST", "/v1/images", headers, row())
                #expect(try eventually { try service.metric("drawings_waiting", Tokens.of("painter")) == 1 })
                client.close()
                #expect(try eventually { try service.metric("drawings_waiting", Tokens.of("painter")) == 0 })
            }
            let line = try #require(lines.first { $0.contains("/v1/images") && $0.contains("POST") }, "\(lines)")
            if format == "text" {
                #expect(line.contains(#/ painter \d+ POST /v1/images - 0 /#), "\(line)")
            } else {
                #expect(!line.contains("status") && line.contains(#""bytes":0"#), "\(line)")
            }
        }
    }
}
