import COffstageTLS
import Foundation
import OffstageHTML
import OffstageRequests

/// The service's certificate, its key and the rules of TLS. It lives as long as a connection that uses it.
///
/// `@unchecked Sendable` because the context is complete after `init`, and OpenSSL counts its references with atomic operations.
final class TLSContext: @unchecked Sendable {
    private let context: OpaquePointer

    /// - Throws: `UsageError` if a file cannot be used, or if the key belongs to another certificate.
    init(_ files: TLSFiles) throws(UsageError) {
        if let missing = offstage_tls_load() {
            throw UsageError(
                "--tls-cert: OpenSSL has no \(String(cString: missing)); install the Debian package libssl3")
        }
        var (step, reason) = (OFFSTAGE_TLS_DONE, UnsafePointer<CChar>?.none)
        if let context = offstage_tls_new(files.certificate, files.key, &step, &reason) {
            self.context = context
            return
        }
        let text = reason.map { String(cString: $0) } ?? "no reason given"
        let problem =
            switch step {
            case OFFSTAGE_TLS_CERTIFICATE: "the certificate is not PEM, or cannot be read (\(text))"
            case OFFSTAGE_TLS_KEY: "the key is not PEM, needs a password, or cannot be read (\(text))"
            case OFFSTAGE_TLS_MISMATCH: "the key belongs to another certificate"
            default: text
            }
        throw UsageError("--tls-cert \(files.certificate) and --tls-key \(files.key) cannot be used: \(problem)")
    }

    deinit { offstage_tls_free(context) }

    /// The state of a new connection, which the caller owns.
    func newConnection() -> OpaquePointer? { offstage_tls_connection(context) }
}
