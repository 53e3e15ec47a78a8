import Foundation
import Testing

/// `/v1/images/{identifier}`: pictures that clients put and get.
@Suite struct ServeIdentifierTests {
    private let html = ["Content-Type": "text/html"]

    @Test func putGetAndDelete() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            let path = "/v1/images/chat/12%20%C3%A4"
            #expect(try service.ask("GET", path).status == 404)
            let put = try service.ask("PUT", path + "?width=100", html, row())
            #expect(put.status == 201)
            #expect(put.headers["location"] == path)
            #expect(put.object["identifier"] as? String == "chat/12 ä")
            #expect(put.object["width"] as? Int == 100)
            let got = try service.ask("GET", path)
            #expect(got.status == 200)
            #expect(try got.picture.size == [100, 40])
            #expect(got.headers["etag"] == put.headers["etag"])
            #expect(got.headers["cache-control"] == "private, no-cache")
            #expect(
                got.headers["content-disposition"]
                    == "inline; filename=\"12 _.png\"; filename*=UTF-8''12%20%C3%A4.png")
            let head = try service.ask("HEAD", path)
            #expect(head.status == 200)
            #expect(head.headers["content-length"] == "\(got.body.count)")
            #expect(head.headers["etag"] == got.headers["etag"])
            #expect(head.body.isEmpty)
            // Characters that change the direction of text are escaped.
            let turned = try service.ask("PUT", "/v1/images/q%E2%80%AErs", html, row())
            #expect(String(decoding: turned.body, as: UTF8.self).contains(#""identifier":"q\u202ers""#))
            #expect(!(try service.ask("GET", "/").text.unicodeScalars.contains("\u{202E}")))
            // Another picture can replace it, even in another format.
            let other = try service.ask("PUT", path + "?width=100&format=webp", html, row("lime"))
            #expect(other.status == 200)
            #expect(other.headers["etag"] != put.headers["etag"])
            let now = try service.ask("GET", path)
            #expect(now.headers["content-type"] == "image/webp")
            #expect(now.headers["etag"] == other.headers["etag"])
            #expect(try service.ask("DELETE", path).status == 204)
            #expect(try service.ask("DELETE", path).status == 404)
            #expect(try service.ask("GET", path).status == 404)
        }
    }

    /// A drawing whose request names the same identifier is separate, both before and after the PUT.
    @Test func drawingsAreNotReturned() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            #expect(try service.draw(row(), "identifier=a").status == 200)
            #expect(try service.ask("GET", "/v1/images/a").status == 404)
            let put = try service.ask("PUT", "/v1/images/a", html, row("lime"))
            #expect(put.status == 201)
            #expect(try service.draw(row("blue"), "identifier=a").status == 200)
            let got = try service.ask("GET", "/v1/images/a")
            #expect(got.headers["etag"] == put.headers["etag"])
            #expect(try got.picture.count(of: [0, 255, 0, 255]) == 400 * 40)
        }
    }

    @Test func conditions() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            func ask(_ method: String, _ headers: [String: String], _ body: String? = nil) throws -> Int {
                try service.ask(method, "/v1/images/a", html.merging(headers) { $1 }, body).status
            }
            #expect(try ask("PUT", ["If-Match": "*"], row()) == 412)
            #expect(try ask("PUT", ["If-None-Match": "*"], row()) == 201)
            #expect(try ask("PUT", ["If-None-Match": "*"], row("lime")) == 412)
            let tag = try #require(try service.ask("GET", "/v1/images/a").headers["etag"])
            let same = try service.ask("GET", "/v1/images/a", ["If-None-Match": "\"x\", W/\(tag)"])
            #expect(same.status == 304)
            #expect(same.body.isEmpty)
            #expect(same.headers["etag"] == tag)
            #expect(same.headers["content-length"] == nil)
            #expect(try ask("HEAD", ["If-None-Match": tag]) == 304)
            #expect(try ask("GET", ["If-None-Match": "\"x\""]) == 200)
            #expect(try ask("GET", ["If-Match": "\"x\""]) == 412)
            // A weak tag is not sufficient for a change.
            #expect(try ask("PUT", ["If-Match": "W/\(tag)"], row("lime")) == 412)
            #expect(try ask("PUT", ["If-Match": tag], row("lime")) == 200)
            #expect(try ask("DELETE", ["If-Match": tag]) == 412)
            #expect(try ask("GET", ["If-None-Match": tag]) == 200)
        }
    }

    /// Of several simultaneous conditional requests, only the first one finds no picture and succeeds.
    @Test func aConditionHoldsUntilThePictureIsThere() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            for round in 0..<5 {
                let path = "/v1/images/\(round)"
                // All requests wait for one drawing, so that they continue at the same time.
                let lease = try service.ask(
                    "POST", "/v1/suspensions", ["Content-Type": "application/json"], #"{"seconds": 600}"#)
                let headers = html.merging(["If-None-Match": "*", "Connection": "close"]) { $1 }
                let clients = try (0..<8).map { _ in
                    let client = try Client(service.socket)
                    try client.send("PUT", path, headers, row("rgb(\(round),0,0)"))
                    return client
                }
                #expect(try eventually { try service.metric("http_requests_in_progress") ?? 0 >= 8 })
                let id = try #require(lease.object["identifier"] as? String)
                #expect(try service.ask("DELETE", "/v1/suspensions/\(id)").status == 204)
                let statuses = try clients.map { try $0.answer().status }.sorted()
                #expect(statuses == [201] + Array(repeating: 412, count: 7))

                let tag = try #require(try service.ask("GET", path).headers["etag"])
                let removals = try (0..<8).map { _ in
                    let client = try Client(service.socket)
                    try client.send("DELETE", path, ["If-Match": tag, "Connection": "close"], nil)
                    return client
                }
                // Only the first request removes the picture; the others find none.
                let removed = try removals.map { try $0.answer().status }.sorted()
                #expect(removed == [204] + Array(repeating: 412, count: 7))
            }
        }
    }

    /// The tag depends on the bytes: if a document's file changes, the tag changes.
    @Test func theTagKnowsTheFilesBesideTheDocument() throws {
        try withFolder { folder in
            try folder.write("files/a.css", "body { margin: 0; height: 20px; background: red }")
            let service = try Service(["--files", "files"], in: folder)
            let document = "<link rel=stylesheet href=a.css>"
            let first = try service.draw(document)
            #expect(try first.picture.count(of: [255, 0, 0, 255]) == 400 * 20)
            try folder.write("files/a.css", "body { margin: 0; height: 20px; background: lime }")
            let second = try service.draw(document)
            #expect(try second.picture.count(of: [0, 255, 0, 255]) == 400 * 20)
            #expect(second.headers["etag"] != first.headers["etag"])
        }
    }

    @Test func whatWasPutIsThereAfterAKill() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            for index in 1...20 {
                #expect(try service.ask("PUT", "/v1/images/\(index)", html, row("rgb(\(index),0,0)")).status == 201)
                if index == 20 { kill(service.child.id, SIGKILL) }
            }
            _ = try service.child.wait()
            // The socket's file still exists, but nobody listens.
            let next = try Service(in: folder)
            for index in 1...20 {
                let answer = try next.ask("GET", "/v1/images/\(index)")
                #expect(answer.status == 200)
                #expect(try answer.picture.count(of: [UInt8(index), 0, 0, 255]) == 400 * 40)
            }
            // No drawing was needed for these answers.
            #expect(try next.metric("web_process_restarts_total") == 0)
            #expect(ProcessTable.descendants(of: next.child.id).isEmpty)
        }
    }
}
