import Foundation
import Testing

/// `--allow-host`: opens the named hosts, and nothing else.
@Suite struct AllowHostOptionTests {
    @Test(arguments: ["127.0.0.1", "localhost"], [false, true])
    func anAllowedHost(name: String, inNamespace: Bool) throws {
        try with { server, folder in
            try folder.write("in/image.html", "<!doctype html><img src=http://\(name):\(server.port)/a.svg>")
            try folder.write(
                "in/style.html", "<!doctype html><link rel=stylesheet href=http://\(name):\(server.port)/a.css><p>text")
            for _ in 0..<2 {
                let outcome = try render(["\(name):\(server.port)"], isPrivate: true, inNamespace, folder)
                #expect(outcome.code == 0)
                for picture in ["image", "style"] {
                    #expect(try folder.picture("out/\(picture).png").count(of: Hostile.canary) > 100, "\(outcome.text)")
                }
            }
            // Nothing of the first run was cached; a style sheet's own URLs are loaded, too.
            #expect(server.requests.sorted() == ["/a.css", "/a.css", "/a.svg", "/a.svg", "/b.svg", "/b.svg"])
        }
    }

    /// A name that resolves to an address of this machine is refused, whatever the name is, because the address is
    /// what matters.
    @Test(arguments: ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0"]) func aPrivateAddress(name: String)
        throws
    {
        try with { server, folder in
            try folder.write("in/a.html", "<!doctype html><img src=http://\(name):\(server.port)/a.svg>")
            let outcome = try render(["\(name):\(server.port)"], isPrivate: false, true, folder)
            #expect(outcome.code == 0)
            #expect(outcome.text.contains(#""status":"incomplete""#))
            #expect(server.requests == [])
        }
    }

    /// Through a server's own public address, a document could reach services that a firewall hides from others.
    @Test(arguments: [
        ("address add 8.8.4.4/32 dev lo", "8.8.4.4"), ("address add 8.8.5.0/24 dev lo", "8.8.5.77"),
        ("route add local 7.7.7.0/24 dev lo", "7.7.7.7"),
        ("address add 2600:1901::5/128 dev lo nodad", "[2600:1901::5]"),
        ("route add local 2600:1902::/64 dev lo", "[2600:1902::7]"),
    ]) func aPublicAddressOfThisMachine(change: String, address: String) throws {
        let number = address.trimmingCharacters(in: ["[", "]"])
        let script = """
            ip link set lo up && ip \(change) || exit 9
            python3 -m http.server --bind :: 8000 >/dev/null 2>requests &
            until python3 -c "import socket; socket.create_connection(('\(number)', 8000)).close()" 2>/dev/null; do :; done
            "$@"; "$@" --allow-private-addresses
            kill $!
            """
        try withFolder { folder in
            try folder.write("in/a.html", "<!doctype html><img src=http://\(address):8000/a.svg>")
            try folder.write("a.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")
            let outcome = try Child(
                ["unshare", "--user", "--map-root-user", "--net", "sh", "-c", script, "sh"] + [
                    Offstage.path, "render", "in", "--out", "out", "--json", "--no-cache", "--no-sandbox",
                    "--allow-host", "\(address):8000",
                ], folder: folder.path
            ).wait()
            #expect(try outcome.objects.map { $0["status"] as? String } == ["incomplete", "drawn"], "\(outcome.text)")
            let warnings = try #require(try outcome.objects.first?["warnings"] as? [[String: Any]])
            #expect(warnings.map { $0["code"] as? String } == ["resource-refused"])
            // The requests of the second run.
            #expect(String(decoding: try folder.data("requests"), as: UTF8.self).matches(of: /GET/).count == 1)
        }
    }

    @Test(arguments: [false, true]) func otherHostsAndPorts(inNamespace: Bool) throws {
        try with { server, folder in
            let doors = try Doors()
            try folder.write(
                "in/a.html",
                """
                <!doctype html><img src=http://127.0.0.1:\(doors.tcp)/a.svg><img src=http://localhost:\(server.port)/b.svg>
                <img src=http://127.0.0.1:\(server.port)/redirect?http://127.0.0.1:\(doors.tcp)/c.svg><iframe src=http://127.0.0.1:\(server.port)/frame></iframe>
                <style>@import url(http://127.0.0.1:\(server.port)/redirect?http://127.0.0.1:\(doors.tcp)/c.svg#2);</style>
                """)
            let outcome = try render(["127.0.0.1:\(server.port)"], isPrivate: true, inNamespace, folder)
            #expect(outcome.code == 0)
            #expect(doors.visitors() == 0)
            #expect(Set(server.requests) == ["/redirect?http://127.0.0.1:\(doors.tcp)/c.svg"])
        }
    }

    @Test(arguments: [
        (
            ["--allow-host", "http://example.org"],
            "--allow-host takes a host such as example.org or example.org:8080, not 'http://example.org'"
        ),
        (
            ["--allow-host", "*.example.org"],
            "--allow-host takes a host such as example.org or example.org:8080, not '*.example.org'"
        ),
        (
            ["--allow-host", "a:99999"],
            "--allow-host takes a host such as example.org or example.org:8080, not 'a:99999'"
        ),
        (["--allow-private-addresses"], "--allow-private-addresses requires --allow-host"),
    ])
    func wrongUse(options: [String], message: String) throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let outcome = try Child([Offstage.path, "render", "a.html", "-o", "a.png"] + options, folder: folder.path)
                .wait()
            #expect(outcome.code == 2)
            #expect(outcome.error == "offstage: \(message)\n")
        }
    }

    private func render(
        _ hosts: [String], isPrivate: Bool, _ inNamespace: Bool, _ folder: Folder
    ) throws -> Outcome {
        try Child(
            (inNamespace ? [] : Hostile.withoutNamespaces) + [
                Offstage.path, "render", "in", "--out", "out", "--json", "--timeout", "5", "--cache", "cache",
            ] + hosts.flatMap { ["--allow-host", $0] } + (isPrivate ? ["--allow-private-addresses"] : []),
            folder: folder.path
        ).wait()
    }

    private func with(_ body: (PictureServer, Folder) throws -> Void) throws {
        try withFolder { folder in try body(try PictureServer(in: folder), folder) }
    }
}
