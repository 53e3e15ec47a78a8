import Foundation
import Testing

/// An `offstage serve` that runs beside a test, on its own Unix socket.
final class Service {
    let child: Child
    let socket: String

    /// Starts the service and waits until it listens.
    init(
        _ options: [String] = [], program: String = Offstage.path, environment: [String: String?] = [:],
        prefix: [String] = [], in folder: Folder
    ) throws {
        socket = folder.path("s")
        child = try Child(
            prefix + [program, "serve", "--socket", "s", "--cache", "cache", "--jobs", "1"] + options,
            environment: environment, folder: folder.path)
        try waitUntilItListens()
    }

    private func waitUntilItListens() throws {
        let isThere = eventually { child.hasEnded || child.text(1).contains("listening at") }
        guard isThere, !child.hasEnded else { throw Child.Failure(description: "no service: \(child.text(1))") }
    }

    /// Sends a request on a new connection and waits for the complete answer.
    func ask(
        _ method: String, _ path: String, _ headers: [String: String] = [:], _ body: String? = nil
    ) throws -> Answer {
        let client = try Client(socket)
        try client.send(method, path, headers.merging(["Connection": "close"]) { own, _ in own }, body)
        return try client.answer()
    }

    /// Posts HTML to be drawn.
    func draw(_ html: String, _ query: String = "", _ headers: [String: String] = [:]) throws -> Answer {
        try ask(
            "POST", "/v1/images" + (query.isEmpty ? "" : "?" + query),
            headers.merging(["Content-Type": "text/html"]) { own, _ in own }, html)
    }

    /// Posts a document of any type to be drawn.
    func draw(_ body: Data, type: String, _ query: String) throws -> Answer {
        let client = try Client(socket)
        let headers = ["Content-Type": type, "Content-Length": "\(body.count)", "Connection": "close"]
        try client.send("POST", "/v1/images?" + query, headers, nil)
        try client.write(body)
        return try client.answer()
    }

    /// The port that the service chose for `--listen 127.0.0.1:0`.
    var port: Int {
        get throws { try #require(child.text(1).firstMatch(of: #/127\.0\.0\.1:([0-9]+)/#).flatMap { Int($0.1) }) }
    }

    /// A sample of `/metrics`.
    ///
    /// - Parameter token: needed if the service has tokens.
    func metric(_ name: String, _ token: String? = nil) throws -> Double? {
        let headers = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
        let lines = try ask("GET", "/metrics", headers).text.split(separator: "\n")
        return lines.first { $0.hasPrefix("offstage_\(name) ") }.flatMap {
            Double($0.split(separator: " ").last ?? "")
        }
    }

    /// Stops the service as systemd does.
    func stop() throws -> Outcome {
        kill(child.id, SIGTERM)
        return try child.wait()
    }
}

/// An answer of a service.
struct Answer {
    var status: Int
    /// Header names are in lower case; repeated headers are joined with commas.
    var headers: [String: String]
    var body: Data

    var text: String { String(decoding: body, as: UTF8.self) }
    var object: [String: Any] { (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:] }
    var picture: Picture { get throws { try Picture(body) } }
    /// The code of a problem.
    var code: String? { object["code"] as? String }

    /// The complete answer, from the status line on.
    init(_ data: Data) throws {
        guard let end = data.range(of: Data("\r\n\r\n".utf8)) else {
            throw Child.Failure(description: "no answer: \(data.count) bytes")
        }
        var lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        status = Int(lines.removeFirst().split(separator: " ")[1]) ?? 0
        headers = Dictionary(
            lines.map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return (parts[0].lowercased(), parts.last!.trimmingCharacters(in: .whitespaces))
            }
        ) { $0 + ", " + $1 }
        let rest = Data(data[end.upperBound...])
        if status == 100 {
            self = try Answer(rest)
            return
        }
        body = headers["transfer-encoding"] == "chunked" ? Self.unchunked(rest) : rest
    }

    private static func unchunked(_ data: Data) -> Data {
        var (body, rest) = (Data(), data[...])
        while let end = rest.range(of: Data("\r\n".utf8)),
            let size = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16), size > 0
        {
            body.append(rest[end.upperBound...].prefix(size))
            rest = rest[end.upperBound...].dropFirst(size + 2)
        }
        return body
    }
}

/// A raw connection.
final class Client {
    private var file: Int32
    private var received = Data()

    init(_ path: String) throws {
        file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0 else { throw Child.Failure(description: "\(path): \(String(cString: strerror(errno)))") }
        // Every wait has a time limit.
        setPatience(seconds: 30)
    }

    /// A connection to an address of this machine, without TLS.
    init(port: Int) throws {
        file = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw Child.Failure(description: "port \(port): \(String(cString: strerror(errno)))") }
        setPatience(seconds: 30)
    }

    /// Sets how long it waits until it can read or write.
    func setPatience(seconds: Int) {
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(file, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Closes the sending side of the connection.
    func sayNoMore() { shutdown(file, Int32(SHUT_WR)) }

    deinit { close() }

    func close() {
        if file >= 0 { Foundation.close(file) }
        file = -1
    }

    func send(_ method: String, _ path: String, _ headers: [String: String], _ body: String?) throws {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in headers where !(name == "Host") { head += "\(name): \(value)\r\n" }
        if let body, headers["Transfer-Encoding"] == nil { head += "Content-Length: \(body.utf8.count)\r\n" }
        try write(head + "\r\n" + (body ?? ""))
    }

    func write(_ text: String) throws { try write(Data(text.utf8)) }

    func write(_ data: Data) throws {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads everything until the connection ends.
    func answer() throws -> Answer {
        while receive() {}
        return try Answer(received)
    }

    /// Reads until the bytes contain this text or the connection ends. Returns the bytes so far.
    func text(until end: String) -> String {
        while received.range(of: Data(end.utf8)) == nil, receive() {}
        return String(decoding: received, as: UTF8.self)
    }

    /// Reads until this many bytes have arrived or the connection ends. Returns the bytes so far.
    func text(until isEnough: (String) -> Bool) -> String {
        while !isEnough(String(decoding: received, as: UTF8.self)), receive() {}
        return String(decoding: received, as: UTF8.self)
    }

    /// Whether the other side has closed the connection.
    var isEnded: Bool {
        while receive() {}
        return lastCount == 0 || errno == ECONNRESET
    }

    /// Reads one byte if one is available.
    func sip() {
        var byte: UInt8 = 0
        _ = recv(file, &byte, 1, Int32(MSG_DONTWAIT))
    }

    private var lastCount = 1

    private func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        lastCount = recv(file, &buffer, buffer.count, 0)
        if lastCount > 0 { received.append(contentsOf: buffer[..<lastCount]) }
        return lastCount > 0
    }
}
