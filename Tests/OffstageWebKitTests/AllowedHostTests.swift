import Foundation
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// The hosts and addresses of `allowedHosts`, and how the proxy treats requests.
final class AllowedHostTests: XCTestCase {
    func testPublicAddresses() {
        for text in [
            "1.1.1.1", "8.8.8.8", "172.15.255.255", "172.32.0.1", "100.128.0.1", "223.255.255.255", "2606:4700::1111",
            "2a00::1", "::ffff:1.1.1.1",
        ] {
            XCTAssertTrue(isPublic(text), text)
        }
        for text in [
            "0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.255", "169.254.169.254", "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1", "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "fe80::1",
            "fc00::1",
            "fd00:ec2::254", "ff02::1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001::1", "2001:db8::1", "100::1",
            "3fff::1",
        ] { XCTAssertFalse(isPublic(text), text) }
    }

    /// Every machine has the addresses of the loopback interface.
    func testOwnAddresses() {
        for text in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            XCTAssertEqual(with(text, OwnAddresses.contain), true, text)
        }
        for text in ["192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1"] {
            XCTAssertEqual(with(text, OwnAddresses.contain), false, text)
        }
    }

    private func isPublic(_ text: String) -> Bool { with(text, PublicAddress.contains) ?? false }

    private func with(_ text: String, _ body: (UnsafePointer<sockaddr>) -> Bool) -> Bool? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(text, nil, &hints, &found) == 0, let address = found?.pointee.ai_addr else {
            XCTFail(text)
            return nil
        }
        defer { freeaddrinfo(found) }
        return body(address)
    }

    func testHosts() throws {
        let host = try XCTUnwrap(AllowedHost("Example.org"))
        XCTAssertTrue(host.allows("example.org", 443))
        XCTAssertTrue(host.allows("EXAMPLE.org", 80))
        for (name, port) in [
            ("www.example.org", 443), ("example.org.evil.com", 443), ("example.org", 22), ("xexample.org", 80),
        ] {
            XCTAssertFalse(host.allows(name, port), name)
        }
        let other = try XCTUnwrap(AllowedHost("example.org:8080"))
        XCTAssertTrue(other.allows("example.org", 8080))
        XCTAssertFalse(other.allows("example.org", 80))
        for text in ["", "*", "a b", "http://a", "a/b", "a:0", "a:65536", "a;b", "'self'", "a\nb", "-a", ".a"] {
            XCTAssertNil(AllowedHost(text), text)
        }
    }

    func testRequests() throws {
        let tunnel = try XCTUnwrap(ProxyRequest("CONNECT example.org:443 HTTP/1.1\r\nHost: other.org:443"))
        XCTAssertEqual([tunnel.host, String(tunnel.port), String(tunnel.isTunnel)], ["example.org", "443", "true"])
        let plain = try XCTUnwrap(
            ProxyRequest(
                "GET http://example.org:81/a%20b?c HTTP/1.1\r\nHost: other.org\r\nAccept: x\r\nProxy-Connection: Keep-Alive\r\nConnection: y"
            ))
        XCTAssertEqual([plain.host, String(plain.port)], ["example.org", "81"])
        XCTAssertEqual(
            plain.head, "GET /a%20b?c HTTP/1.1\r\nHost: example.org:81\r\nConnection: close\r\nAccept: x\r\n\r\n")
        for head in [
            "", "GET / HTTP/1.1", "GET ftp://a/ HTTP/1.1", "GET http://u:p@a/ HTTP/1.1", "CONNECT a HTTP/1.1",
            "GET http://a/",
        ] {
            XCTAssertNil(ProxyRequest(head), head)
        }
    }
}
