import COffstageSystem
import Foundation
import Offstage
import Synchronization

/// The only way out of the network namespace of WebKit's processes: an HTTP proxy in this process that knows the allowed hosts.
///
/// The proxy resolves the host's name once for each connection, and connects to the address that it has checked. A redirect
/// makes WebKit send a new request, which the proxy checks again.
final class HostProxy: Sendable {
    static let shared = HostProxy()

    private let allowed = Mutex<Set<AllowedHosts>>([])

    /// The proxy closes a connection after this many seconds without a byte.
    private static let patience = 30
    private static let longestHead = 32_768

    /// Adds the allowed hosts of another engine.
    func allow(_ hosts: AllowedHosts) { _ = allowed.withLock { $0.insert(hosts) } }

    /// Accepts connections until the process ends.
    ///
    /// - Parameter listener: A listening socket. The proxy owns it from now on.
    func start(on listener: Int32) {
        Thread.detachNewThread {
            while true {
                let client = accept(listener, nil, nil)
                if client < 0 { if errno == EINTR || errno == ECONNABORTED { continue } else { return } }
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                Thread.detachNewThread {
                    self.serve(client)
                    close(client)
                }
            }
        }
    }

    private func serve(_ client: Int32) {
        Self.setPatience(of: client)
        guard let (head, rest) = Self.readHead(client), let request = ProxyRequest(head) else {
            return Self.answer("400 Bad Request", to: client)
        }
        let chosen = allowed.withLock { $0.filter { $0.hosts.contains { $0.allows(request.host, request.port) } } }
        guard !chosen.isEmpty else { return Self.answer("403 Forbidden", to: client) }
        guard let server = Self.connect(request, chosen.contains(where: \.includesPrivateAddresses)) else {
            return Self.answer("502 Bad Gateway", to: client)
        }
        defer { close(server) }
        if request.isTunnel {
            guard Self.send(Data("HTTP/1.1 200 OK\r\n\r\n".utf8), to: client) else { return }
        } else {
            guard Self.send(Data(request.head.utf8), to: server) else { return }
        }
        guard Self.send(rest, to: server) else { return }
        Self.relay(client, server)
    }

    /// Connects to the first of the host's addresses that is allowed and answers.
    private static func connect(_ request: ProxyRequest, _ includesPrivate: Bool) -> Int32? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let name = request.host.trimmingCharacters(in: ["[", "]"])
        guard getaddrinfo(name, String(request.port), &hints, &found) == 0 else { return nil }
        defer { freeaddrinfo(found) }
        var next = found
        while let entry = next?.pointee {
            next = entry.ai_next
            guard let address = entry.ai_addr,
                includesPrivate || PublicAddress.contains(address) && !OwnAddresses.contain(address)
            else { continue }
            let server = socket(entry.ai_family, entry.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), entry.ai_protocol)
            if server < 0 { continue }
            setPatience(of: server)
            if Foundation.connect(server, address, entry.ai_addrlen) == 0 { return server }
            close(server)
        }
        return nil
    }

    private static func setPatience(of file: Int32) {
        var time = timeval(tv_sec: patience, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(file, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// The request's headers, up to the empty line, and the bytes received after them.
    private static func readHead(_ client: Int32) -> (String, Data)? {
        var data = Data()
        let end = Data("\r\n\r\n".utf8)
        while data.count < longestHead {
            guard let piece = receive(from: client) else { return nil }
            data.append(piece)
            if let range = data.range(of: end) {
                return (String(decoding: data[..<range.lowerBound], as: UTF8.self), Data(data[range.upperBound...]))
            }
        }
        return nil
    }

    /// Copies bytes in both directions until the server sends no more.
    private static func relay(_ client: Int32, _ server: Int32) {
        var isClientOpen = true
        while true {
            var places = [
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isClientOpen ? client : -1, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&places, 2, Int32(patience * 1000))
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return }
            if places[0].revents != 0 {
                guard let piece = receive(from: server), send(piece, to: client) else { return }
            }
            if isClientOpen, places[1].revents != 0 {
                if let piece = receive(from: client) {
                    guard send(piece, to: server) else { return }
                } else {
                    shutdown(server, Int32(SHUT_WR))
                    isClientOpen = false
                }
            }
        }
    }

    /// Nil at the end of the stream, and when nothing arrives in time.
    private static func receive(from file: Int32) -> Data? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(file, &buffer, buffer.count, 0)
            if count < 0 && errno == EINTR { continue }
            return count > 0 ? Data(buffer[..<count]) : nil
        }
    }

    private static func send(_ data: Data, to file: Int32) -> Bool {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func answer(_ status: String, to client: Int32) {
        _ = send(Data("HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8), to: client)
    }
}

/// A client's request to the proxy: a tunnel to a host, or one resource of a host.
struct ProxyRequest {
    let host: String
    let port: Int
    /// True for CONNECT. The proxy passes on the bytes that follow, usually TLS, and does not read them.
    let isTunnel: Bool
    /// The headers to send to the server. They always name the checked host, and allow one request per connection,
    /// regardless of the client's own headers.
    let head: String

    /// - Parameter head: The request's headers without the empty line at their end. The result is nil if it is not a
    ///   proxy request.
    init?(_ head: String) {
        var lines = head.components(separatedBy: "\r\n")
        let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
        if words[0] == "CONNECT" {
            guard let colon = words[1].lastIndex(of: ":"), let port = Int(words[1][words[1].index(after: colon)...])
            else {
                return nil
            }
            (host, self.port, isTunnel, self.head) = (String(words[1][..<colon]), port, true, "")
            return
        }
        guard words[1].hasPrefix("http://"), let parts = URLComponents(string: words[1]),
            let name = parts.percentEncodedHost,
            parts.user == nil
        else { return nil }
        (host, port, isTunnel) = (name, parts.port ?? 80, false)
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        let query = parts.percentEncodedQuery.map { "?" + $0 } ?? ""
        let dropped = ["host", "connection", "keep-alive", "te", "upgrade"]
        let kept = lines.filter { line in
            let name = line.prefix { $0 != ":" }.lowercased()
            return !dropped.contains(name) && !name.hasPrefix("proxy-")
        }
        let authority = port == 80 ? name : "\(name):\(port)"
        self.head =
            (["\(words[0]) \(path)\(query) HTTP/1.1", "Host: \(authority)", "Connection: close"] + kept)
            .joined(separator: "\r\n") + "\r\n\r\n"
    }
}
