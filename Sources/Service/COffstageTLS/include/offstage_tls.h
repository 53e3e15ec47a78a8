#pragma once

/// OpenSSL, for the server's side of TLS. It is not linked, because its symbols have versions, which do not work for a program
/// that loads its libraries late. `offstage_tls_load` finds the functions in the library that libevent_openssl has loaded.

struct ssl_ctx_st;
struct ssl_st;

/// Finds the functions. Call it before the others, and after libevent_openssl was loaded with RTLD_GLOBAL.
///
/// Returns the name of a function that is missing; NULL for success.
const char *offstage_tls_load(void);

typedef enum {
    OFFSTAGE_TLS_DONE,
    OFFSTAGE_TLS_UNUSABLE,
    OFFSTAGE_TLS_CERTIFICATE,
    OFFSTAGE_TLS_KEY,
    OFFSTAGE_TLS_MISMATCH,
} OffstageTLSStep;

/// A context with a certificate and its key, from PEM files: TLS 1.3, and TLS 1.2 with forward secrecy and AEAD only (RFC 9325).
/// No renegotiation, no compression.
///
/// - step: The step that failed.
/// - reason: OpenSSL's own description, which contains no file contents and no paths. Valid forever; NULL if OpenSSL gives no
///   reason.
/// - Returns: NULL on failure. Free it with `offstage_tls_free`.
struct ssl_ctx_st *offstage_tls_new(
    const char *certificate, const char *key, OffstageTLSStep *step, const char **reason);
void offstage_tls_free(struct ssl_ctx_st *context);

/// The state of a new connection, which references the context; the bufferevent takes ownership of it.
struct ssl_st *offstage_tls_connection(struct ssl_ctx_st *context);

/// Sends the last message of a connection whose handshake is complete, as far as the socket accepts it.
void offstage_tls_end(struct ssl_st *connection);
