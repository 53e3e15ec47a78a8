import Foundation
import Testing

/// The end of a service and of everything that it depends on. One test at a time, because each event must occur at
/// the right moment.
@Suite(.serialized) struct ServeStoppingTests {
    private let html = ["Content-Type": "text/html", "Connection": "close"]

    private func clients(_ count: Int, of service: Service, height: Int = 2000) throws -> [Client] {
        try (0..<count).map { index in
            let client = try Client(service.socket)
            try client.send("POST", "/v1/images", html, row("rgb(\(index),1,2)", height: height + index))
            return client
        }
    }

    @Test func whatIsInWorkIsAnswered() throws {
        try withFolder { folder in
            // A slow machine takes longer than the default for 20 drawings.
            let service = try Service(["--stop-timeout", "600"], in: folder)
            let clients = try clients(20, of: service)
            #expect(try eventually { try service.metric("events_total{kind=\"submitted\"}") == 20 })
            let idle = try Client(service.socket)
            let outcome = try service.stop()
            #expect(outcome.code == 0, "\(outcome.error)")
            for client in clients { #expect(try client.answer().status == 200) }
            #expect(idle.isEnded)
            #expect(throws: (any Error).self) { try Client(service.socket) }
        }
    }

    @Test func whatCannotBeDrawnAnyMoreIsGivenBack() throws {
        try withFolder { folder in
            let service = try Service(["--stop-timeout", "1"], in: folder)
            #expect(try service.ask("POST", "/v1/suspensions").status == 201)
            let clients = try clients(5, of: service)
            #expect(try eventually { try service.metric("drawings_waiting") == 5 })
            let outcome = try service.stop()
            #expect(outcome.code == 0)
            for client in clients {
                let answer = try client.answer()
                #expect(answer.status == 503)
                #expect(answer.headers["retry-after"] == "1")
            }
        }
    }

    /// Requests whose drawings finish in time are answered. The others are refused when the current drawing ends.
    @Test func whatIsNotDrawnInTimeIsGivenBack() throws {
        try withFolder { folder in
            let options = [
                "--stop-timeout", "2", "--allow-javascript", "--timeout", "600", "--grace", "600", "--jobs", "1",
            ]
            let service = try Service(options, in: folder)
            #expect(try service.draw(row()).status == 200)
            let looping = try Client(service.socket)
            try looping.send("POST", "/v1/images?javascript=true", html, "<p>x<script>for(;;);</script>")
            #expect(try eventually { try service.metric("drawings_running") == 1 })
            let waiting = try clients(30, of: service)
            #expect(try eventually { try service.metric("drawings_waiting") == 30 })
            let outcome = try service.stop()
            #expect(outcome.code == 0, "\(outcome.error)")
            // The requests behind the script are refused when the service stops, and none of them is drawn.
            for client in waiting { #expect(try client.answer().status == 503) }
            #expect(try looping.answer().status == 503)
        }
    }

    /// The script would loop for a minute. If the service waited for it, the test would reach its own limit.
    @Test func aLoopingScriptDoesNotHoldUpTheEnd() throws {
        try withFolder { folder in
            let options = [
                "--stop-timeout", "1", "--allow-javascript", "--timeout", "600", "--grace", "600", "--jobs", "1",
            ]
            let service = try Service(options, in: folder)
            #expect(try service.draw(row()).status == 200)
            let client = try Client(service.socket)
            try client.send("POST", "/v1/images?javascript=true", html, "<p>x<script>for(;;);</script>")
            #expect(try eventually { try service.metric("drawings_running") == 1 })
            let processes = ProcessTable.descendants(of: service.child.id)
            let outcome = try service.stop()
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(try client.answer().status == 503)
            #expect(eventually { processes.allSatisfy { kill($0.id, 0) != 0 } })
        }
    }

    /// Each kill makes at most the pictures in progress fail, and every client gets an answer.
    @Test(arguments: ["WebKitWebProces", "WebKitNetworkPr", "Xvfb"]) func aProcessIsKilled(name: String) throws {
        try withFolder { folder in
            let service = try Service(["--no-sandbox"], in: folder)
            #expect(try service.draw(row()).status == 200)
            for round in 0..<2 {
                let clients = try (0..<12).map { index in
                    let client = try Client(service.socket)
                    try client.send("POST", "/v1/images", html, row("rgb(\(index),\(round),2)", height: 900))
                    return client
                }
                let victims = ProcessTable.descendants(of: service.child.id).filter { $0.name == name }
                // Documents that load nothing do not need the network process.
                #expect(!victims.isEmpty || round > 0 && name == "WebKitNetworkPr")
                for victim in victims { kill(victim.id, SIGKILL) }
                let statuses = try clients.map { try $0.answer().status }
                #expect(statuses.allSatisfy { $0 == 200 || $0 == 503 || $0 == 422 }, "\(statuses)")
                #expect(statuses.count { $0 == 200 } >= 10, "\(statuses)")
                #expect(try service.draw(row("rgb(7,7,\(round))")).status == 200)
            }
            #expect(try service.stop().code == 0)
        }
    }
}
