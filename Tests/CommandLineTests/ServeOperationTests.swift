import Foundation
import Testing

/// Operating a service: signals, readiness, a reverse proxy, its cache and its status page.
@Suite struct ServeOperationTests {
    @Test func aHangupReadsTheTokensAgain() throws {
        try withFolder { folder in
            let (old, new) = ("old-old-old-old-old", "new-new-new-new-new")
            func ask(_ token: String, _ service: Service) throws -> Int {
                try service.ask("GET", "/metrics", ["Authorization": "Bearer \(token)"]).status
            }
            func write(_ text: String) throws {
                try folder.write("new", text)
                chmod(folder.path("new"), 0o600)
                #expect(rename(folder.path("new"), folder.path("tokens")) == 0)
            }
            try write(old)
            let service = try Service(["--token-file", "tokens"], in: folder)
            #expect(try ask(old, service) == 200)
            try write("\(new) somebody")
            kill(service.child.id, SIGHUP)
            #expect(try eventually { try ask(new, service) == 200 })
            #expect(try ask(old, service) == 401)
            // An invalid file changes nothing.
            try write("short")
            kill(service.child.id, SIGHUP)
            #expect(
                eventually {
                    let text = service.child.text(1)
                    return service.child.hasEnded || text.contains("nothing was changed: --token-file: line 1")
                })
            #expect(try ask(new, service) == 200)
        }
    }

    @Test func itIsReadyOnceAViewIsWarm() throws {
        try withFolder { folder in
            let service = try Service(["--warm"], in: folder)
            #expect(try eventually { try service.ask("GET", "/readyz").status == 200 })
            #expect(try service.ask("GET", "/metrics").text.contains("offstage_events_total{kind=\"drawn\"} 1\n"))
            let cold = try folder.make("cold")
            let other = try Service(["--warm"], environment: ["PATH": cold.path], in: cold)
            #expect(eventually { other.child.hasEnded || other.child.text(1).contains("no view is warm: ") })
            let answer = try other.ask("GET", "/readyz")
            #expect(answer.status == 503)
            #expect(answer.code == "not-warm")
            #expect(try other.ask("GET", "/healthz").status == 200)
        }
    }

    @Test func whileItDrainsItAnswersAndIsNotReady() throws {
        try withFolder { folder in
            let service = try Service(["--drain", "600"], in: folder)
            #expect(try service.ask("GET", "/readyz").status == 200)
            kill(service.child.id, SIGTERM)
            #expect(try eventually { try service.ask("GET", "/readyz").code == "draining" })
            #expect(try service.draw(row()).status == 200)
            // The second signal ends the service at once.
            kill(service.child.id, SIGTERM)
            #expect(try service.child.wait().code == 128 + SIGTERM)
            let brief = try Service(["--drain", "0.2"], in: folder)
            #expect(try brief.stop().code == 0)
        }
    }

    @Test func behindAProxy() throws {
        try withFolder { folder in
            let service = try Service(
                ["--listen", "127.0.0.1:0", "--proxy-host", "Pictures.example.org"], in: folder)
            let port = try #require(service.child.text(1).firstMatch(of: #/127\.0\.0\.1:([0-9]+)/#)?.1)
            func status(_ headers: String...) throws -> String {
                let arguments = [
                    "-s", "-w", "%{http_code}", "-o", "out", "-H", "Content-Type: text/html", "-d", "<p>a",
                ]
                return try Child(
                    ["/usr/bin/curl"] + arguments + headers.flatMap { ["-H", $0] }
                        + ["http://127.0.0.1:\(port)/v1/images"], folder: folder.path
                ).wait().text
            }
            #expect(try status() == "200")
            #expect(try status("Host: pictures.example.org") == "200")
            #expect(try status("Host: pictures.example.org:8443") == "200")
            #expect(try status("Host: other.example.org") == "421")
            // A browser asks the proxy, which in turn uses this machine's name.
            #expect(try status("Origin: https://pictures.example.org") == "200")
            #expect(try status("Origin: https://pictures.example.org.evil.example") == "403")
            #expect(try status("Origin: https://evil.example") == "403")
            let wrong = try Offstage.run("serve", "--socket", "x", "--proxy-host", "https://example.org", in: folder)
            #expect(wrong.code == 2)
            #expect(wrong.error.contains("--proxy-host takes the name of a host without a port"))
        }
    }

    @Test func aCacheThatOthersCanWriteToIsRefused() throws {
        try withFolder { folder in
            try folder.make("cache")
            chmod(folder.path("cache"), 0o777)
            let outcome = try Offstage.run("serve", "--socket", "s", "--cache", "cache", in: folder)
            #expect(outcome.code == 2)
            #expect(outcome.error.contains("other accounts can write to it; `chmod go-w` it"), "\(outcome.error)")
            try folder.write("a.html", row())
            let drawn = try Offstage.run("render", "a.html", "-o", "a.png", "--cache", "cache", in: folder)
            #expect(drawn.code == 0)
            #expect(drawn.error.contains("is not used: other accounts can write to it"), "\(drawn.error)")
            #expect(folder.files("cache") == [])
        }
    }

    @Test func whatIsRemovedIsNotOnTheStatusPage() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            for name in ["secret", "other"] {
                let put = try service.ask("PUT", "/v1/images/\(name)", ["Content-Type": "text/html"], "<p>\(name)")
                #expect(put.status == 201)
            }
            let bytes = try service.ask("GET", "/v1/images/secret").body.base64EncodedString()
            #expect(try service.ask("GET", "/").text.contains(bytes))
            #expect(try service.ask("DELETE", "/v1/images/secret").status == 204)
            let page = try service.ask("GET", "/").text
            #expect(!page.contains(bytes))
            #expect(!page.contains("secret"))
            #expect(page.contains("other"))
        }
    }

    @Test func whatKilledRunsLeftIsRemoved() throws {
        try withFolder { folder in
            var info = stat()
            #expect(stat("/proc/self/ns/pid", &info) == 0)
            let dead = try Child(["true"], folder: folder.path)
            _ = try dead.wait()
            let (gone, alive) = ("offstage-run-\(info.st_ino)-\(dead.id)", "offstage-run-\(info.st_ino)-\(getpid())")
            // The number belongs to another container.
            let foreign = "offstage-run-1-\(dead.id)"
            let (filter, other) = ("offstage-filter-\(info.st_ino)-\(dead.id)-7", "offstage-filter-1-\(dead.id)-7")
            for name in [gone, alive, foreign, filter, other] { try folder.write("run/\(name)/.flatpak/info", "x") }
            try folder.write("a.html", row())
            let outcome = try Offstage.run(
                "render", "a.html", "-o", "a.png", "--no-cache", environment: ["TMPDIR": folder.path("run")], in: folder
            )
            #expect(outcome.code == 0)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("run"))
            #expect(left.sorted() == [alive, foreign, other].sorted())
        }
    }
}
