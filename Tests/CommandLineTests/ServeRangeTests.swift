import Foundation
import Testing

/// The service does not support ranges: a request for a range gets the whole picture (RFC 9110, 14.2).
@Suite struct ServeRangeTests {
    private static let ranges = [
        "bytes=0-0", "bytes=5-", "bytes=-3", "bytes=-99999999999999999999", "bytes=99999999999999999999-",
        "bytes=0-1,5-6,-1", "bytes=" + Array(repeating: "0-", count: 1000).joined(separator: ","), "bytes=9-2",
        "bytes=",
        "rows=1-2", "nonsense",
    ]

    @Test func theWholeIsAnswered() throws {
        try withFolder { folder in
            let service = try Service(["--max-body", "1000"], in: folder)
            let html = ["Content-Type": "text/html"]
            // 680 bytes, and 3 MB.
            #expect(try service.ask("PUT", "/v1/images/small", html, row()).status == 201)
            let large = "/v1/images/large?format=raw&width=1000&height=800"
            #expect(try service.ask("PUT", large, html, row("teal")).status == 201)
            for path in ["/v1/images/small", "/v1/images/large", "/v1/images/none", "/v1/none", "/healthz"] {
                let whole = try service.ask("GET", path)
                let conditions = [nil, whole.headers["etag"], "\"other\"", whole.headers["last-modified"]]
                for range in Self.ranges {
                    for condition in path == "/v1/images/small" ? conditions : Array(conditions.prefix(2)) {
                        var headers = ["Range": range]
                        headers["If-Range"] = condition
                        let answer = try service.ask("GET", path, headers)
                        #expect(answer.status == whole.status, "\(path) \(range)")
                        #expect(answer.body == whole.body, "\(path) \(range)")
                        expectNoRanges(answer, path)
                    }
                }
            }
        }
    }

    @Test func metricsDrawingsAndRefusalsAreWhole() throws {
        try withFolder { folder in
            let service = try Service(["--max-body", "1000"], in: folder)
            let whole = try service.draw(row())
            #expect(whole.status == 200)
            for range in Self.ranges {
                let metrics = try service.ask("GET", "/metrics", ["Range": range])
                #expect(metrics.status == 200)
                #expect(metrics.headers["content-length"] == "\(metrics.body.count)")
                #expect(metrics.text.hasPrefix("# HELP ") && metrics.text.hasSuffix("\n"))
                let drawn = try service.draw(row(), "", ["Range": range])
                #expect(drawn.status == 200 && drawn.body == whole.body)
                let tooLarge = try service.draw(String(repeating: "x", count: 2000), "", ["Range": range])
                #expect(tooLarge.status == 413 && tooLarge.code == "body-too-large")
                let head = try service.ask("HEAD", "/metrics", ["Range": range])
                #expect(head.status == 200 && head.body.isEmpty)
                for answer in [metrics, drawn, tooLarge, head] { expectNoRanges(answer, range) }
            }
        }
    }

    private func expectNoRanges(_ answer: Answer, _ what: String) {
        #expect(answer.headers["content-range"] == nil, "\(what)")
        #expect(answer.headers["accept-ranges"].map { $0 == "none" } ?? true, "\(what)")
        #expect(answer.headers["content-type"]?.contains("multipart") != true, "\(what)")
    }
}
