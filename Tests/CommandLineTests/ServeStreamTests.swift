import Foundation
import Testing

/// Streams, which are `/v1/batch` and `/v1/events`, and the service's reports.
@Suite struct ServeStreamTests {
    @Test func aBatchIsAnsweredWhileItIsSent() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            let client = try Client(service.socket)
            try client.send(
                "POST", "/v1/batch?ordered=true",
                ["Content-Type": "application/jsonl", "Transfer-Encoding": "chunked"], nil)
            func send(_ line: String) throws {
                let data = line + "\n"
                try client.write("\(String(data.utf8.count, radix: 16))\r\n\(data)\r\n")
            }
            try send(#"{"id": 1, "html": "<p>one", "inline": true}"#)
            // The answer arrives before the request has ended.
            #expect(client.text(until: #""id":1,"#).contains("HTTP/1.1 200 OK"))
            try send(#"{"id": 2, "html": ""}"#)
            try send("nonsense")
            try send(#"{"id": 4, "file": "/etc/passwd"}"#)
            try send(#"{"id": 5, "html": "<p>x", "javascript": true}"#)
            try send(#"{"id": 6, "command": "stats"}"#)
            try client.write("0\r\n\r\n")
            let answer = try client.answer()
            #expect(answer.headers["content-type"] == "application/jsonl")
            let lines = try Outcome(code: 0, output: answer.body, error: "").objects
            #expect(lines.map { $0["status"] as? String } == ["drawn", "failed", "failed", "failed", "failed", "done"])
            let data = try #require(lines[0]["data"] as? String)
            #expect(try Picture(#require(Data(base64Encoded: data))).width == 400)
            #expect((lines[3]["error"] as? String)?.contains("names a file") == true)
            #expect((lines[4]["error"] as? String)?.contains("--allow-javascript") == true)
            // When the connection ends, so does the batch: the bytes after it belong to no request.
            #expect(try service.ask("GET", "/healthz").status == 200)
        }
    }

    @Test func aBatchWhoseClientLeavesIsWithdrawn() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            #expect(try service.ask("POST", "/v1/suspensions").status == 201)
            let client = try Client(service.socket)
            try client.send(
                "POST", "/v1/batch", ["Content-Type": "application/jsonl", "Transfer-Encoding": "chunked"], nil)
            try client.write("15\r\n{\"html\": \"<p>hello\"}\n\r\n")
            #expect(try eventually { try service.metric("drawings_waiting") == 1 })
            client.close()
            #expect(try eventually { try service.metric("drawings_waiting") == 0 })
        }
    }

    @Test func eventsTellWhatHappens() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            let client = try Client(service.socket)
            try client.send("GET", "/v1/events", [:], nil)
            #expect(client.text(until: "retry: 2000\n\n").contains("Content-Type: text/event-stream"))
            #expect(try service.draw(row(), "identifier=a").status == 200)
            let text = client.text(until: "event: stored")
            for kind in ["submitted", "started", "drawn", "encoded", "stored"] {
                #expect(text.contains("event: \(kind)\ndata: {\"identifier\":\"a\",\"kind\":\"\(kind)\""), "\(kind)")
            }
            #expect(try service.draw(row(), "identifier=a").status == 200)
            #expect(client.text(until: "event: hit-in-memory").contains("event: hit-in-memory"))
            // An open stream does not delay the service's end.
            #expect(try service.stop().code == 0)
            #expect(client.isEnded)
        }
    }

    @Test func prefetchedPicturesAreKept() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            let answer = try service.ask("POST", "/v1/prefetch?width=99", ["Content-Type": "text/html"], row())
            #expect(answer.status == 202)
            #expect(
                try eventually {
                    try service.ask("GET", "/metrics").text.contains("offstage_events_total{kind=\"stored\"} 1\n")
                })
            #expect(try service.draw(row(), "width=99").picture.width == 99)
            #expect(try service.ask("GET", "/metrics").text.contains("offstage_events_total{kind=\"drawn\"} 1\n"))
        }
    }

    @Test func metricsAreWellFormed() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            #expect(try service.draw(row()).status == 200)
            let answer = try service.ask("GET", "/metrics")
            #expect(answer.headers["content-type"] == "text/plain; version=0.0.4")
            #expect(
                answer.text.contains(
                    "offstage_http_requests_total{method=\"POST\",route=\"/v1/images\",status=\"200\"} 1\n"))
            let check = try Child(["/usr/bin/promtool", "check", "metrics"], stdin: answer.body, folder: folder.path)
            let outcome = try check.wait()
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(try service.ask("GET", "/readyz").text == "ready\n")
        }
    }

    /// The program itself draws the page, without scripts and without loading anything, so the page must work like
    /// that.
    @Test func theStatusPage() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            #expect(
                try service.draw("<style>body{margin:0;background:#0f8}</style><br>", "identifier=%3Cb%3E").status
                    == 200)
            let page = try service.ask("GET", "/")
            #expect(page.headers["content-type"] == "text/html; charset=utf-8")
            #expect(page.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
            #expect(page.text.contains("<p>&lt;b><br>400"))
            #expect(!page.text.contains("<script"))
            #expect(page.text.contains("Suspend for a minute"))
            try folder.write("status.html", page.body)
            let outcome = try Offstage.run(
                "render", "status.html", "-o", "status.png", "--strict", "--width", "800", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(try folder.picture("status.png").count(of: [0, 255, 136, 255]) > 1000)
            // The form's button, as a browser submits it.
            let form = ["Content-Type": "application/x-www-form-urlencoded", "Origin": "http://localhost"]
            #expect(try service.ask("POST", "/v1/suspensions", form, "").headers["location"] == "/")
            #expect(try service.metric("suspended") == 1)
            #expect(try service.ask("GET", "/").text.contains("Resume"))
            #expect(try service.ask("POST", "/v1/suspensions/end", form, "").status == 303)
            #expect(try service.metric("suspended") == 0)
        }
    }
}
