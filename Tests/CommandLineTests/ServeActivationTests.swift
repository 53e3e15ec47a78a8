import Foundation
import Testing

/// systemd: sockets that it opens, notification of readiness, and the units.
@Suite struct ServeActivationTests {
    @Test func aSocketThatIsHandedOver() throws {
        try withFolder { folder in
            let path = folder.path("s")
            let child = try Child(
                [
                    "/usr/bin/systemd-socket-activate", "--listen", path, Offstage.path, "serve", "--cache", "cache",
                    "--no-access-log",
                ], folder: folder.path)
            // The socket's file exists before any service listens.
            #expect(eventually { child.hasEnded || child.text(1).contains("Listening on") })
            // The first client starts the service.
            let client = try Client(path)
            try client.send("POST", "/v1/images", ["Content-Type": "text/html", "Connection": "close"], row())
            let answer = try client.answer()
            #expect(answer.status == 200)
            #expect(try answer.picture.size == [400, 40])
            #expect(eventually { child.hasEnded || child.text(1).contains("listening at unix socket of systemd") })
            kill(child.id, SIGTERM)
            #expect(try child.wait().code == 0)
        }
    }

    @Test func readinessIsTold() throws {
        try withFolder { folder in
            let path = folder.path("notify")
            let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            defer { close(file) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let code = withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(code == 0)
            let service = try Service(environment: ["NOTIFY_SOCKET": path], in: folder)
            func word() -> String {
                var buffer = [UInt8](repeating: 0, count: 100)
                let count = recv(file, &buffer, buffer.count, 0)
                return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
            }
            #expect(word() == "READY=1")
            let end = try service.stop()
            #expect(end.code == 0, "\(end.error)")
            #expect(word() == "STOPPING=1")
        }
    }

    private static let units = Document.root.appendingPathComponent("Packaging/systemd")

    @Test func theUnitsAllowLocalAddressesOnly() throws {
        let service = try String(contentsOf: Self.units.appendingPathComponent("offstage.service"), encoding: .utf8)
        let rules = service.components(separatedBy: "\n").filter { $0.hasPrefix("IPAddress") }
        #expect(rules == ["IPAddressDeny=any", "IPAddressAllow=localhost"])
    }

    @Test func theUnitsAreRight() throws {
        try withFolder { folder in
            for name in ["offstage.service", "offstage.socket"] {
                let text = try String(contentsOf: Self.units.appendingPathComponent(name), encoding: .utf8)
                try folder.write(name, text.replacing("/usr/bin/offstage", with: Offstage.path))
            }
            let outcome = try Child(
                ["/usr/bin/systemd-analyze", "verify", "--man=no", "./offstage.service", "./offstage.socket"],
                folder: folder.path
            ).wait()
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(outcome.error == "")
        }
    }
}
