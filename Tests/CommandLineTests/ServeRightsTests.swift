import Foundation
import Testing

/// The rights of a service's clients, from their lines in the token file.
@Suite struct ServeRightsTests {
    private func withService(_ lines: [String], _ body: (Service) throws -> Void) throws {
        try withFolder { folder in
            try Tokens.write(lines, in: folder)
            try body(Service(["--token-file", "tokens"], in: folder))
        }
    }

    private let html = ["Content-Type": "text/html"]

    /// For each kind of request, a client that may send it and one that may not.
    private struct Attempt {
        let method: String
        let path: String
        var body: String?
        /// The status of the answer to a client that has the right.
        let status: Int
        /// The right that the request needs.
        let right: String
    }

    private static let attempts = [
        Attempt(method: "POST", path: "/v1/images", body: row(), status: 200, right: "draw"),
        Attempt(method: "POST", path: "/v1/prefetch", body: row(), status: 202, right: "draw"),
        Attempt(method: "GET", path: "/v1/images/none", status: 404, right: "draw"),
        Attempt(method: "HEAD", path: "/v1/images/none", status: 404, right: "draw"),
        Attempt(method: "GET", path: "/v1/peaks/none", status: 404, right: "draw"),
        Attempt(method: "POST", path: "/v1/batch", body: "", status: 415, right: "draw"),
        Attempt(method: "PUT", path: "/v1/images/own", body: row(), status: 201, right: "put"),
        Attempt(method: "DELETE", path: "/v1/images/own", status: 204, right: "put"),
        Attempt(method: "GET", path: "/", status: 200, right: "events"),
        Attempt(method: "HEAD", path: "/", status: 200, right: "events"),
        Attempt(method: "HEAD", path: "/v1/events", status: 200, right: "events"),
        Attempt(method: "GET", path: "/v1/suspensions", status: 200, right: "suspend"),
        Attempt(method: "POST", path: "/v1/suspensions", status: 201, right: "suspend"),
        Attempt(method: "DELETE", path: "/v1/suspensions/none", status: 404, right: "suspend"),
        Attempt(method: "POST", path: "/v1/suspensions/end", body: "", status: 303, right: "suspend"),
        Attempt(method: "GET", path: "/metrics", status: 200, right: ""),
        Attempt(method: "GET", path: "/v1/openapi.json", status: 200, right: ""),
    ]

    /// By default, a client may draw and put pictures; other rights are granted individually.
    @Test func eachRightIsNeeded() throws {
        let clients = [
            "usual": ["draw", "put"], "one rights=draw": ["draw"], "two rights=put": ["put"],
            "three rights=events": ["events"], "four rights=suspend": ["suspend"], "five rights=delete": ["delete"],
            "all rights=all": ["draw", "put", "events", "suspend"], "six rights=draw,suspend": ["draw", "suspend"],
        ]
        try withService(Array(clients.keys)) { service in
            for (line, rights) in clients {
                let name = String(line.prefix { $0 != " " })
                for attempt in Self.attempts {
                    var headers = Tokens.header(name)
                    if attempt.body?.isEmpty == false { headers.merge(html) { $1 } }
                    let answer = try service.ask(attempt.method, attempt.path, headers, attempt.body)
                    let what = "\(line): \(attempt.method) \(attempt.path)"
                    if attempt.right.isEmpty || rights.contains(attempt.right) {
                        #expect(answer.status == attempt.status, "\(what)")
                        continue
                    }
                    #expect(answer.status == 403, "\(what)")
                    if attempt.method == "HEAD" { continue }
                    #expect(answer.code == "not-allowed", "\(what)")
                    #expect(
                        (answer.object["detail"] as? String)?.contains("rights=\(attempt.right)") == true, "\(what)")
                }
            }
            // Without a token, nobody can find out which pictures exist.
            for attempt in Self.attempts {
                #expect(try service.ask(attempt.method, attempt.path, [:], attempt.body).status == 401)
            }
        }
    }

    /// Identifiers of drawings, of lines, and of pictures that are put, replaced and removed.
    @Test func aPrefixAllowsItsIdentifiers() throws {
        try withService(["team prefix=team/"]) { service in
            let team = Tokens.header("team").merging(html) { $1 }
            #expect(try service.ask("PUT", "/v1/images/team/a", team, row()).status == 201)
            #expect(try service.ask("PUT", "/v1/images/team%2Fb", team, row()).status == 201)
            #expect(try service.ask("GET", "/v1/images/team/a", team).status == 200)
            #expect(try service.draw(row(), "identifier=team/c", team).status == 200)
            #expect(try service.draw(row("blue"), "", team).status == 200)
            for path in ["/v1/images/team", "/v1/images/Team/a", "/v1/images/other/team/a"] {
                for method in ["PUT", "GET", "DELETE"] {
                    let answer = try service.ask(method, path, team, method == "PUT" ? row() : nil)
                    #expect(answer.status == 403, "\(method) \(path)")
                    #expect(answer.code == "not-allowed")
                }
            }
            #expect(try service.draw(row(), "identifier=a", team).code == "not-allowed")
            let json = Tokens.header("team").merging(["Content-Type": "application/json"]) { $1 }
            let object = #"{"html": "<p>x", "identifier": "other/a"}"#
            #expect(try service.ask("POST", "/v1/images", json, object).code == "not-allowed")
            #expect(try service.ask("POST", "/v1/prefetch", json, object).code == "not-allowed")
            let lines = Tokens.header("team").merging(["Content-Type": "application/jsonl"]) { $1 }
            let batch = try service.ask("POST", "/v1/batch", lines, object + "\n")
            #expect(batch.text.contains(#""code":"not-allowed""#), "\(batch.text)")
        }
    }

    @Test func onlyTheOwnerChangesAPicture() throws {
        try withService(["owner", "other", "keeper rights=draw,put,delete"]) { service in
            func ask(_ method: String, _ name: String, _ client: String, _ body: String? = nil) throws -> Answer {
                try service.ask(method, "/v1/images/\(name)", Tokens.header(client).merging(html) { $1 }, body)
            }
            #expect(try ask("PUT", "a", "owner", row()).status == 201)
            for method in ["PUT", "DELETE"] {
                let answer = try ask(method, "a", "other", method == "PUT" ? row("green") : nil)
                #expect(answer.status == 403 && answer.code == "other-owner", "\(method): \(answer.text)")
            }
            #expect(try ask("GET", "a", "other").status == 200)
            #expect(try ask("PUT", "a", "owner", row("blue")).status == 200)
            #expect(try ask("PUT", "a", "keeper", row("green")).status == 200)
            #expect(try ask("DELETE", "a", "keeper").status == 204)
        }
    }

    /// The owner of a suspension is known, and an operator can end it.
    @Test func suspensionsHaveOwners() throws {
        try withService(["editor rights=draw,suspend", "painter", "operator rights=all"]) { service in
            let json = Tokens.header("editor").merging(["Content-Type": "application/json"]) { $1 }
            #expect(try service.ask("POST", "/v1/suspensions", json, #"{"seconds": 500}"#).status == 201)
            let batch = try Client(service.socket)
            try batch.sendHead(
                "POST", "/v1/batch",
                Tokens.header("editor").merging(
                    ["Content-Type": "application/jsonl", "Transfer-Encoding": "chunked"]) { $1 })
            try batch.sendChunk(#"{"id": "s", "command": "suspend", "seconds": 900}"# + "\n")
            #expect(batch.text(until: #""id":"s""#).contains(#""suspended":true"#))
            let painting = try Client(service.socket)
            try painting.send(
                "POST", "/v1/images",
                Tokens.header("painter").merging(html) { $1 }.merging(["Connection": "close"]) { $1 },
                row())
            #expect(try eventually { try service.metric("drawings_waiting", Tokens.of("operator")) == 1 })

            let listed = try service.ask("GET", "/v1/suspensions", Tokens.header("operator"))
            #expect(listed.status == 200)
            let all = try #require(listed.object["suspensions"] as? [[String: Any]])
            #expect(all.count == 2, "\(listed.text)")
            for (one, most) in zip(all, [500.0, 900]) {
                #expect((one["owner"] as? String)?.contains("editor") == true, "\(listed.text)")
                let seconds = try #require(one["seconds"] as? Double)
                #expect(seconds > 0 && seconds <= most, "\(listed.text)")
                #expect((one["identifier"] as? String)?.isEmpty == false)
            }
            #expect(try service.ask("GET", "/v1/suspensions", Tokens.header("painter")).code == "not-allowed")
            #expect(try service.ask("POST", "/v1/suspensions/end", Tokens.header("painter"), "").code == "not-allowed")
            #expect(try service.ask("POST", "/v1/suspensions/end", Tokens.header("operator"), "").status == 303)
            #expect(try painting.answer().status == 200)
            #expect(try service.metric("suspended", Tokens.of("operator")) == 0)
            #expect(try service.ask("GET", "/v1/suspensions", Tokens.header("operator")).text.contains("[]"))
        }
    }
}
