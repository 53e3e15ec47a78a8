import CSoup
import Foundation
import OffstageGLib
import OffstageRequests

/// The service's certificate and its key, from files.
@MainActor
final class Certificate {
    let pointer: UnsafeMutablePointer<GTlsCertificate>

    /// - Throws: if a file cannot be used, or the key belongs to another certificate.
    init(_ files: TLSFiles) throws(UsageError) {
        let place = "--tls-cert \(files.certificate) and --tls-key \(files.key) cannot be used"
        var error: UnsafeMutablePointer<GError>?
        guard let pointer = g_tls_certificate_new_from_files(files.certificate, files.key, &error) else {
            throw UsageError("\(place): \(takeMessage(error))")
        }
        self.pointer = pointer
        if !Self.areAPair(files) { throw UsageError("\(place): the key belongs to another certificate") }
    }

    isolated deinit { g_object_unref(pointer) }

    /// GLib accepts any two files, and then each handshake would fail. GnuTLS, which GLib loads for TLS, compares them.
    ///
    /// - Returns: true also if GnuTLS is not loaded.
    private static func areAPair(_ files: TLSFiles) -> Bool {
        typealias Make = @convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> Int32
        typealias Read = @convention(c) (OpaquePointer, UnsafePointer<CChar>, UnsafePointer<CChar>, Int32) -> Int32
        typealias Free = @convention(c) (OpaquePointer) -> Void
        g_type_class_unref(g_type_class_ref(g_tls_backend_get_certificate_type(g_tls_backend_get_default())))
        guard let library = dlopen("libgnutls.so.30", RTLD_LAZY | RTLD_NOLOAD),
            let make = dlsym(library, "gnutls_certificate_allocate_credentials"),
            let read = dlsym(library, "gnutls_certificate_set_x509_key_file"),
            let free = dlsym(library, "gnutls_certificate_free_credentials")
        else { return true }
        var credentials: OpaquePointer?
        guard unsafeBitCast(make, to: Make.self)(&credentials) == 0, let credentials else { return true }
        defer { unsafeBitCast(free, to: Free.self)(credentials) }
        let code = unsafeBitCast(read, to: Read.self)(credentials, files.certificate, files.key, pem)
        return code != mismatch
    }

    /// GNUTLS_X509_FMT_PEM.
    private static let pem: Int32 = 1
    /// GNUTLS_E_CERTIFICATE_KEY_MISMATCH.
    private static let mismatch: Int32 = -60
}

/// The settings of GnuTLS, which GLib uses for TLS, before its first use.
package enum TLS {
    /// Refuses TLS before 1.2 (RFC 8996) from now on. GLib has no function for this: it reads the environment when its class of
    /// connections is initialised. That happens here, so that the programs we start do not inherit the variable.
    ///
    /// Call it at the start, while no other thread reads the environment.
    package static func requireVersion12() {
        let name = "G_TLS_GNUTLS_PRIORITY"
        // The user's own priorities stay, with our restriction added.
        let before = getenv(name).map { String(cString: $0) }
        setenv(name, (before ?? "NORMAL:%COMPAT") + ":-VERS-TLS1.0:-VERS-TLS1.1:-VERS-DTLS-ALL", 1)
        if let backend = g_tls_backend_get_default() {
            // The class is never freed.
            g_type_class_ref(g_tls_backend_get_server_connection_type(backend))
        }
        if let before { setenv(name, before, 1) } else { unsetenv(name) }
    }
}
