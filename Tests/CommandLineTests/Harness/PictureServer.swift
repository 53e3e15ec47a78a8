import Foundation
import Testing

/// A server on the loopback interface whose pictures have the canary's colour. It records the requests that it
/// receives.
struct PictureServer {
    /// The paths of an https server's certificate and key, in PEM.
    struct Certificate {
        /// The certificate of the authority that clients must trust.
        let authority: String
        let file: String
        let key: String

        /// A certificate for `localhost` from an authority that nobody else knows.
        init(in folder: Folder) throws {
            authority = folder.path("ca.pem")
            (file, key) = (folder.path("server.pem"), folder.path("server.key"))
            let new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-x509"]
            for arguments in [
                new + [
                    "-subj", "/CN=Test authority", "-keyout", folder.path("ca.key"), "-out", authority,
                    // Python 3.13 does not trust the certificate without this.
                    "-addext", "keyUsage=critical,keyCertSign",
                ],
                new + [
                    "-subj", "/CN=localhost", "-keyout", key, "-out", file, "-CA", authority, "-CAkey",
                    folder.path("ca.key"), "-addext", "subjectAltName=DNS:localhost", "-addext",
                    "basicConstraints=critical,CA:FALSE",
                ],
            ] {
                let outcome = try Child(["/usr/bin/openssl", "req"] + arguments, folder: folder.path).wait()
                #expect(outcome.code == 0, "\(outcome.error)")
            }
        }

        /// Runs a program as on a machine that trusts only this authority. GnuTLS, with which WebKit verifies
        /// certificates, has the path of the system's file compiled in.
        var trusted: [String] {
            [
                "unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
                #"""
                mount -t tmpfs tmpfs /etc/ssl/certs && cp "$1" /etc/ssl/certs/ca-certificates.crt && shift && exec "$@"
                """#,
                "sh", authority,
            ]
        }
    }

    let child: Child
    let port: Int

    /// - Parameter certificate: nil for http.
    init(_ certificate: Certificate? = nil, in folder: Folder) throws {
        let child = try Child(
            ["python3", "-u", "-c", Self.script] + (certificate.map { [$0.file, $0.key] } ?? []), holdsInput: true,
            folder: folder.path)
        _ = eventually { child.hasEnded || child.text(0).contains("\n") }
        self.child = child
        port = try #require(Int(child.text(0).split(separator: "\n").first ?? ""), "\(child.text(1))")
    }

    /// The requested paths, in order.
    var requests: [String] {
        _ = child.hasEnded
        return child.text(0).split(separator: "\n").dropFirst().map(String.init)
    }

    private static let script = """
        import http.server, ssl, sys
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                # Whole: requests come at once.
                sys.stdout.write(self.path + '\\n')
                if self.path.startswith('/redirect'):
                    self.send_response(302)
                    self.send_header('Location', self.path.split('?')[1])
                    self.end_headers()
                    return
                css = b'p { background: url(/b.svg) }'
                svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="#c0ffee"/></svg>'
                isSheet = self.path.endswith('.css')
                self.send_response(200)
                self.send_header('Content-Type', 'text/css' if isSheet else 'image/svg+xml')
                self.end_headers()
                self.wfile.write(css if isSheet else svg)
            def log_message(self, *rest): pass
        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, *rest): pass
        server = Server(('127.0.0.1', 0), Handler)
        if sys.argv[1:]:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*sys.argv[1:])
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        print(server.server_port)
        server.serve_forever()
        """
}
