import CSoup
import Foundation
import OffstageGLib
import OffstageRequests

/// The service's certificate and its key, from files.
@MainActor
final class Certificate {
    let pointer: UnsafeMutablePointer<GTlsCertificate>

    /// - Throws: for files that cannot be used, or that do not belong together.
    init(_ files: TLSFiles) throws(UsageError) {
        let place = "--tls-cert \(files.certificate) and --tls-key \(files.key) cannot be used"
        var error: UnsafeMutablePointer<GError>?
        guard let pointer = g_tls_certificate_new_from_files(files.certificate, files.key, &error) else {
            throw UsageError("\(place): \(takeMessage(error))")
        }
        self.pointer = pointer
        if !Self.areAPair(files) { throw UsageError("\(place): the key is not the certificate's") }
    }

    isolated deinit { g_object_unref(pointer) }

    /// GLib takes any two files, and each handshake would fail. GnuTLS compares them; GLib loads it for TLS.
    ///
    /// - Returns: true also where GnuTLS is not there.
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
