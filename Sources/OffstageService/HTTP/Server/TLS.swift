import CSoup
import Foundation

/// The settings of GnuTLS, which GLib uses for TLS, before its first use.
package enum TLS {
    /// Refuses TLS before 1.2 (RFC 8996) from now on. GLib has no call for it: it looks at the environment when its class of
    /// connections is made, which is made here, so that the programs that we start see nothing of it.
    ///
    /// Call it while the program has one thread that looks at the environment: at the start.
    package static func requireVersion12() {
        let name = "G_TLS_GNUTLS_PRIORITY"
        // Who has set one knows why, and gets no less than we ask for.
        let before = getenv(name).map { String(cString: $0) }
        setenv(name, (before ?? "NORMAL:%COMPAT") + ":-VERS-TLS1.0:-VERS-TLS1.1:-VERS-DTLS-ALL", 1)
        if let backend = g_tls_backend_get_default() {
            // It stays for good.
            g_type_class_ref(g_tls_backend_get_server_connection_type(backend))
        }
        if let before { setenv(name, before, 1) } else { unsetenv(name) }
    }
}
