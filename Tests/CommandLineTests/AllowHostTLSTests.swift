import Foundation
import Testing

/// `--allow-host` over https: WebKit itself verifies certificates, through the proxy's tunnel.
@Suite struct AllowHostTLSTests {
    @Test(arguments: [false, true]) func anAuthorityThatIsTrusted(inNamespace: Bool) throws {
        try with { server, certificate, folder in
            try folder.write("in/image.html", "<!doctype html><img src=https://localhost:\(server.port)/a.svg>")
            try folder.write(
                "in/style.html",
                "<!doctype html><link rel=stylesheet href=https://localhost:\(server.port)/a.css><p>text")
            let outcome = try render(
                server, certificate.trusted + (inNamespace ? [] : Hostile.withoutNamespaces), folder)
            #expect(outcome.code == 0)
            for object in try outcome.objects { #expect(object["status"] as? String == "drawn", "\(outcome.text)") }
            for picture in ["image", "style"] {
                #expect(try folder.picture("out/\(picture).png").count(of: Hostile.canary) > 100, "\(outcome.text)")
            }
            #expect(server.requests.sorted() == ["/a.css", "/a.svg", "/b.svg"])
        }
    }

    /// An unknown certificate authority, and a certificate for another name: the picture lacks the image, with a warning, and
    /// the server gets no request.
    @Test(arguments: [("localhost", false), ("127.0.0.1", true)])
    func aCertificateThatProvesNothing(name: String, isTrusted: Bool) throws {
        try with { server, certificate, folder in
            let url = "https://\(name):\(server.port)/a.svg"
            try folder.write("in/a.html", "<!doctype html><img src=\(url)><p>text")
            let outcome = try render(server, isTrusted ? certificate.trusted : [], folder)
            #expect(outcome.code == 0)
            let object = try #require(try outcome.objects.first)
            #expect(object["status"] as? String == "incomplete")
            let warnings = try #require(object["warnings"] as? [[String: String]])
            #expect(warnings.map { $0["subject"] } == [url], "\(warnings)")
            #expect(warnings.map { $0["code"] } == ["resource-refused"], "\(warnings)")
            #expect(warnings.first?["reason"]?.contains("has an untrusted certificate") == true, "\(warnings)")
            #expect(try folder.picture("out/a.png").count(of: Hostile.canary) == 0)
            #expect(server.requests == [])
        }
    }

    @Test(arguments: ["http", "https"]) func aRedirectToAnotherHost(scheme: String) throws {
        try with { server, certificate, folder in
            let doors = try Doors()
            let target = "\(scheme)://127.0.0.1:\(doors.tcp)/c.svg"
            try folder.write(
                "in/a.html", "<!doctype html><img src='https://localhost:\(server.port)/redirect?\(target)'><p>text")
            let outcome = try render(server, certificate.trusted, folder)
            #expect(outcome.code == 0)
            let object = try #require(try outcome.objects.first)
            #expect(object["status"] as? String == "incomplete", "\(outcome.text)")
            #expect(doors.visitors() == 0)
            #expect(server.requests == ["/redirect?\(target)"])
        }
    }

    private func render(_ server: PictureServer, _ prefix: [String], _ folder: Folder) throws -> Outcome {
        try Child(
            prefix + [
                Offstage.path, "render", "in", "--out", "out", "--json", "--timeout", "5", "--no-cache",
                "--allow-private-addresses",
            ] + ["localhost", "127.0.0.1"].flatMap { ["--allow-host", "\($0):\(server.port)"] },
            folder: folder.path
        ).wait()
    }

    private func with(_ body: (PictureServer, PictureServer.Certificate, Folder) throws -> Void) throws {
        try withFolder { folder in
            let certificate = try PictureServer.Certificate(in: folder)
            try body(try PictureServer(certificate, in: folder), certificate, folder)
        }
    }
}
