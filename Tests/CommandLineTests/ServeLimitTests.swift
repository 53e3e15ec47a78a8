import Foundation
import Testing

/// How the service handles requests that are too large, too many requests, and unknown clients.
@Suite struct ServeLimitTests {
    @Test func tooLargeABody() throws {
        try withFolder { folder in
            let service = try Service(["--max-body", "100000"], in: folder)
            let large = String(repeating: "x", count: 200_000)
            let said = try service.draw(large)
            #expect(said.status == 413)
            #expect(said.code == "body-too-large")
            // A chunked body does not announce its length.
            let client = try Client(service.socket)
            let headers = ["Content-Type": "text/html", "Transfer-Encoding": "chunked", "Connection": "close"]
            try client.send("POST", "/v1/images", headers, nil)
            for _ in 0..<20 { try client.write("2710\r\n\(String(repeating: "x", count: 10_000))\r\n") }
            try client.write("0\r\n\r\n")
            #expect(try client.answer().status == 413)
            #expect(try service.draw(String(repeating: "x", count: 90_000)).status == 200)
        }
    }

    @Test func tooManyWait() throws {
        try withFolder { folder in
            let service = try Service(["--max-waiting", "2"], in: folder)
            let lease = try service.ask(
                "POST", "/v1/suspensions", ["Content-Type": "application/json"], #"{"seconds": 600}"#)
            #expect(lease.status == 201)
            let clients = try (0..<3).map { index in
                let client = try Client(service.socket)
                let headers = ["Content-Type": "text/html", "Connection": "close"]
                try client.send("POST", "/v1/images", headers, row("rgb(0,0,\(index))"))
                #expect(
                    try eventually { try service.metric("drawings_waiting") == Double(min(index + 1, 2)) })
                return client
            }
            // The oldest request was refused.
            let refused = try clients[0].answer()
            #expect(refused.status == 429)
            #expect(refused.code == "queue-full")
            #expect(refused.headers["retry-after"] == "1")
            // An immediate request is drawn, and its deadline ends a waiting one.
            #expect(try service.draw(row("teal"), "immediate").status == 200)
            let late = try service.draw(row("navy"), "deadline=0.2&priority=high")
            #expect(late.status == 504)
            #expect(late.code == "deadline-passed")
            let id = try #require(lease.object["identifier"] as? String)
            #expect(try service.ask("DELETE", "/v1/suspensions/\(id)").status == 204)
            #expect(try clients[2].answer().status == 200)
        }
    }

    @Test func clientsThatLeaveAreNotDrawnFor() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            #expect(try service.ask("POST", "/v1/suspensions").status == 201)
            let client = try Client(service.socket)
            try client.send("POST", "/v1/images", ["Content-Type": "text/html"], row())
            #expect(try eventually { try service.metric("drawings_waiting") == 1 })
            client.close()
            #expect(try eventually { try service.metric("drawings_waiting") == 0 })
            #expect(eventually { service.child.hasEnded || service.child.text(1).contains("POST /v1/images - 0 ") })
            #expect(try service.ask("GET", "/metrics").text.contains("offstage_events_total{kind=\"cancelled\"} 1\n"))
        }
    }

    /// The service cannot read the end of a client's data yet: before it are requests for which it has no slot.
    @Test(arguments: [false, true]) func clientsThatLeaveWithFullBuffersAreNotDrawnFor(isNetwork: Bool) throws {
        try withFolder { folder in
            let service = try Service(["--listen", "127.0.0.1:0"], in: folder)
            #expect(try service.ask("POST", "/v1/suspensions").status == 201)
            let client = try isNetwork ? Client(port: service.port) : Client(service.socket)
            try client.send("POST", "/v1/images", ["Content-Type": "text/html"], row())
            #expect(try eventually { try service.metric("drawings_waiting") == 1 })
            // More than the service reads while an answer is pending, but less than the kernel buffers.
            try client.send("POST", "/v1/images", ["Content-Type": "text/html"], String(repeating: " ", count: 50_000))
            client.close()
            #expect(try eventually { try service.metric("drawings_waiting") == 0 })
        }
    }

    @Test func oneConnectionServesManyRequestsAndIsClosedWhenIdle() throws {
        try withFolder { folder in
            let service = try Service(["--idle-timeout", "1", "--max-connections", "3"], in: folder)
            let client = try Client(service.socket)
            for count in 1...3 {
                try client.send("GET", "/healthz", [:], nil)
                let text = client.text(until: String(repeating: "ok\n", count: 1))
                #expect(text.components(separatedBy: "HTTP/1.1 200").count >= 2, "\(count)")
            }
            // Three silent connections: one that has sent requests, and two that have not.
            let silent = try (0..<2).map { _ in try Client(service.socket) }
            #expect(try eventually { try Client(service.socket).isEnded })
            #expect(client.isEnded)
            for one in silent { #expect(one.isEnded) }
            #expect(try service.ask("GET", "/healthz").status == 200)
        }
    }

    /// Connections are freed when clients leave, even without closing them.
    @Test func connectionsAreGivenBack() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            func connect(_ count: Int) throws {
                for _ in 0..<count {
                    let client = try Client(service.socket)
                    try client.send("GET", "/healthz", [:], nil)
                    #expect(client.text(until: "ok\n").contains("200 OK"))
                    client.close()
                }
                #expect(try eventually { try service.metric("http_connections") == 1 })
            }
            func residentPages() throws -> Int {
                let text = try String(contentsOfFile: "/proc/\(service.child.id)/statm", encoding: .ascii)
                return Int(text.split(separator: " ")[1]) ?? 0
            }
            try connect(300)
            let before = try residentPages()
            // Each connection used to leak 2 KB.
            try connect(1500)
            #expect(try (residentPages() - before) * 4096 < 1_000_000)
            let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(service.child.id)/fd")
            #expect(files.count < 40)
        }
    }

    @Test func soMuchIsInMemory() throws {
        try withFolder { folder in
            /// - Returns: the bytes and the number of files in memory, and whether a later answer equals the first
            ///   one.
            func keep(_ options: [String]) throws -> (bytes: Double, files: Double, isSame: Bool) {
                let service = try Service(options, in: folder)
                for index in 0..<100 {
                    #expect(try service.draw(row("rgb(\(index),0,0)"), "width=100").status == 200)
                    let path = "/v1/images/\(index)"
                    _ = try service.ask("PUT", path, ["Content-Type": "text/html"], row("rgb(0,\(index),0)"))
                    #expect(try service.ask("GET", path).status == 200)
                }
                let before = try service.draw(row("rgb(3,0,0)"), "width=100")
                let again = try service.draw(row("rgb(3,0,0)"), "width=100")
                let bytes = try #require(try service.metric("memory_bytes"))
                let files = try #require(try service.metric("memory_files"))
                #expect(try service.stop().code == 0)
                return (bytes, files, before.body == again.body && before.status == 200)
            }
            let all = try keep([])
            #expect(all.files >= 200)
            let some = try keep(["--memory", "60000"])
            #expect(some.bytes <= 60_000 && some.files > 0 && some.files < all.files && some.isSame)
            let none = try keep(["--memory", "0"])
            #expect(none.bytes == 0 && none.files == 0 && none.isSame)
        }
    }

    @Test func theTokenIsAskedFor() throws {
        try withFolder { folder in
            let token = "0123456789abcdef0123456789abcdef"
            try folder.write("token", token + "\n")
            chmod(folder.path("token"), 0o644)
            let refused = try Offstage.run("serve", "--socket", "s", "--token-file", "token", in: folder)
            #expect(refused.code == 2)
            #expect(refused.error.contains("others can read token; `chmod 600` it"))
            chmod(folder.path("token"), 0o600)
            let service = try Service(["--token-file", "token"], in: folder)
            let basic = "Basic " + Data("me:\(token)".utf8).base64EncodedString()
            for header in ["Bearer \(token)", "bearer  \(token)", basic] {
                #expect(try service.draw(row(), "", ["Authorization": header]).status == 200, "\(header)")
            }
            for header in ["Bearer \(token)x", "Bearer \(token.dropLast())", "Bearer", "Basic x", "", token] {
                let answer = try service.draw(row(), "", ["Authorization": header])
                #expect(answer.status == 401, "\(header)")
                #expect(answer.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
            }
            #expect(try service.ask("GET", "/v1/nothing").status == 401)
            #expect(try service.ask("GET", "/metrics").status == 401)
            #expect(try service.ask("GET", "/healthz").status == 200)
        }
    }

    @Test func theSocketIsTheUsersAlone() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            var info = stat()
            #expect(stat(service.socket, &info) == 0)
            #expect(info.st_mode & 0o777 == 0o600)
            let second = try Offstage.run("serve", "--socket", "s", in: folder)
            #expect(second.code == 2)
            #expect(second.error.contains("another service listens at"))
            #expect(try service.ask("GET", "/healthz").status == 200)
            try folder.write("file", "x")
            let third = try Offstage.run("serve", "--socket", "file", in: folder)
            #expect(third.code == 2)
            #expect(third.error.contains("exists and is not a socket"))
            #expect(try service.stop().code == 0)
            #expect(lstat(service.socket, &info) != 0)
        }
    }
}
