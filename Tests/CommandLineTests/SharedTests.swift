import Foundation
import PostgresCluster
import Testing

/// Several machines: `offstage shared`, `work`, `serve --shared` and `render --via`.
@Suite struct SharedTests {
    @Test func wrongUse() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            for (arguments, message) in [
                (["shared"], "name an action for the shared database: init, stats, nodes, dead, retry or trim"),
                (["shared", "intt", "x"], "shared has no action 'intt'; did you mean init?"),
                (["shared", "init"], "shared init needs one database: offstage shared init URL"),
                (["shared", "retry", "host=a", "b"], "'b' is not a key; `offstage shared dead URL` lists them"),
                (["shared", "stats", "host=a", "--days", "1"], "--days and --bytes require trim"),
                (
                    ["shared", "stats", "a"],
                    "'a' is not a database address; use one such as postgresql://HOST/DATABASE or service=NAME"
                ),
                (
                    ["shared", "stats", "mysql://me:secret@host/data"],
                    "this is not a database address; use one such as postgresql://HOST/DATABASE or service=NAME"
                ),
                (
                    ["shared", "stats", "postgresql://me:secret@[::1"],
                    "not a connection string of PostgreSQL: end of string reached when looking for matching \"]\" in IPv6 host "
                        + "address in URI: …"
                ),
                (["work"], "work needs the database with the queue: offstage work --shared URL"),
                (
                    ["work", "--shared", "host=a", "--only", "html,sounds"],
                    "--only takes sources such as pdf,image, not 'sounds'; there are html, image, pdf, sound and ink"
                ),
                (
                    ["work", "--shared", "host=a", "--token-file", "t"],
                    "--token-file requires --socket or --listen"
                ),
                (
                    ["work", "--shared", "postgresql://me:secret@db/offstage"],
                    "--shared: the connection string has a password, which every account of this machine can see; put it "
                        + "into ~/.pgpass (PGPASSFILE) or a service file"
                ),
                (
                    ["render", "a.html", "--via", "host=a", "--no-cache"],
                    "--via needs the cache, and --no-cache turns it off; use one"
                ),
                (
                    ["render", "a.html", "--via", "host=a", "--watch"],
                    "--watch renders on this machine, so it cannot be combined with --via; leave one out"
                ),
                (
                    ["pipe", "--via", "host=a", "--no-cache"],
                    "--via needs the cache, and --no-cache turns it off; use one"
                ),
                (
                    ["pipe", "--via", "host=a", "--allow-host", "a.org"],
                    "--allow-host loads files that may differ on another machine, so its pictures are not shared; use it without "
                        + "--via"
                ),
            ] {
                let outcome = try Child([Offstage.path] + arguments, folder: folder.path).wait()
                #expect(outcome.code == 2)
                #expect(outcome.errorLines == ["offstage: \(message)"])
            }
            let url = Cluster.shared.database()
            let outcome = try Child([Offstage.path, "shared", "stats", url], folder: folder.path).wait()
            #expect(outcome.code == 1)
            #expect(
                outcome.errorLines == [
                    "offstage: the database does not have Offstage's tables; create them with: offstage shared init URL"
                ])
        }
    }

    /// Files beside documents and files in options are sent with them, and the pictures are the same.
    @Test func anotherProcessDraws() throws {
        let url = try Machines.database()
        try withFolder { folder in
            try folder.write(
                "in/page.html", "<link rel=stylesheet href=style.css><h1>Styled</h1><img src='a/dot.svg'>")
            try folder.write("in/style.css", "h1 { background: url(a/back.svg) }")
            for (name, color) in [("dot", "#0a7"), ("back", "#fc0")] {
                try folder.write(
                    "in/a/\(name).svg",
                    "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='6' height='9' fill='\(color)'/></svg>"
                )
            }
            for number in 0..<20 { try folder.write("in/\(number).html", "<p>Row \(number % 15)") }
            try folder.write("in/broken.html", " ")
            try folder.write("extra.css", "p { color: #c03 }")
            let options = ["render", "in", "--css", "extra.css", "--json"]
            let nobody = try Child(
                [Offstage.path] + options + ["--out", "remote", "--via", url], folder: folder.path
            ).wait()
            #expect(nobody.code == 3)
            #expect(
                nobody.errorLines == [
                    "offstage: no machine takes jobs from this database; start one with: offstage work --shared URL"
                ])
            let worker = try Machines.worker(url, in: folder)
            let remote = try Child(
                [Offstage.path] + options + ["--out", "remote", "--via", url, "--cache", "cache-client"],
                folder: folder.path
            ).wait()
            let local = try Child(
                [Offstage.path] + options + ["--out", "local", "--no-cache"], folder: folder.path
            ).wait()
            #expect(remote.code == 1 && local.code == 1)
            #expect(folder.files("remote").sorted() == folder.files("local").sorted())
            #expect(folder.files("local").count == 21)
            for file in folder.files("local") {
                #expect(try folder.data("remote/\(file)") == folder.data("local/\(file)"), "\(file)")
            }
            // Equal rows are taken from the cache, as when drawing locally.
            #expect(try remote.objects.count { $0["path"] != nil && $0["kept"] == nil } >= 16)
            func failures(_ outcome: Outcome) throws -> [String] {
                try outcome.objects.compactMap { $0["error"] as? String }
            }
            #expect(try failures(remote) == failures(local))
            let nodes = try Child([Offstage.path, "shared", "nodes", url, "--json"], folder: "/").wait().objects
            #expect(nodes.count == 1 && nodes.first?["slots"] as? Int == 1 && nodes.first?["live"] as? Bool == true)
            try Machines.stop(worker)
            #expect(try Child([Offstage.path, "shared", "nodes", url], folder: "/").wait().text == "")
            let stats = try Child([Offstage.path, "shared", "stats", url, "--json"], folder: "/").wait().objects
            #expect(stats.first?["counters"] as? [String: Int] == [:])
            #expect((stats.first?["pictures"] as? Int ?? 0) >= 18)
        }
    }

    @Test func aClientsWishForScriptsIsTheWorkersToGrant() throws {
        let url = try Machines.database()
        try withFolder { folder in
            try folder.write("a.html", "<p id=a>off<script>a.textContent = 'on'</script>")
            let arguments = ["render", "a.html", "--javascript", "--via", url, "-q"]
            var worker = try Machines.worker(url, in: folder)
            let refused = try Child([Offstage.path] + arguments, folder: folder.path).wait()
            #expect(refused.code == 1)
            #expect(refused.error.contains("do not run page scripts; start them with --allow-javascript"))
            try Machines.stop(worker)
            worker = try Machines.worker(url, ["--allow-javascript"], in: folder)
            let allowed = try Child([Offstage.path] + arguments, folder: folder.path).wait()
            #expect(allowed.code == 0, "\(allowed.error)")
            try Machines.stop(worker)
        }
    }

    @Test func everyServiceHasTheNewestPictureUnderAnIdentifier() throws {
        let url = try Machines.database()
        try withFolder { one in
            try withFolder { other in
                let services = [
                    try Service(["--shared", url], in: one), try Service(["--shared", url], in: other),
                ]
                var tags: [String?] = []
                for (index, html) in ["<p>first", "<p>second", "<p>third"].enumerated() {
                    let put = try services[index % 2].ask(
                        "PUT", "/v1/images/a", ["Content-Type": "text/html"], html)
                    #expect(put.status == (index == 0 ? 201 : 200))
                    for service in services {
                        let got = try service.ask("GET", "/v1/images/a")
                        #expect(got.status == 200 && got.headers["etag"] == put.headers["etag"])
                        tags.append(got.headers["etag"])
                    }
                }
                #expect(Set(tags).count == 3)
                #expect(try services[0].ask("DELETE", "/v1/images/a").status == 204)
                #expect(try services[1].ask("GET", "/v1/images/a").status == 404)
                // A picture that one machine has drawn is a hit on the other.
                let drawn = try services[0].draw("<p>shared")
                #expect(eventually { (try? services[1].draw("<p>shared").body) == drawn.body })
                let suspension = try services[0].ask("POST", "/v1/suspensions")
                #expect(suspension.status == 201)
                #expect(eventually { (try? services[1].metric("suspended")) == 1 })
                #expect(try services[1].metric("shared_up") == 1)
                #expect(try services[0].ask("POST", "/v1/suspensions/end").status == 303)
                #expect(eventually { (try? services[1].metric("suspended")) == 0 })
                for service in services { #expect(try service.stop().code == 0) }
            }
        }
    }

    @Test func anEndedRunWithdrawsItsRequests() throws {
        let url = try Machines.database()
        try withFolder { folder in
            for number in 0..<300 { try folder.write("in/\(number).html", "<p>Row \(number)") }
            let worker = try Machines.worker(url, in: folder)
            let run = try Child(
                [Offstage.path, "render", "in", "--out", "out", "--via", url, "-q"], folder: folder.path)
            #expect(try eventually { try Machines.waiting(url) > 0 })
            kill(run.id, SIGTERM)
            #expect(try run.wait().code == 128 + SIGTERM)
            #expect(try Machines.waiting(url) == 0)
            try Machines.stop(worker)
        }
    }

    @Test func aServiceWithoutRoomLetsAnotherOneDraw() throws {
        let url = try Machines.database()
        try withFolder { one in
            try withFolder { other in
                let services = [
                    try Service(["--shared", url], in: one), try Service(["--shared", url], in: other),
                ]
                let clients = try (0..<40).map { number in
                    let client = try Client(services[0].socket)
                    try client.send(
                        "POST", "/v1/images", ["Content-Type": "text/html", "Connection": "close"], "<p>\(number)")
                    return client
                }
                for client in clients { #expect(try client.answer().status == 200) }
                #expect(try services[0].metric(#"shared_events_total{kind="submitted"}"#) ?? 0 > 0)
                #expect(try services[1].metric(#"shared_events_total{kind="claimed"}"#) ?? 0 > 0)
                for service in services { #expect(try service.stop().code == 0) }
            }
        }
    }

    /// Only programs that share pictures load libpq.
    @Test func nobodyElseLoadsTheLibrary() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let debug = ["LD_DEBUG": "files"]
            let plain = try Child([Offstage.path, "render", "a.html", "-q"], environment: debug, folder: folder.path)
                .wait()
            #expect(plain.code == 0)
            #expect(plain.error.contains("libwebkit2gtk") && !plain.error.contains("libpq"))
            let shared = try Child(
                [Offstage.path, "shared", "stats", "host=/nowhere"], environment: debug, folder: folder.path
            ).wait()
            #expect(shared.code == 1 && shared.error.contains("libpq"))
        }
    }
}
