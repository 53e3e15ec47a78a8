import Foundation
import Testing

/// `offstage serve` on network addresses with TLS.
@Suite struct ServeTLSTests {
    @Test func addressesAndTLS() throws {
        try withFolder { folder in
            for (address, word) in [("0.0.0.0:0", "token"), ("example.org:80", "numeric address"), ("1", "a port")] {
                let outcome = try Offstage.run("serve", "--listen", address, in: folder)
                #expect(outcome.code == 2)
                #expect(outcome.error.contains(word), "\(outcome.error)")
            }
            let made = try Child(
                [
                    "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                    "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost",
                ], folder: folder.path
            ).wait()
            #expect(made.code == 0)
            let service = try Service(
                ["--listen", "127.0.0.1:0", "--tls-cert", "cert.pem", "--tls-key", "key.pem"], in: folder)
            let port = try #require(service.child.text(1).firstMatch(of: #/127\.0\.0\.1:([0-9]+)/#)?.1)
            func curl(_ arguments: String...) throws -> Outcome {
                try Child(
                    ["/usr/bin/curl", "-s", "--cacert", "cert.pem", "-w", "%{http_code}", "-o", "out"] + arguments,
                    folder: folder.path
                ).wait()
            }
            let good = try curl("-H", "Content-Type: text/html", "-d", row(), "https://localhost:\(port)/v1/images")
            #expect(good.text == "200")
            #expect(try folder.picture("out").size == [400, 40])
            // A page whose host name resolves to this machine's address.
            let rebound = try curl("-H", "Host: evil.example", "https://localhost:\(port)/metrics")
            #expect(rebound.text == "421")
            #expect(try curl("http://localhost:\(port)/metrics").text == "000")
        }
    }

    /// The machine's certificates are not read again for each request.
    @Test func connectionsByTLSAreSmall() throws {
        try withFolder { folder in
            let certificate = try PictureServer.Certificate(in: folder)
            let service = try Service(
                ["--listen", "127.0.0.1:0", "--tls-cert", certificate.file, "--tls-key", certificate.key], in: folder)
            let port = try #require(service.child.text(1).firstMatch(of: #/127\.0\.0\.1:([0-9]+)/#)?.1)
            let script = """
                import socket, ssl, sys
                context = ssl.create_default_context(cafile=sys.argv[1])
                for _ in range(100):
                    with socket.create_connection(('127.0.0.1', \(port))) as plain:
                        with context.wrap_socket(plain, server_hostname='localhost') as connection:
                            connection.sendall(b'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n')
                            answer = b''
                            while not answer.endswith(b'ok\\n'): answer += connection.recv(1000)
                """
            func connect() throws -> Double {
                let outcome = try Child(["python3", "-c", script, certificate.authority], folder: folder.path).wait()
                #expect(outcome.code == 0, "\(outcome.error)")
                #expect(try eventually { try service.metric("http_connections") == 1 })
                return try service.metric("resident_memory_bytes") ?? 0
            }
            let before = try connect()
            let after = try connect()
            #expect(after - before < 10_000_000, "\(before) → \(after)")
        }
    }

    /// A client has 10 s for its handshake and then 60 s for a request. Of two silent clients, the later one ends
    /// first.
    @Test func whoDoesNotShakeHandsIsCutOff() throws {
        try withFolder { folder in
            let certificate = try PictureServer.Certificate(in: folder)
            let service = try Service(
                ["--listen", "127.0.0.1:0", "--tls-cert", certificate.file, "--tls-key", certificate.key], in: folder)
            let port = try #require(service.child.text(1).firstMatch(of: #/127\.0\.0\.1:([0-9]+)/#)?.1)
            let script = """
                import socket, ssl, sys
                context = ssl.create_default_context(cafile=sys.argv[1])
                polite = context.wrap_socket(socket.create_connection(('127.0.0.1', \(port))), server_hostname='localhost')
                def ask():
                    polite.sendall(b'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n')
                    answer = b''
                    while not answer.endswith(b'ok\\n'):
                        piece = polite.recv(1000)
                        if not piece: sys.exit('the other has ended, too')
                        answer += piece
                ask()
                silent = socket.create_connection(('127.0.0.1', \(port)))
                if silent.recv(1): sys.exit('an answer')
                ask()
                """
            let outcome = try Child(
                ["python3", "-W", "ignore", "-c", script, certificate.authority], folder: folder.path
            ).wait()
            #expect(outcome.code == 0, "\(outcome.error.suffix(2000))")
        }
    }

    /// Handshakes that break off in various ways, beside good requests: GLib ends such connections on its own
    /// threads.
    @Test(arguments: ["silent", "reset", "end", "distrust", "old"]) func brokenHandshakes(kind: String) throws {
        try withFolder { folder in
            let certificate = try PictureServer.Certificate(in: folder)
            let service = try Service(
                ["--listen", "127.0.0.1:0", "--tls-cert", certificate.file, "--tls-key", certificate.key], in: folder)
            let port = try #require(service.child.text(1).firstMatch(of: #/127\.0\.0\.1:([0-9]+)/#)?.1)
            let outcome = try Child(
                ["python3", "-W", "ignore", "-c", Self.handshakes, "\(port)", certificate.authority, kind],
                folder: folder.path
            ).wait()
            #expect(outcome.code == 0, "\(outcome.error.suffix(2000))")
            #expect(try eventually { try service.metric("http_connections") == 1 })
            #expect(try service.stop().code == 0)
        }
    }

    /// 300 handshakes of one kind, with a good request after every tenth. An old TLS version must not be accepted.
    private static let handshakes = """
        import socket, ssl, struct, sys
        port, authority, kind = int(sys.argv[1]), sys.argv[2], sys.argv[3]
        good = ssl.create_default_context(cafile=authority)
        distrustful = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
        old.set_ciphers('DEFAULT:@SECLEVEL=0')
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
        outgoing = ssl.MemoryBIO()
        try: good.wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname='localhost').do_handshake()
        except ssl.SSLWantReadError: pass
        hello = outgoing.read()
        def shake(context):
            with socket.create_connection(('127.0.0.1', port)) as plain:
                try: context.wrap_socket(plain, server_hostname='localhost')
                except (ssl.SSLError, OSError): return
                sys.exit(kind + ' was accepted')
        def break_off(index):
            if kind == 'distrust': return shake(distrustful)
            if kind == 'old': return shake(old)
            plain = socket.create_connection(('127.0.0.1', port))
            if kind != 'silent':
                plain.sendall(hello)
                # Sooner and later in the server's part.
                if index % 3: plain.recv(1 if index % 3 == 1 else 4096)
            if kind == 'reset' or kind == 'silent' and index % 2:
                plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
            plain.close()
        def ask():
            with socket.create_connection(('127.0.0.1', port)) as plain:
                with good.wrap_socket(plain, server_hostname='localhost') as connection:
                    connection.sendall(b'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n')
                    answer = b''
                    while not answer.endswith(b'ok\\n'):
                        piece = connection.recv(1000)
                        if not piece: sys.exit('no answer')
                        answer += piece
        for index in range(300):
            break_off(index)
            if index % 10 == 9: ask()
        """
}
