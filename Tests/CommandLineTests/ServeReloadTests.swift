import Foundation
import Testing

/// SIGHUP makes a service read its certificate again.
@Suite struct ServeReloadTests {
    @Test func aHangupReadsTheCertificateAgain() throws {
        try withFolder { folder in
            let (old, new) = try (
                PictureServer.Certificate(in: folder.make("old")), PictureServer.Certificate(in: folder.make("new"))
            )
            func use(_ certificate: PictureServer.Certificate) throws {
                for (path, name) in [(certificate.file, "live.pem"), (certificate.key, "live.key")] {
                    try folder.write(name, Data(contentsOf: URL(fileURLWithPath: path)))
                }
            }
            try use(old)
            let service = try Service(
                ["--listen", "127.0.0.1:0", "--tls-cert", "live.pem", "--tls-key", "live.key"], in: folder)
            let port = try #require(service.child.text(1).firstMatch(of: #/127\.0\.0\.1:([0-9]+)/#)?.1)
            /// A client with its own connection that trusts one authority.
            func connects(trusting certificate: PictureServer.Certificate) throws -> Bool {
                try Child(
                    ["/usr/bin/curl", "-s", "--cacert", certificate.authority, "https://localhost:\(port)/healthz"],
                    folder: folder.path
                ).wait().text == "ok\n"
            }
            let early = try Child(
                ["python3", "-u", "-c", Self.client, "\(port)", old.authority], holdsInput: true, folder: folder.path)
            /// Sends another request on the existing connection.
            func earlyClientIsAnswered() -> Bool {
                let count = early.text(0).count
                early.send("again\n")
                return eventually { early.hasEnded || early.text(0).count > count } && early.text(0).hasSuffix("ok\n")
            }
            #expect(earlyClientIsAnswered(), "\(early.text(1))")
            #expect(try !connects(trusting: new))

            try use(new)
            kill(service.child.id, SIGHUP)
            #expect(try eventually { try connects(trusting: new) })
            #expect(try !connects(trusting: old))
            #expect(earlyClientIsAnswered(), "\(early.text(1))")

            // A certificate without its key, and a file that is not a certificate.
            for (number, text) in [try String(contentsOfFile: old.file, encoding: .utf8), "nothing"].enumerated() {
                try folder.write("live.pem", text)
                kill(service.child.id, SIGHUP)
                let report = "nothing was changed: --tls-cert live.pem and --tls-key live.key cannot be used"
                #expect(
                    eventually {
                        service.child.hasEnded
                            || service.child.text(1).components(separatedBy: report).count == number + 2
                    },
                    "\(service.child.text(1))")
                #expect(try connects(trusting: new))
                #expect(earlyClientIsAnswered(), "\(early.text(1))")
            }
            #expect(try service.stop().code == 0)
        }
    }

    /// Until the signal arrives, any client can connect. A signal during the start is handled later.
    @Test func aHangupAtTheStartDoesNotEndTheService() throws {
        try withFolder { folder in
            let child = try Child(
                [Offstage.path, "serve", "--socket", "s", "--cache", "cache", "--jobs", "1"], folder: folder.path)
            #expect(eventually { child.hasEnded || (try? Client(folder.path("s"))) != nil })
            kill(child.id, SIGHUP)
            let report = "read the token file and the certificate again"
            #expect(eventually { child.hasEnded || child.text(1).contains(report) }, "\(child.text(1))")
            #expect(!child.hasEnded)
            #expect(eventually { child.hasEnded || child.text(1).contains("listening at") })
            kill(child.id, SIGTERM)
            #expect(try child.wait().code == 0)
        }
    }

    /// Sends a request on one connection for each line of standard input.
    private static let client = """
        import http.client, ssl, sys
        context = ssl.create_default_context(cafile=sys.argv[2])
        connection = http.client.HTTPSConnection('localhost', int(sys.argv[1]), context=context)
        connection.connect()
        # A lost connection must not be replaced.
        connection.auto_open = 0
        for line in sys.stdin:
            connection.request('GET', '/healthz')
            sys.stdout.write(connection.getresponse().read().decode())
        """
}
