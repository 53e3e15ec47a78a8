import Foundation
import Testing

@testable import OffstageService

/// What a client sends is what libsoup reads, or is refused.
@Suite struct RequestGateTests {
    /// What libsoup reads of what a client sends, in pieces of one size.
    private func read(
        _ text: String, pieces: Int = 7, limit: Int = 10, ends: Bool = false
    ) -> (text: String, refusals: [RequestGate.Refusal]) {
        var gate = RequestGate { $0.path == "/batch" ? 1000 : limit }
        var (out, refusals) = (Data(), [RequestGate.Refusal]())
        func drain() {
            var buffer = [UInt8](repeating: 0, count: 5)
            while let count = buffer.withUnsafeMutableBytes({ gate.give(into: $0) }), count > 0 {
                out += buffer[..<count]
                if let refusal = gate.refusal, refusals.isEmpty { refusals.append(refusal) }
            }
        }
        var rest = Data(text.utf8)[...]
        while !rest.isEmpty {
            Data(rest.prefix(pieces)).withUnsafeBytes { gate.take($0) }
            rest = rest.dropFirst(pieces)
            drain()
        }
        if ends { gate.end() }
        drain()
        #expect(!gate.hasMore || ends)
        return (String(decoding: out, as: UTF8.self), refusals)
    }

    @Test(
        arguments: [
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\ncontent-length: 10\r\n\r\n0123456789GET /b?c HTTP/1.1\r\nHost:\ta\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n5\r\nworld\r\n0\r\n\r\n",
            "POST /batch HTTP/1.1\r\nHost: a\r\nContent-Length: 40\r\n\r\n0123456789012345678901234567890123456789",
            "GET / HTTP/1.0\r\n\r\n",
            "GET http://a/b HTTP/1.1\r\nHost: a\r\nX: \u{FC}\r\n\r\n",
        ], [1, 3, 1000])
    func passes(text: String, pieces: Int) {
        let (out, refusals) = read(text, pieces: pieces)
        #expect(out == text)
        #expect(refusals.isEmpty)
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
        let (out, refusals) = read(
            "POST / HTTP/1.1\r\nHost: a\r\n\(header)\r\n\r\nGET /secret HTTP/1.1\r\n", pieces: pieces)
        // libsoup sees one request, without anything of this one.
        #expect(Data(out.utf8) == Data(RequestHead.standIn))
        guard case .malformed(let problem)? = refusals.first else {
            Issue.record("\(refusals)")
            return
        }
        #expect(!problem.contains("secret"))
    }

    @Test(arguments: [
        "GET / HTTP/1.1\n\n", "GET  / HTTP/1.1\r\n\r\n", "GET / HTTP/2.0\r\n\r\n", "GET / HTTP/1.1 \r\n\r\n",
        "GET /\r\n\r\n",
        "GET /a\tb HTTP/1.1\r\n\r\n", "G(T / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
    ]) func refusesRequestLine(text: String) {
        guard case .malformed? = read(text).refusals.first else {
            Issue.record("accepted")
            return
        }
    }

    @Test func countsBodies() {
        let head = "POST / HTTP/1.1\r\nHost: a\r\n"
        let said = read(head + "X: y\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n01234567890")
        #expect(said.refusals == [.bodyTooLarge])
        #expect(said.text == head + "X: y\r\nConnection: close\r\n\r\n")
        // As soon as a chunk says that it is too much.
        let chunked = read(head + "Transfer-Encoding: chunked\r\n\r\n6;x=y\r\nhello \r\n5\r\nw")
        #expect(chunked.refusals == [.bodyTooLarge])
        #expect(chunked.text.hasSuffix("\r\n\r\n6\r\nhello \r\n0\r\n\r\n"))
        #expect(read("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 70_000)).refusals == [.headTooLarge])
    }

    @Test(arguments: [
        "-1\r\n", "5\nhello\r\n", "\r\n", "5\r\nhelloX\r\n", "ffffffffffffffffff\r\n", "0\r\nX: a\nb\r\n\r\n",
    ])
    func refusesChunks(text: String) {
        let (out, refusals) = read("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + text)
        guard case .malformed? = refusals.first else {
            Issue.record("\(refusals)")
            return
        }
        #expect(out.hasSuffix("0\r\n\r\n"))
    }

    /// The content of a body that was taken over, given after its head.
    private func body(_ head: String, _ text: String, ends: Bool = false) -> (text: String, gate: RequestGate) {
        let head = Data("POST / HTTP/1.1\r\nHost: a\r\n\(head)\r\n\r\n".utf8)
        var gate = RequestGate { _ in .max }
        var buffer = [UInt8](repeating: 0, count: 1000)
        (head + Data(text.utf8)).withUnsafeBytes { gate.take($0) }
        #expect(buffer.withUnsafeMutableBytes { gate.give(into: $0) } == head.count, "the head is given alone")
        gate.takeOver()
        if ends { gate.end() }
        var body = Data()
        while let count = buffer.withUnsafeMutableBytes({ gate.give(into: $0) }), count > 0 { body += buffer[..<count] }
        return (String(decoding: body, as: UTF8.self), gate)
    }

    @Test func givesABodyWithoutItsFraming() {
        let next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n"
        for (head, text) in [
            ("Content-Length: 5", "hello"),
            ("Transfer-Encoding: chunked", "2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\nX: a\r\n\r\n"),
        ] {
            let (body, gate) = body(head, text + next)
            #expect(body == "hello")
            #expect(gate.isComplete && gate.refusal == nil)
            // The connection ends with the body: the next request is not read.
            #expect(!self.body(head, String(text.dropLast())).gate.isComplete)
        }
        #expect(body("Content-Length: 0", next).gate.isComplete)
        #expect(!body("Transfer-Encoding: chunked", "2\r\nhe", ends: true).gate.isComplete)
        let malformed = body("Transfer-Encoding: chunked", "2\r\nhe\r\nx\r\n")
        #expect(malformed.text == "he")
        #expect(malformed.gate.refusal != nil && !malformed.gate.isComplete)
    }

    /// A second request's fault is not the first's.
    @Test func oneAfterTheOther() {
        var gate = RequestGate { _ in 10 }
        let good = Data("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        (good + Data("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n".utf8)).withUnsafeBytes { gate.take($0) }
        var buffer = [UInt8](repeating: 0, count: 1000)
        #expect(buffer.withUnsafeMutableBytes { gate.give(into: $0) } == good.count)
        #expect(gate.refusal == nil)
        #expect(gate.hasMore)
        #expect(buffer.withUnsafeMutableBytes { gate.give(into: $0) } == RequestHead.standIn.count)
        #expect(gate.refusal != nil)
        #expect(buffer.withUnsafeMutableBytes { gate.give(into: $0) } == 0)
    }

    /// libsoup closes a connection that ends within a request only.
    @Test func ends() {
        #expect(read("GET / HTTP/1.1\r\nHost: a\r\n\r\n", ends: true).text.hasSuffix("\r\n\r\n-"))
        #expect(read("GET / HT", ends: true).text == "GET / HT")
        let cut = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"
        #expect(read(cut, ends: true).text == cut)
    }

    @Test func addsAHostWhereNoneNeedBe() {
        var gate = RequestGate(addsHost: true) { _ in 10 }
        Data("GET / HTTP/1.0\r\n\r\n".utf8).withUnsafeBytes { gate.take($0) }
        var buffer = [UInt8](repeating: 0, count: 1000)
        let count = buffer.withUnsafeMutableBytes { gate.give(into: $0) } ?? 0
        #expect(String(decoding: buffer[..<count], as: UTF8.self) == "GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
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
