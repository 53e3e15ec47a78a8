import Foundation
import Testing

/// Documents that try to reach the network, files and each other: Tests/Hostile. The first line of each describes its
/// attack and the expected outcome. A successful attack shows the canary's colour.
@Suite(.serialized) struct HostileTests {
    @Test(arguments: [false, true]) func withoutScripts(inNamespace: Bool) throws {
        try Hostile.with { hostile in
            let results = try hostile.draw([], inNamespace: inNamespace)
            for document in hostile.documents where !document.needsScripts {
                #expect(results[document.name] == document.outcome, "\(document.name): \(document.tries)")
            }
        }
    }

    @Test(arguments: [false, true]) func withScripts(inNamespace: Bool) throws {
        try Hostile.with { hostile in
            // Without namespaces, there is no sandbox either.
            let options = ["--javascript"] + (inNamespace ? [] : ["--no-sandbox"])
            let results = try hostile.draw(options, inNamespace: inNamespace)
            for document in hostile.documents where document.needsScripts {
                #expect(results[document.name] == document.outcome, "\(document.name): \(document.tries)")
            }
        }
    }

    @Test func thereAreManyOfEachKind() throws {
        try Hostile.with { hostile in
            for (kind, count) in [("network", 30), ("files", 25), ("script", 25), ("state", 60)] {
                #expect(hostile.documents.count { $0.name.hasPrefix(kind + "/") } >= count, "\(kind)")
            }
        }
    }

    /// Checks that the watchers notice each access, because the other tests rely on that.
    @Test func theWatchersNotice() throws {
        try Hostile.with { hostile in
            #expect(try hostile.folder.picture("in/canary.png").count(of: Hostile.canary) > 0)
            #expect(hostile.untouched.isTouched)
            #expect(!hostile.untouched.isTouched)
            let address = "/dev/tcp/127.0.0.1/\(hostile.doors.tcp)"
            _ = try Child(["bash", "-c", "exec 3<>\(address)"], folder: "/").wait()
            #expect(hostile.doors.visitors() == 1)
            _ = try Child(["bash", "-c", "echo x >/dev/udp/127.0.0.1/\(hostile.doors.udp)"], folder: "/").wait()
            #expect(hostile.doors.visitors() == 1)
        }
    }

    /// Every process that sees a document is in its own network namespace, even with allowed hosts, and the program
    /// stays in ours.
    @Test(arguments: [[], ["--allow-host", "example.org"]]) func theProcessesHaveNoNetwork(options: [String]) throws {
        try LongRun.with(options) { run in
            func namespace(_ id: pid_t) throws -> String {
                try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/ns/net")
            }
            let own = try namespace(getpid())
            #expect(try namespace(run.child.id) == own)
            for process in run.processes where process.name.hasPrefix("WebKit") {
                #expect(try namespace(process.id) != own, "\(process)")
                let interfaces = try String(contentsOfFile: "/proc/\(process.id)/net/dev", encoding: .utf8)
                #expect(interfaces.split(separator: "\n").dropFirst(2).allSatisfy { $0.contains("lo:") })
            }
            kill(run.child.id, SIGTERM)
        }
    }

    @Test func doctorTellsWhereTheSystemAllowsNoNamespace() throws {
        try withFolder { folder in
            let outcome = try Offstage.run("doctor", in: folder, prefix: Hostile.withoutNamespaces)
            #expect(outcome.code == 0)
            #expect(
                outcome.text.contains(
                    #/(?m)^note  network-namespace +WebKit's processes share this machine's network: /#))
            #expect(outcome.text.contains(#/(?m)^ok    drawing /#))
        }
    }
}
