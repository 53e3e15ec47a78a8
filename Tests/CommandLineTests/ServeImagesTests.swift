import Foundation
import Testing

/// `POST /v1/images` draws a picture of a document.
@Suite struct ServeImagesTests {
    @Test func aPictureIsTheCommandLines() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            let html = "<h1>Grüße</h1><p style='color:teal'>ok"
            let first = try service.draw(html, "width=320&scale=2")
            #expect(first.status == 200)
            #expect(first.headers["content-type"] == "image/png")
            #expect(first.headers["offstage-scale"] == "2")
            #expect(first.headers["offstage-warnings"] == "0")
            #expect(first.headers["offstage-size"] == "640x\(try first.picture.height)")
            #expect(first.headers["etag"]?.wholeMatch(of: /"[0-9a-f]{64}"/) != nil)
            try folder.write("a.html", html)
            #expect(
                try Offstage.run("render", "a.html", "-o", "a.png", "--width", "320", "--scale", "2", in: folder).code
                    == 0)
            #expect(first.body == (try folder.data("a.png")))
            // The answer is cached and identical, also for a JSON request.
            let second = try service.draw(html, "width=320&scale=2")
            let body = #"{"html": "<h1>Grüße</h1><p style='color:teal'>ok", "width": 320, "scale": 2}"#
            let third = try service.ask("POST", "/v1/images", ["Content-Type": "application/json"], body)
            for again in [second, third] {
                #expect(again.body == first.body)
                #expect(again.headers["etag"] == first.headers["etag"])
            }
            let outcome = try service.stop()
            #expect(outcome.code == 0)
            let lines = outcome.errorLines.filter { $0.contains(" POST ") }.map {
                $0.replacing(#/^.*? - [0-9]+ /#, with: "").replacing(/[0-9.]+ ms/, with: "t")
            }
            let bytes = first.body.count
            #expect(
                lines == [
                    "POST /v1/images 200 \(bytes) t drawn", "POST /v1/images 200 \(bytes) t kept",
                    "POST /v1/images 200 \(bytes) t kept",
                ])
        }
    }

    @Test func theFormatIsWhatTheClientTakes() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            func type(_ query: String, _ accept: String?) throws -> String? {
                try service.draw(row(), query, accept.map { ["Accept": $0] } ?? [:]).headers["content-type"]
            }
            #expect(try type("", nil) == "image/png")
            #expect(try type("", "*/*") == "image/png")
            #expect(try type("", "image/webp") == "image/webp")
            #expect(try type("", "text/html, image/*;q=0.5") == "image/png")
            #expect(try type("", "image/png;q=0.1, image/jpeg") == "image/jpeg")
            #expect(try type("", "image/png;q=0, image/*;q=0.2, */*;q=0.1") == "image/jpeg")
            // The request's own values take precedence.
            #expect(try type("format=jpeg:quality=60", "image/webp") == "image/jpeg")
            #expect(try type("format=raw", nil) == "application/octet-stream")
            #expect(try type("", "application/pdf, image/png;q=0.5") == "application/pdf")
            #expect(try type("", "image/svg+xml") == "image/svg+xml")
            let refused = try service.draw(row(), "", ["Accept": "text/html"])
            #expect(refused.status == 406)
            #expect(refused.code == "not-acceptable")
            for type in ["image/png", "image/jpeg", "image/webp", "application/pdf", "image/svg+xml"] {
                #expect(refused.text.contains(type), "the answer does not name \(type)")
            }
        }
    }

    @Test func whatIsMissingIsToldInAHeader() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            let html = row() + "<img src=a.png width=9><img src=b.png width=9>"
            let answer = try service.draw(html)
            #expect(answer.status == 200)
            #expect(answer.headers["offstage-warnings"] == "2; resource-missing")
            let strict = try service.draw(html, "strict")
            #expect(strict.status == 422)
            #expect(strict.code == "incomplete")
            #expect((strict.object["warnings"] as? [[String: Any]])?.count == 2)
        }
    }

    private struct Case {
        var method = "POST"
        var path = "/v1/images"
        var type: String? = "text/html"
        var body: String? = "<p>x"
        var headers: [String: String] = [:]
        var status: Int
        var code: String
    }

    /// Each is refused with a problem document (RFC 9457), and the service continues.
    @Test func whatIsWrongIsAProblem() throws {
        let cases = [
            Case(path: "/", status: 405, code: "method-not-allowed"),
            Case(path: "/v2/images", status: 404, code: "no-such-resource"),
            Case(method: "GET", body: nil, status: 405, code: "method-not-allowed"),
            Case(method: "BREW", body: nil, status: 405, code: "method-not-allowed"),
            Case(type: "text/plain", status: 415, code: "unsupported-body"),
            Case(type: nil, status: 415, code: "unsupported-body"),
            Case(type: "text/html; charset=klingon", status: 415, code: "unsupported-charset"),
            Case(headers: ["Content-Encoding": "gzip"], status: 415, code: "unsupported-encoding"),
            Case(body: "", status: 422, code: "unusable-document"),
            Case(path: "/v1/images?width=-1", status: 422, code: "invalid-request"),
            Case(path: "/v1/images?widht=1", status: 400, code: "invalid-query"),
            Case(path: "/v1/images?width=1&width=2", status: 400, code: "invalid-query"),
            Case(path: "/v1/images?trim=perhaps", status: 400, code: "invalid-query"),
            Case(path: "/v1/images?also=webp", status: 422, code: "several-files"),
            Case(path: "/v1/images?selector=b", status: 422, code: "nothing-matches"),
            Case(path: "/v1/images?priority=soon", status: 422, code: "invalid-request"),
            Case(path: "/v1/images?css=/etc/passwd", status: 403, code: "files-not-allowed"),
            Case(path: "/v1/images?base=/", status: 403, code: "files-not-allowed"),
            Case(path: "/v1/images?javascript", status: 403, code: "scripts-not-allowed"),
            Case(path: "/v1/images?identifier=../x", status: 422, code: "invalid-request"),
            Case(type: "application/json", body: "{", status: 400, code: "invalid-body"),
            Case(type: "application/json", body: "[]", status: 400, code: "invalid-body"),
            Case(type: "application/json", body: "{}", status: 422, code: "invalid-request"),
            Case(type: "application/json", body: #"{"file": "/etc/passwd"}"#, status: 403, code: "files-not-allowed"),
            Case(type: "application/json", body: #"{"html": 1}"#, status: 422, code: "invalid-request"),
            Case(path: "/v1/images?max-elements=1", status: 400, code: "invalid-query"),
            Case(path: "/v1/images?allow-host=example.org", status: 400, code: "invalid-query"),
            Case(headers: ["Origin": "http://evil.example"], status: 403, code: "foreign-origin"),
            Case(headers: ["Sec-Fetch-Site": "cross-site"], status: 403, code: "foreign-origin"),
            Case(headers: ["Sec-Fetch-Site": "Cross-Site"], status: 403, code: "foreign-origin"),
            Case(headers: ["Sec-Fetch-Site": "elsewhere"], status: 403, code: "foreign-origin"),
            Case(method: "PUT", path: "/v1/images/a//b", status: 400, code: "invalid-identifier"),
            Case(method: "PUT", path: "/v1/images/a%00b", status: 400, code: "invalid-identifier"),
            Case(method: "PUT", path: "/v1/images/a%FF", status: 400, code: "invalid-path"),
            Case(method: "DELETE", path: "/v1/suspensions/1", body: nil, status: 404, code: "no-such-suspension"),
        ]
        try withFolder { folder in
            let service = try Service(["--max-elements", "1000"], in: folder)
            for one in cases {
                var headers = one.headers
                headers["Content-Type"] = one.type
                let answer = try service.ask(one.method, one.path, headers, one.body)
                let what = "\(one.method) \(one.path) \(one.body ?? "")"
                #expect(answer.status == one.status, "\(what): \(answer.text)")
                #expect(answer.code == one.code, "\(what): \(answer.text)")
                #expect(answer.headers["content-type"] == "application/problem+json", "\(what)")
                #expect(answer.object["status"] as? Int == one.status)
                #expect((answer.object["detail"] as? String)?.isEmpty == false)
            }
            let limit = try service.draw(String(repeating: "<b>", count: 1100) + "x")
            #expect(limit.status == 422)
            #expect(limit.code == "max-elements")
            #expect(try service.draw(row()).status == 200)
        }
    }

    @Test func filesOnlyBelowTheirFolder() throws {
        try withFolder { folder in
            try folder.write("files/row.html", row("lime"))
            try folder.write("files/a.css", "div { background: blue !important }")
            try folder.write("secret.html", row())
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("files/link.html"), withDestinationPath: "../secret.html")
            let service = try Service(["--files", "files"], in: folder)
            func ask(_ object: String) throws -> Answer {
                try service.ask("POST", "/v1/images", ["Content-Type": "application/json"], object)
            }
            #expect(try ask(#"{"file": "row.html"}"#).picture.count(of: [0, 255, 0, 255]) == 400 * 40)
            #expect(try ask(#"{"file": "row.html", "css": "a.css"}"#).picture.count(of: [0, 0, 255, 255]) == 400 * 40)
            for path in ["../secret.html", "link.html", folder.path("secret.html"), "../nothing.html", "/nothing"] {
                let answer = try ask("{\"file\": \"\(path)\"}")
                #expect(answer.status == 403, "\(path)")
                #expect(answer.code == "files-not-allowed")
            }
            #expect(try ask(#"{"file": "nothing.html"}"#).status == 422)
        }
    }
}
