import Foundation

/// A request's headers, checked byte by byte (RFC 9112).
///
/// A server in front of this one must not read it differently: otherwise a client could hide a request in the body of
/// another. Everything that two programs could disagree about is therefore an error, even if it is harmless.
struct RequestHead: Equatable, Sendable {
    /// The problem, for the client. The text never quotes the headers.
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
    /// The target's path, without scheme, authority and query, with its escapes.
    let path: String
    /// The bytes after the question mark; empty without one.
    let query: ArraySlice<UInt8>
    let isHTTP11: Bool
    let byteCount: Int
    let framing: Framing
    /// The lines after the first one, each without its line end.
    private let fields: ArraySlice<ArraySlice<UInt8>>

    /// - Parameter bytes: the headers with the empty line after them. CR and LF are only at the ends of lines.
    init(_ bytes: [UInt8]) throws(Malformed) {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        for index in bytes.indices where bytes[index] == 0x0A {
            lines.append(bytes[start..<(index - 1)])
            start = index + 1
        }
        lines.removeLast()
        byteCount = bytes.count
        let (target, authority): (ArraySlice<UInt8>, ArraySlice<UInt8>?)
        (method, target, isHTTP11) = try Self.requestLine(lines.first ?? [])
        (authority, path, query) = Self.parts(of: target)
        fields = lines.dropFirst()
        framing = try Self.framing(fields, isHTTP11)
        // The target's host has priority (RFC 9112, 3.2.2). Another program might use the `Host` header.
        let named = authority.map { String(decoding: $0, as: UTF8.self).lowercased() }
        if let named, let host = value("host"), host.lowercased() != named {
            throw Malformed("its first line and its Host header name different hosts")
        }
    }

    /// A header's value; several values are joined with commas. Nil without one.
    ///
    /// - Parameter name: in lower case.
    func value(_ name: StaticString) -> String? {
        var found: String?
        for line in fields where Self.isNamed(line, name) {
            let value = Self.text(line[(line.startIndex + name.utf8CodeUnitCount + 1)...])
            found = found.map { $0 + ", " + value } ?? value
        }
        return found
    }

    /// The length of the longest header line, in bytes.
    var longestField: Int { fields.lazy.map(\.count).max() ?? 0 }

    /// True if the connection ends with the answer.
    var closes: Bool { hasOption("close") || !isHTTP11 && !hasOption("keep-alive") }

    /// True if a `Connection` header has an option.
    private func hasOption(_ option: String) -> Bool {
        fields.contains { line in
            Self.isNamed(line, "connection")
                && line.dropFirst("connection:".utf8.count).split(separator: UInt8(ascii: ",")).contains {
                    $0.filter { $0 != 0x20 && $0 != 0x09 }.elementsEqual(option.utf8) { $0 | 0x20 == $1 | 0x20 }
                }
        }
    }

    // MARK: The request line

    private static func requestLine(
        _ line: ArraySlice<UInt8>
    ) throws(Malformed) -> (method: String, target: ArraySlice<UInt8>, isHTTP11: Bool) {
        let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3, isToken(parts[0]), !parts[1].isEmpty, !parts[1].contains(where: isControl) else {
            throw Malformed("the first line is not a method, a path and a version, with one space between them")
        }
        if parts[1].contains(UInt8(ascii: "#")) { throw Malformed("the path has a fragment") }
        let version = parts[2]
        guard version.elementsEqual("HTTP/1.1".utf8) || version.elementsEqual("HTTP/1.0".utf8) else {
            throw Malformed("the version is not HTTP/1.1 or HTTP/1.0")
        }
        return (String(decoding: parts[0], as: UTF8.self), parts[1], version.last == UInt8(ascii: "1"))
    }

    /// - Returns: the host and port of a target with a scheme; nil if the target is only a path.
    private static func parts(
        of target: ArraySlice<UInt8>
    ) -> (authority: ArraySlice<UInt8>?, path: String, query: ArraySlice<UInt8>) {
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        let query = target[path.endIndex...].dropFirst()
        guard path.first != UInt8(ascii: "/"), let scheme = path.firstRange(of: Array("://".utf8)) else {
            return (nil, String(decoding: path, as: UTF8.self), query)
        }
        let rest = path[scheme.upperBound...]
        let authority = rest.prefix { $0 != UInt8(ascii: "/") }
        let own = rest[authority.endIndex...]
        return (authority, own.isEmpty ? "/" : String(decoding: own, as: UTF8.self), query)
    }

    // MARK: Fields

    private static func framing(
        _ fields: ArraySlice<ArraySlice<UInt8>>, _ isHTTP11: Bool
    ) throws(Malformed) -> Framing {
        var (hosts, framings) = (0, [Framing]())
        for line in fields {
            if let problem = problem(ofField: line) { throw Malformed(problem) }
            let value = line[(line.firstIndex(of: UInt8(ascii: ":"))! + 1)...]
            if isNamed(line, "host") {
                hosts += 1
            } else if isNamed(line, "content-length") {
                framings.append(.length(try length(text(value))))
            } else if isNamed(line, "transfer-encoding") {
                guard isHTTP11, text(value).lowercased() == "chunked" else {
                    throw Malformed("Transfer-Encoding can only be chunked, with HTTP/1.1")
                }
                framings.append(.chunks)
            }
        }
        if hosts > 1 { throw Malformed("it has more than one Host") }
        if hosts == 0, isHTTP11 { throw Malformed("it has no Host") }
        if framings.count > 1 { throw Malformed("it has more than one Content-Length or Transfer-Encoding") }
        return framings.first ?? .none
    }

    /// The problem of a header or trailer; nil if it is valid. A valid line has a colon.
    static func problem(ofField line: ArraySlice<UInt8>) -> String? {
        if line.first == 0x20 || line.first == 0x09 { return "a header continues on a second line" }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), isToken(line[..<colon]) else {
            return "a header has no name, or a space before its colon"
        }
        let hasControl = line[(colon + 1)...].contains { isControl($0) && $0 != 0x09 }
        return hasControl ? "a header has a control character" : nil
    }

    private static func length(_ text: String) throws(Malformed) -> Int {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(text)
        else { throw Malformed("Content-Length is not a number of bytes") }
        return length
    }

    /// - Parameter name: in lower case.
    private static func isNamed(_ line: ArraySlice<UInt8>, _ name: StaticString) -> Bool {
        let count = name.utf8CodeUnitCount
        guard line.count > count, line[line.startIndex + count] == UInt8(ascii: ":") else { return false }
        return name.withUTF8Buffer { zip(line, $0).allSatisfy { $0 | ((0x41...0x5A).contains($0) ? 0x20 : 0) == $1 } }
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
