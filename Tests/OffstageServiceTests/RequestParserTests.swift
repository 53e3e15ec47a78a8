import Foundation
import Testing

@testable import OffstageService

/// A client's bytes are either requests that every program reads in the same way, or they are refused.
@Suite struct RequestParserTests {
    private struct Reading: Equatable {
        /// `METHOD path?query` from each header.
        var heads: [String] = []
        /// The complete bodies.
        var bodies: [String] = []
        /// The bytes of an incomplete body.
        var rest = ""
        var refusal: RequestParser.Refusal?
    }

    /// The parser's result for a text that arrives in pieces of a fixed size.
    private func read(_ text: String, pieces: Int = 7, limit: Int = 10) -> Reading {
        var parser = RequestParser { $0.path == "/batch" ? 1000 : limit }
        var reading = Reading()
        var body = Data()
        var left = Data(text.utf8)[...]
        while !left.isEmpty {
            Data(left.prefix(pieces)).withUnsafeBytes { parser.take($0) }
            left = left.dropFirst(pieces)
            while let part = parser.next() {
                switch part {
                case .head(let head):
                    let query = String(decoding: head.query, as: UTF8.self)
                    reading.heads.append("\(head.method) \(head.path)\(query.isEmpty ? "" : "?" + query)")
                    if case .refused(let refusal)? = parser.refuseAnnouncedLength() { reading.refusal = refusal }
                case .body(let piece): body += piece
                case .end:
                    reading.bodies.append(String(decoding: body, as: UTF8.self))
                    body = Data()
                case .refused(let refusal): reading.refusal = refusal
                }
            }
        }
        reading.rest = String(decoding: body, as: UTF8.self)
        return reading
    }

    @Test(
        arguments: [
            ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", ["GET /"], [""]),
            (
                "POST / HTTP/1.1\r\nHost: a\r\ncontent-length: 10\r\n\r\n0123456789GET /b?c HTTP/1.1\r\nHost:\ta\r\n\r\n",
                ["POST /", "GET /b?c"], ["0123456789", ""]
            ),
            (
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n5;x=y\r\nhello\r\n5\r\nworld\r\n0\r\nX: a\r\n\r\n",
                ["POST /"], ["helloworld"]
            ),
            (
                "POST /batch HTTP/1.1\r\nHost: a\r\nContent-Length: 40\r\n\r\n0123456789012345678901234567890123456789",
                ["POST /batch"], ["0123456789012345678901234567890123456789"]
            ),
            ("GET / HTTP/1.0\r\n\r\n", ["GET /"], [""]),
            ("GET http://a/b?c HTTP/1.1\r\nHost: a\r\nX: \u{FC}\r\n\r\n", ["GET /b?c"], [""]),
            ("GET http://a HTTP/1.1\r\nHost: a\r\n\r\n", ["GET /"], [""]),
            ("\r\nPOST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", ["POST /"], [""]),
        ] as [(String, [String], [String])], [1, 3, 1000])
    func reads(sample: (text: String, heads: [String], bodies: [String]), pieces: Int) {
        let expected = Reading(heads: sample.heads, bodies: sample.bodies)
        #expect(read(sample.text, pieces: pieces) == expected)
    }

    @Test(
        arguments: [
            "Content-Length: -1", "Content-Length: +1", "Content-Length: 0x1", "Content-Length: 1 1", "Content-Length:",
            "Content-Length: 99999999999999999999999", "Content-Length: 1, 1", "Content-Length: 1\r\nContent-Length: 1",
            "Content-Length: 1\r\ncontent-length: 2", "Content-Length: 1\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: gzip", "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: x",
            "Transfer-Encoding:\u{B}chunked", "Content-Length : 1", " Content-Length: 1", "X: a\r\n b", "X: a\nY: b",
            "X: a\rY: b",
            "X: a\u{0}b", "Host: b", "no colon", ": no name", "X y: 1",
        ], [1, 1000])
    func refuses(header: String, pieces: Int) {
        let reading = read("POST / HTTP/1.1\r\nHost: a\r\n\(header)\r\n\r\nGET /secret HTTP/1.1\r\n", pieces: pieces)
        #expect(reading.heads.isEmpty && reading.bodies.isEmpty)
        guard case .malformed(let problem)? = reading.refusal else {
            Issue.record("\(reading)")
            return
        }
        #expect(!problem.contains("secret"))
    }

    @Test(arguments: [
        "GET / HTTP/1.1\n\n", "GET  / HTTP/1.1\r\n\r\n", "GET / HTTP/2.0\r\n\r\n", "GET / HTTP/1.1 \r\n\r\n",
        "GET /\r\n\r\n", "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a\tb HTTP/1.1\r\n\r\n", "G(T / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
    ]) func refusesRequestLine(text: String) {
        guard case .malformed? = read(text).refusal else {
            Issue.record("accepted")
            return
        }
    }

    @Test func countsBodies() {
        let head = "POST / HTTP/1.1\r\nHost: a\r\n"
        let announced = read(head + "X: y\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n01234567890")
        #expect(announced == Reading(heads: ["POST /"], refusal: .bodyTooLarge))
        // A chunked body is refused as soon as a chunk's length exceeds the limit.
        let chunked = read(head + "Transfer-Encoding: chunked\r\n\r\n6;x=y\r\nhello \r\n5\r\nw")
        #expect(chunked == Reading(heads: ["POST /"], rest: "hello ", refusal: .bodyTooLarge))
    }

    @Test func headsHaveLimits() {
        let head = "POST / HTTP/1.1\r\nHost: a\r\n"
        #expect(read("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 70_000)).refusal == .headTooLarge)
        #expect(read(head + "X: " + String(repeating: "x", count: 8190) + "\r\n\r\n").refusal == .headTooLarge)
        // Each line takes more memory than its number of bytes.
        #expect(read(head + String(repeating: "X:\r\n", count: 198) + "\r\n").refusal == .headTooLarge)
        #expect(read(head + String(repeating: "X:\r\n", count: 197) + "\r\n").refusal == nil)
    }

    @Test(arguments: [
        "-1\r\n", "5\nhello\r\n", "\r\n", "5\r\nhelloX\r\n", "ffffffffffffffffff\r\n", "0\r\nX: a\nb\r\n\r\n",
        "0\r\nX: a\u{0}b\r\n\r\n", "0\r\nX: a\r\n b\r\n\r\n", "0\r\nno colon\r\n\r\n",
    ])
    func refusesChunks(text: String) {
        let reading = read("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + text)
        guard case .malformed? = reading.refusal else {
            Issue.record("\(reading)")
            return
        }
        #expect(reading.bodies.isEmpty)
    }

    /// An error in a second request does not affect the first, and nothing after it is read.
    @Test func oneAfterTheOther() {
        let good = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        let reading = read(good + "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n" + good, pieces: 1000)
        #expect(reading.heads == ["GET /"] && reading.bodies == [""])
        #expect(reading.refusal != nil)
    }

    /// A body that was cut off is never complete.
    @Test(arguments: ["Content-Length: 9\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n9\r\nabc"])
    func cutBody(text: String) {
        let reading = read("POST / HTTP/1.1\r\nHost: a\r\n" + text)
        #expect(reading == Reading(heads: ["POST /"], rest: "abc"))
    }

    @Test func joinsEqualHeaders() throws {
        let head = try RequestHead(
            Array("GET / HTTP/1.1\r\nHost: a\r\nIF-MATCH: \"x\"\r\nif-match:\"y\" \r\nIf-Match-Not: z\r\n\r\n".utf8))
        #expect(head.value("if-match") == "\"x\", \"y\"")
        #expect(head.value("if") == nil)
        #expect(!head.closes)
        #expect(try RequestHead(Array("GET / HTTP/1.0\r\n\r\n".utf8)).closes)
        #expect(try !RequestHead(Array("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n".utf8)).closes)
        #expect(try RequestHead(Array("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, close\r\n\r\n".utf8)).closes)
    }
}

@Suite struct MachinePathsTests {
    @Test(arguments: [
        (
            "the request: cannot read /srv/my pictures/a b/c.html: No such file",
            "the request: cannot read a b/c.html: No such file"
        ),
        ("write a temporary file in /var/tmp: full", "write a temporary file in tmp: full"),
        ("row x/y: /usr/lib/bubblewrap/bwrap (\"/etc/passwd\")", "row x/y: bwrap (\"passwd\")"),
        ("ask at /v1/batch with 1/2", "ask at /v1/batch with 1/2"),
        ("https://a.b/c and a/b/c", "https://a.b/c and a/b/c"),
    ]) func hides(text: String, expected: String) {
        #expect(MachinePaths(folder: "/srv/my pictures", cache: "/home/some one/cache").hidden(in: text) == expected)
    }
}
