import Foundation
import Testing

/// `pipe --via`: other machines draw for the program.
@Suite struct SharedPipeTests {
    @Test func theAnswersAreThoseOfAPipeThatDraws() throws {
        let url = try Machines.database()
        try withFolder { folder in
            try folder.write("style.css", "p { color: #c03; font-size: 30px }")
            try folder.write("styled.html", "<link rel=stylesheet href=style.css><p>Styled")
            let nobody = try PipeProgram("--via", url, in: folder).child.wait()
            #expect(nobody.code == 3)
            #expect(
                nobody.errorLines == [
                    "offstage: no machine takes jobs from this database; start one with: offstage work --shared URL"
                ])
            let lines =
                (0..<12).map { request("\($0)", #""inline": true, "identifier": "row/\#($0)""#, height: 20 + $0) } + [
                    #"{"id": "file", "file": "\#(folder.path)/styled.html", "inline": true}"#,
                    #"{"id": "empty", "html": " ", "inline": true}"#,
                    #"{"id": "wrong", "html": "a", "width": -1}"#,
                    #"{"id": "parts", "html": "<p>1<p>2", "selector": "p", "each": true, "inline": true}"#,
                ]
            func answers(_ options: String..., cache: String) throws -> [[String: Any]] {
                let arguments = ["pipe", "--ordered", "--cache", cache] + options
                let child = try Child(
                    [Offstage.path] + arguments, stdin: Data((lines.joined(separator: "\n") + "\n").utf8),
                    folder: folder.path)
                let outcome = try child.wait()
                #expect(outcome.code == 1)
                for error in try Schema.result.errors(in: outcome.text.split(separator: "\n").map(String.init)) {
                    #expect(error == nil)
                }
                return try outcome.objects.map { object in
                    var object = object
                    object["milliseconds"] = nil
                    return object
                }
            }
            let worker = try Machines.worker(url, in: folder)
            let (here, there) = (try answers(cache: "here"), try answers("--via", url, cache: "there"))
            #expect(here.count == 16)
            for (here, there) in zip(here, there) { #expect(here as NSDictionary == there as NSDictionary) }
            // The worker drew the pictures, not this process.
            #expect(try Machines.query(url, "SELECT count(*) FROM offstage.picture") != ["0"])
            let again = try answers("--via", url, cache: "there")
            #expect(again.count { $0["kept"] as? Bool == true } == 14)
            try Machines.stop(worker)
        }
    }

    @Test func commandsReachTheQueueOfAllMachines() throws {
        let url = try Machines.database()
        try withFolder { folder in
            let worker = try Machines.worker(url, in: folder)
            try Machines.suspend(url)
            let pipe = try PipeProgram("--via", url, in: folder)
            // The first two requests are equal and share one job.
            pipe.send(
                request("a", #""group": "one""#, color: "red"), request("b", color: "red"),
                request("c", #""inline": true"#, color: "blue"), request("d", #""deadline": 0.2"#, color: "green"))
            #expect(try pipe.result("d").code == "late")
            #expect(try eventually { try !pipe.child.hasEnded && Machines.waiting(url) == 2 })
            pipe.send(#"{"id": "cancel", "command": "cancel", "group": "one"}"#)
            #expect(try pipe.result("a").code == "cancelled")
            // The other request still waits for the job.
            #expect(try Machines.waiting(url) == 2)
            pipe.send(#"{"id": "raise", "command": "reprioritise", "request": "c", "priority": "high"}"#)
            #expect(
                try eventually {
                    try !pipe.child.hasEnded
                        && Machines.query(url, "SELECT priority FROM offstage.job ORDER BY priority") == ["2", "3"]
                })
            // A suspension in this process holds back requests that have not been submitted.
            pipe.send(
                #"{"id": "suspend", "command": "suspend"}"#, request("e", color: "black"),
                request("f", #""immediate": true"#, color: "white"))
            #expect(try pipe.result("f").status == "drawn")
            #expect(try Machines.waiting(url) == 2)
            try Machines.resume(url)
            for id in ["b", "c"] { #expect(try pipe.result(id).status == "drawn") }
            #expect(try pipe.results(0).allSatisfy { $0.id != "e" })
            pipe.send(#"{"id": "resume", "command": "resume"}"#)
            #expect(try pipe.result("e").status == "drawn")
            #expect(try pipe.end().outcome.code == 1)
            try Machines.stop(worker)
        }
    }

    @Test(arguments: [SIGTERM, 0])
    func theEndOfAClientWithdrawsWhatWaits(signal: Int32) throws {
        let url = try Machines.database()
        try withFolder { folder in
            let worker = try Machines.worker(url, in: folder)
            try Machines.suspend(url)
            let pipe = try PipeProgram("--via", url, in: folder)
            for number in 0..<50 { pipe.send(request("\(number)", height: 10 + number)) }
            #expect(try eventually { try !pipe.child.hasEnded && Machines.waiting(url) == 50 })
            if signal == 0 { pipe.child.closeOutput() } else { kill(pipe.child.id, signal) }
            #expect(try pipe.child.wait().code == (signal == 0 ? 1 : 128 + signal))
            #expect(try Machines.waiting(url) == 0)
            #expect(try Machines.query(url, "SELECT count(*) FROM offstage.node") == ["1"])
            try Machines.stop(worker)
        }
    }
}
