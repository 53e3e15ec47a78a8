import Foundation
import Testing

/// TLS handshakes that never end, and handshakes that the service refuses.
@Suite struct ServeHandshakeTests {
    private func service(_ certificate: (file: String, key: String), _ folder: Folder) throws -> Service {
        try Service(
            [
                "--listen", "127.0.0.1:0", "--tls-cert", certificate.file, "--tls-key", certificate.key,
                "--idle-timeout",
                "600",
            ], in: folder)
    }

    /// Two hundred clients stop at each stage, and a good one is still answered.
    @Test(arguments: ["nothing", "byte", "half", "hello"]) func stalledHandshakesKeepNobodyOut(stage: String) throws {
        try withFolder { folder in
            let certificate = try PictureServer.Certificate(in: folder)
            let service = try service((certificate.file, certificate.key), folder)
            let child = try Child(
                ["python3", "-u", "-c", Self.stalled, "\(try service.port)", certificate.authority, stage],
                holdsInput: true, folder: folder.path)
            func reads(_ word: String) -> Bool { eventually { child.hasEnded || child.text(0).contains(word) } }
            #expect(reads("stalled"))
            // The service has accepted all connections and read the clients' bytes.
            child.send("ask\n")
            #expect(reads("answered 20"), "\(child.text(1).suffix(2000))")
            #expect(!child.hasEnded)
            child.endInput()
            #expect(try child.wait().code == 0)
            #expect(try eventually { try service.metric("http_connections") == 1 })
            #expect(try service.stop().code == 0)
        }
    }

    private static let stalled = """
        import socket, ssl, sys
        port, authority, stage = int(sys.argv[1]), sys.argv[2], sys.argv[3]
        good = ssl.create_default_context(cafile=authority)
        outgoing = ssl.MemoryBIO()
        try: good.wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname='localhost').do_handshake()
        except ssl.SSLWantReadError: pass
        hello = outgoing.read()
        said = {'nothing': b'', 'byte': hello[:1], 'half': hello[:len(hello) // 2], 'hello': hello}[stage]
        stalled = []
        for _ in range(200):
            plain = socket.create_connection(('127.0.0.1', port))
            plain.sendall(said)
            # The server has done its part.
            if stage == 'hello': plain.recv(1)
            stalled.append(plain)
        print('stalled')
        sys.stdin.readline()
        for _ in range(20):
            with socket.create_connection(('127.0.0.1', port)) as plain:
                with good.wrap_socket(plain, server_hostname='localhost') as connection:
                    connection.sendall(b'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n')
                    answer = b''
                    while piece := connection.recv(1000): answer += piece
                    if not answer.endswith(b'ok\\n'): sys.exit('no answer')
        print('answered 20')
        sys.stdin.read()
        """

    /// Uses an RSA certificate, which works with all the ciphers.
    @Test func onlyModernCiphersAreAccepted() throws {
        try withFolder { folder in
            let (file, key) = (folder.path("cert.pem"), folder.path("key.pem"))
            let made = try Child(
                [
                    "/usr/bin/openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", file,
                    "-subj", "/CN=localhost",
                ], folder: folder.path
            ).wait()
            #expect(made.code == 0)
            let service = try service((file, key), folder)
            let outcome = try Child(
                ["python3", "-W", "ignore", "-c", Self.versions, "\(try service.port)"], folder: folder.path
            ).wait()
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(
                outcome.text == """
                    TLSv1_3 - TLSv1.3
                    TLSv1_2 ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2
                    TLSv1_2 ECDHE-RSA-AES256-GCM-SHA384 TLSv1.2
                    TLSv1_2 ECDHE-RSA-CHACHA20-POLY1305 TLSv1.2
                    TLSv1_2 ECDHE-RSA-AES128-SHA refused
                    TLSv1_2 ECDHE-RSA-AES128-SHA256 refused
                    TLSv1_2 DHE-RSA-AES128-GCM-SHA256 refused
                    TLSv1_2 AES128-GCM-SHA256 refused
                    TLSv1_2 AES128-SHA refused
                    TLSv1_2 NULL-SHA256 refused
                    TLSv1_2 AECDH-AES128-SHA refused
                    TLSv1_1 ALL refused
                    TLSv1 ALL refused

                    """)
        }
    }

    /// A client that offers a single version and a single cipher, however insecure.
    private static let versions = """
        import socket, ssl, sys
        def shake(version, ciphers):
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            if ciphers: context.set_ciphers(ciphers + ':@SECLEVEL=0')
            context.minimum_version = context.maximum_version = getattr(ssl.TLSVersion, version)
            with socket.create_connection(('127.0.0.1', int(sys.argv[1]))) as plain:
                try:
                    with context.wrap_socket(plain) as connection:
                        connection.sendall(b'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n')
                        return connection.version() if connection.recv(1000) else 'no answer'
                except ssl.SSLError as error: return 'refused'
                except ConnectionResetError: return 'refused'
        for version, ciphers in [
            ('TLSv1_3', None), ('TLSv1_2', 'ECDHE-RSA-AES128-GCM-SHA256'), ('TLSv1_2', 'ECDHE-RSA-AES256-GCM-SHA384'),
            ('TLSv1_2', 'ECDHE-RSA-CHACHA20-POLY1305'), ('TLSv1_2', 'ECDHE-RSA-AES128-SHA'),
            ('TLSv1_2', 'ECDHE-RSA-AES128-SHA256'), ('TLSv1_2', 'DHE-RSA-AES128-GCM-SHA256'),
            ('TLSv1_2', 'AES128-GCM-SHA256'), ('TLSv1_2', 'AES128-SHA'), ('TLSv1_2', 'NULL-SHA256'),
            ('TLSv1_2', 'AECDH-AES128-SHA'), ('TLSv1_1', 'ALL'), ('TLSv1', 'ALL'),
        ]: print(version, ciphers or '-', shake(version, ciphers))
        """
}
