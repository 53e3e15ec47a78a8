import SeededRandom

/// Generates requests that clients should never send, and some valid ones: headers, queries and bodies on one
/// connection.
struct ServeGrammar {
    private var random: SeededGenerator

    /// - Parameter number: the input's number. The same seed and number give the same bytes.
    init(seed: UInt64, number: Int) { random = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(number)) }

    /// The bytes for one connection, in the pieces in which they are sent.
    mutating func next() -> [[UInt8]] {
        var bytes: [UInt8] = []
        for _ in 0..<(chance(0.3) ? Int.random(in: 2...5, using: &random) : 1) { bytes += request() }
        if chance(0.2) { bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))) }
        if chance(0.1), !bytes.isEmpty {
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
        }
        if chance(0.15), bytes.count < 6000 { return bytes.map { [$0] } }
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = chance(0.5) ? rest.count : Int.random(in: 1...rest.count, using: &random)
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces
    }

    // MARK: Headers

    private mutating func request() -> [UInt8] {
        let post = chance(0.6)
        let method =
            chance(0.85) ? (post ? pick(["POST", "POST", "PUT"]) : pick(["GET", "HEAD", "DELETE"])) : oddWord()
        var target = chance(0.7) ? usualPath(of: method) : path()
        if chance(0.6) { target += "?" + query() }
        let version =
            chance(0.93) ? "HTTP/1.1" : pick(["HTTP/1.0", "HTTP/2.0", "http/1.1", "HTTP/1.1 ", "", "HTTP/1.10"])
        var lines = ["\(method) \(target) \(version)"]
        if chance(0.95) { lines.append("Host: localhost") }
        for _ in 0..<(chance(0.3) ? Int.random(in: 1...4, using: &random) : 0) { lines.append(header()) }
        if chance(0.02) { lines += Array(repeating: "X: y", count: pick([100, 5000, 20_000])) }
        let body = post ? self.body() : (type: nil, bytes: [])
        if let type = body.type, chance(0.95) { lines.append("Content-Type: \(chance(0.9) ? type : oddWord())") }
        let end = chance(0.97) ? "\r\n" : pick(["\n", "\r", "\r\r\n"])
        func head(_ framing: String) -> [UInt8] { Array(((lines + [framing]).joined(separator: end) + end + end).utf8) }
        if !post { return Array((lines.joined(separator: end) + end + end).utf8) }
        if chance(0.05) {
            let odd = pick([
                "Content-Length: -1", "Content-Length: 99999999999999999999", "Content-Length: 0x10",
                "Transfer-Encoding: gzip",
                "Content-Length: 3\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked, chunked",
                "Content-Length:",
            ])
            return head(odd) + body.bytes
        }
        if chance(0.4) { return head("Transfer-Encoding: chunked") + chunked(body.bytes) }
        return head(
            "Content-Length: \(body.bytes.count + (chance(0.05) ? Int.random(in: -5...50, using: &random) : 0))")
            + body.bytes
    }

    /// A path that accepts the method.
    private mutating func usualPath(of method: String) -> String {
        switch method {
        case "POST": pick(["/v1/images", "/v1/images", "/v1/images", "/v1/batch", "/v1/batch", "/v1/prefetch"])
        case "PUT", "DELETE": "/v1/images/" + pick(["a", "b", "%C3%A9/c", escapes()])
        default: pick(["/v1/images/a", "/metrics", "/", "/v1/openapi.json", "/readyz", "/v1/peaks/a"])
        }
    }

    private mutating func path() -> String {
        let paths = [
            "/v1/images", "/v1/images", "/v1/images/a", "/v1/images/" + escapes(), "/v1/batch", "/v1/batch",
            "/v1/prefetch",
            "/metrics", "/healthz", "/readyz", "/", "/v1/peaks", "/v1/peaks/a", "/v1/openapi.json", "/v1/suspensions",
            "/v1/suspensions/end", "/v1/suspensions/x",
        ]
        if chance(0.9) { return pick(paths) }
        return pick([
            "*", "http://localhost/metrics", "http://", "//", "/../../etc/passwd", "/v1/images#a", escapes(),
            "/v1/images/" + String(repeating: "a", count: pick([300, 9000, 70_000])), "/v1/images/%00", "/v1//images",
        ])
    }

    private mutating func query() -> String {
        let names = [
            "width", "height", "scale", "format", "css", "selector", "trim", "also", "identifier", "group", "priority",
            "deadline",
            "immediate", "refresh", "store", "background", "areas", "each", "page", "crop", "fit", "timeout", escapes(),
            "",
        ]
        let count = chance(0.1) ? pick([150, 250, 3000]) : Int.random(in: 1...6, using: &random)
        let values = [
            "100", "2", "0", "-1", "1e9", "99999999999999999999", "NaN", "png", "webp:lossless", "true", "false", "",
            "a", escapes(),
            "raw", "0,0,10,10", "cover", "#", "0.000000001", "low", "p>p:nth-child(2)",
        ]
        var options = (0..<min(count, 8)).map { _ in pick(names) + (chance(0.9) ? "=" : "") + pick(values) }
        if count > 8 { options += Array(repeating: options[0], count: count) }
        if chance(0.05) {
            options.append("css=" + String(repeating: pick(["a", "%41", "%F0%9F%98%80"]), count: pick([500, 5000])))
        }
        return options.joined(separator: chance(0.95) ? "&" : pick(["&&", ";", "?"]))
    }

    private mutating func header() -> String {
        chance(0.8)
            ? pick([
                "Range: bytes=0-", "If-Range: \"x\"", "If-None-Match: *", "If-Match: \"a\", W/\"b\",,",
                "Expect: 100-continue",
                "Expect: 200", "Authorization: Bearer", "Authorization: Basic !!!", "Origin: https://example.org",
                "Connection: close", "Connection: keep-alive, upgrade", "Upgrade: h2c",
                "Accept: image/webp;q=2,,*/*;q=x",
                "Accept: " + String(repeating: "image/png,", count: 3000), "Content-Encoding: gzip", "Host: other",
                "Sec-Fetch-Site: cross-site", "Content-Type: text/html; charset=utf-7", "Trailer: x",
            ])
            : pick([
                oddWord() + ": " + escapes(), ": x", "X : y", " folded", "X: \u{01}",
                "X: " + String(repeating: "ä", count: 4000),
            ])
    }

    // MARK: Bodies

    private mutating func body() -> (type: String?, bytes: [UInt8]) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: return ("text/html", Array("<p>\(Int.random(in: 0...20, using: &random))".utf8))
        case 2: return ("text/html; charset=" + pick(["utf-8", "latin1", "utf-16", "x"]), noise(200))
        case 3, 4, 5: return ("application/json", Array(object().utf8))
        case 6, 7:
            let lines = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                chance(0.4)
                    ? "{\"command\": \"\(pick(["stats", "resume", "cancel", "finish", "prefetch", "x", ""]))\"}"
                    : object()
            }
            return ("application/jsonl", Array(lines.joined(separator: pick(["\n", "\n", "\r\n", "\n\n"])).utf8))
        case 8:
            return (
                pick(["image/png", "application/pdf", "audio/wav", "image/svg+xml", "application/json"]), noise(3000)
            )
        default: return (chance(0.5) ? nil : "application/x-www-form-urlencoded", Array(query().utf8))
        }
    }

    /// JSON that is usually a request; some of it is deeply nested, has many keys, or is invalid.
    private mutating func object() -> String {
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            let depth = pick([10, 200, 3000, 100_000])
            return String(repeating: pick(["[", "{\"a\":"]), count: depth)
        case 1:
            let depth = pick([10, 500, 20_000])
            return "{\"html\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
        case 2:
            let count = pick([20, 1000, 40_000])
            return "{" + (0..<count).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
        case 3: return "{\"html\": \"<p>\", \"\(String(repeating: "n", count: pick([300, 50_000])))\": 1}"
        case 4:
            return
                "{\"html\": \"\(pick(["\\ud800", "\\u0000", "\\x", "\u{07}", "\\uD83D\\uDE00"]))\", \"width\": \(number())}"
        case 5: return "{\"html\": \"<p>x\", \"html\": \"<p>y\", \"width\": \(number())}"
        default:
            let inline = chance(0.3) ? ", \"inline\": true" : ""
            return
                "{\"html\": \"<p>\(Int.random(in: 0...9, using: &random))\", \"\(pick(["width", "scale", "css", "trim"]))\": \(number())\(inline)}"
        }
    }

    private mutating func number() -> String {
        pick([
            "100", "1", "-1", "1e400", "0.1e-999", "null", "[]", "{}", "\"a\"", "true",
            "1" + String(repeating: "0", count: 5000), "+1",
            "01", "NaN",
        ])
    }

    private mutating func chunked(_ bytes: [UInt8]) -> [UInt8] {
        var (result, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes[...])
        let most = chance(0.2) ? 3 : max(1, bytes.count)
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...min(rest.count, most), using: &random))
            rest = rest.dropFirst(piece.count)
            var size = String(piece.count, radix: 16)
            if chance(0.02) { size = pick(["", "-1", "0x5", "ffffffffffffffffff", "7fffffffffffffff", " 5", "g"]) }
            if chance(0.05) { size += pick([";a=b", ";", "; \"q", ";" + String(repeating: "e", count: 5000)]) }
            result += Array(size.utf8) + [13, 10] + piece + (chance(0.99) ? [13, 10] : [10])
            if result.count > 400_000 { break }
        }
        if chance(0.95) { result += Array("0\r\n".utf8) }
        if chance(0.05) {
            result += Array(pick(["X: y\r\n", "X\r\n", String(repeating: "T: t\r\n", count: 15_000)]).utf8)
        }
        return result + [13, 10]
    }

    // MARK: Words

    private mutating func oddWord() -> String {
        pick(["G@T", "get", "", "\u{7F}", "A B", "PRI", "OPTIONS", "TRACE", "CONNECT", "É", "PATCH"])
    }

    private mutating func escapes() -> String {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
            pick([
                "%", "%4", "%GG", "%00", "%FF", "%C3%A9", "%2F", "..", "+", "a", "%25", "\u{1F600}", "%0d%0a", "\"",
                "%E2%80",
            ])
        }.joined()
    }

    private mutating func noise(_ most: Int) -> [UInt8] {
        (0..<Int.random(in: 0...most, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private mutating func chance(_ part: Double) -> Bool { Double.random(in: 0..<1, using: &random) < part }
    private mutating func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random)! }
}
