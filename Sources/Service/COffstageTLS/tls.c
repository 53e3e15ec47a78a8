#define _GNU_SOURCE
#include "offstage_tls.h"

#include <dlfcn.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

// Every function of OpenSSL that the service uses, with the type of its header.
#define FUNCTIONS(X)                                                                                                   \
    X(TLS_server_method)                                                                                               \
    X(SSL_CTX_new)                                                                                                     \
    X(SSL_CTX_free)                                                                                                    \
    X(SSL_CTX_ctrl)                                                                                                    \
    X(SSL_CTX_set_options)                                                                                             \
    X(SSL_CTX_set_cipher_list)                                                                                         \
    X(SSL_CTX_set_default_passwd_cb)                                                                                   \
    X(SSL_CTX_use_certificate_chain_file)                                                                              \
    X(SSL_CTX_use_PrivateKey_file)                                                                                     \
    X(SSL_CTX_check_private_key)                                                                                       \
    X(SSL_new)                                                                                                         \
    X(SSL_shutdown)                                                                                                    \
    X(ERR_clear_error)                                                                                                 \
    X(ERR_peek_error)                                                                                                  \
    X(ERR_reason_error_string)

#define MEMBER(name) __typeof__(&name) name;
static struct {
    FUNCTIONS(MEMBER)
} ssl;

const char *offstage_tls_load(void) {
#define FIND(function)                                                                                                 \
    if (!(ssl.function = (__typeof__(ssl.function))dlsym(RTLD_DEFAULT, #function))) return #function;
    FUNCTIONS(FIND)
    return NULL;
}

// A service has no user to type the password of an encrypted key.
static int no_password(char *buffer, int size, int is_encrypting, void *data) {
    (void)buffer, (void)size, (void)is_encrypting, (void)data;
    return -1;
}

static OffstageTLSStep configure(SSL_CTX *context, const char *certificate, const char *key) {
    ssl.SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL);
    // An idle connection keeps no buffers.
    ssl.SSL_CTX_ctrl(context, SSL_CTRL_MODE, SSL_MODE_RELEASE_BUFFERS, NULL);
    // A client could request one handshake after another, and the length of compressed text can reveal its content.
    ssl.SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    ssl.SSL_CTX_set_default_passwd_cb(context, no_password);
    if (ssl.SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20") != 1) return OFFSTAGE_TLS_UNUSABLE;
    if (ssl.SSL_CTX_use_certificate_chain_file(context, certificate) != 1) return OFFSTAGE_TLS_CERTIFICATE;
    if (ssl.SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1)
        return ERR_GET_REASON(ssl.ERR_peek_error()) == X509_R_KEY_VALUES_MISMATCH ? OFFSTAGE_TLS_MISMATCH
                                                                                  : OFFSTAGE_TLS_KEY;
    return ssl.SSL_CTX_check_private_key(context) == 1 ? OFFSTAGE_TLS_DONE : OFFSTAGE_TLS_MISMATCH;
}

SSL_CTX *offstage_tls_new(const char *certificate, const char *key, OffstageTLSStep *step, const char **reason) {
    ssl.ERR_clear_error();
    SSL_CTX *context = ssl.SSL_CTX_new(ssl.TLS_server_method());
    *step = context ? configure(context, certificate, key) : OFFSTAGE_TLS_UNUSABLE;
    *reason = ssl.ERR_reason_error_string(ssl.ERR_peek_error());
    ssl.ERR_clear_error();
    if (*step == OFFSTAGE_TLS_DONE) return context;
    ssl.SSL_CTX_free(context);
    return NULL;
}

void offstage_tls_free(SSL_CTX *context) { ssl.SSL_CTX_free(context); }

SSL *offstage_tls_connection(SSL_CTX *context) { return ssl.SSL_new(context); }

void offstage_tls_end(SSL *connection) {
    ssl.SSL_shutdown(connection);
    ssl.ERR_clear_error();
}
