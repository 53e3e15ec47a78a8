import Foundation

/// A request's head, checked byte by byte (RFC 9112).
///
/// A server in front of this one must not read it differently: otherwise a client could hide a request in the body of another.
/// Everything that two programs could disagree about is therefore an error, even if it is harmless.
struct RequestHead {
    /// The problem, for the client. It never quotes the head.
    struct Malformed: Error, Equatable {
        let problem: String
        init(_ problem: String) { self.problem = problem }
    }

    enum Framing: Equatable {
        case none
        /// The number of bytes.
        case length(Int)
        case chunks
    }

    let method: String
    /// The target's path, without scheme, authority and query.
    let path: String
    let framing: Framing
    /// HTTP/1.0 does not require it.
    let hasHost: Bool
    /// All lines, with the request line, each without its line end.
    private let lines: [ArraySlice<UInt8>]

    /// - Parameter bytes: the head with the empty line after it. CR and LF are only at the ends of lines.
    init(_ bytes: [UInt8]) throws(Malformed) {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        for index in bytes.indices where bytes[index] == 0x0A {
            lines.append(bytes[start..<(index - 1)])
            start = index + 1
        }
        lines.removeLast()
        self.lines = lines
        let isHTTP11: Bool
        (method, path, isHTTP11) = try Self.requestLine(lines.first ?? [])
        (framing, hasHost) = try Self.framing(lines.dropFirst(), isHTTP11)
    }

    /// The head to pass on without its body: nothing follows it, and the connection ends with the answer.
    var withoutBody: [UInt8] {
        var bytes: [UInt8] = []
        for line in lines
        where !["content-length", "transfer-encoding", "expect", "connection"].contains(Self.name(line)) {
            bytes += line
            bytes += [0x0D, 0x0A]
        }
        return bytes + Array("Connection: close\r\n\r\n".utf8)
    }

    /// Replaces a head that cannot be passed on.
    static let standIn = Array("- / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)

    // MARK: The request line

    private static func requestLine(
        _ line: ArraySlice<UInt8>
    ) throws(Malformed) -> (method: String, path: String, isHTTP11: Bool) {
        let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3, isToken(parts[0]), !parts[1].isEmpty, !parts[1].contains(where: isControl) else {
            throw Malformed("the first line is not a method, a path and a version, with one space between them")
        }
        let version = String(decoding: parts[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw Malformed("the version is not HTTP/1.1 or HTTP/1.0")
        }
        var target = parts[1].prefix { $0 != UInt8(ascii: "?") }
        if target.first != UInt8(ascii: "/"), let scheme = target.firstRange(of: Array("://".utf8)) {
            target = target[scheme.upperBound...].drop { $0 != UInt8(ascii: "/") }
        }
        return (
            String(decoding: parts[0], as: UTF8.self), String(decoding: target, as: UTF8.self), version == "HTTP/1.1"
        )
    }

    // MARK: Fields

    private static func framing(
        _ fields: ArraySlice<ArraySlice<UInt8>>, _ isHTTP11: Bool
    ) throws(Malformed) -> (Framing, hasHost: Bool) {
        var (hosts, framings) = (0, [Framing]())
        for line in fields {
            if line.first == 0x20 || line.first == 0x09 { throw Malformed("a header continues on a second line") }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), isToken(line[..<colon]) else {
                throw Malformed("a header has no name, or a space before its colon")
            }
            let value = line[(colon + 1)...]
            if value.contains(where: { isControl($0) && $0 != 0x09 }) {
                throw Malformed("a header has a control character")
            }
            switch name(line) {
            case "host": hosts += 1
            case "content-length": framings.append(.length(try length(text(value))))
            case "transfer-encoding":
                guard isHTTP11, text(value).lowercased() == "chunked" else {
                    throw Malformed("Transfer-Encoding can only be chunked, with HTTP/1.1")
                }
                framings.append(.chunks)
            default: break
            }
        }
        if hosts > 1 { throw Malformed("it has more than one Host") }
        if hosts == 0, isHTTP11 { throw Malformed("it has no Host") }
        if framings.count > 1 { throw Malformed("it has more than one Content-Length or Transfer-Encoding") }
        return (framings.first ?? .none, hosts == 1)
    }

    private static func length(_ text: String) throws(Malformed) -> Int {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(text)
        else { throw Malformed("Content-Length is not a number of bytes") }
        return length
    }

    /// In lower case; empty for the request line.
    private static func name(_ line: ArraySlice<UInt8>) -> String {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), isToken(line[..<colon]) else { return "" }
        return String(decoding: line[..<colon], as: UTF8.self).lowercased()
    }

    private static func text(_ value: ArraySlice<UInt8>) -> String {
        String(decoding: value, as: UTF8.self).trimmingCharacters(in: [" ", "\t"])
    }

    private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { isTokenByte[Int($0)] }
    }

    private static let isTokenByte = (UInt8.min...UInt8.max).map { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
}
