// Encrypts new objects with RC4, or with AES in CBC mode.
#include "cipher.hpp"

#include <cstring>
#include <nettle/aes.h>
#include <nettle/arcfour.h>
#include <nettle/cbc.h>
#include <nettle/sha2.h>

namespace {

/// The first block's initialization vector, derived from the key and the content, so that the same job gives the same
/// bytes.
void make_vector(const std::string &key, const uint8_t *bytes, size_t size, uint8_t vector[AES_BLOCK_SIZE]) {
    sha256_ctx context;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_init(&context);
    sha256_update(&context, key.size(), reinterpret_cast<const uint8_t *>(key.data()));
    sha256_update(&context, size, bytes);
    sha256_digest(&context, sizeof digest, digest);
    memcpy(vector, digest, AES_BLOCK_SIZE);
}

void encrypt_aes(const std::string &key, const uint8_t *bytes, size_t size, pdf_buffer *result) {
    uint8_t vector[AES_BLOCK_SIZE];
    make_vector(key, bytes, size, vector);
    size_t rest = AES_BLOCK_SIZE - size % AES_BLOCK_SIZE;
    std::string padded(reinterpret_cast<const char *>(bytes), size);
    padded.append(rest, static_cast<char>(rest));
    std::string encrypted(padded.size(), 0);
    pdf_add(result, vector, sizeof vector);
    auto source = reinterpret_cast<const uint8_t *>(padded.data()), secret = reinterpret_cast<const uint8_t *>(key.data());
    auto target = reinterpret_cast<uint8_t *>(encrypted.data());
    if (key.size() == AES256_KEY_SIZE) {
        aes256_ctx context;
        aes256_set_encrypt_key(&context, secret);
        cbc_encrypt(
            &context, reinterpret_cast<nettle_cipher_func *>(aes256_encrypt), AES_BLOCK_SIZE, vector, padded.size(), target, source);
    } else {
        aes128_ctx context;
        aes128_set_encrypt_key(&context, secret);
        cbc_encrypt(
            &context, reinterpret_cast<nettle_cipher_func *>(aes128_encrypt), AES_BLOCK_SIZE, vector, padded.size(), target, source);
    }
    pdf_add(result, encrypted.data(), encrypted.size());
}

void encrypt_rc4(const std::string &key, const uint8_t *bytes, size_t size, pdf_buffer *result) {
    arcfour_ctx context;
    arcfour_set_key(&context, key.size(), reinterpret_cast<const uint8_t *>(key.data()));
    std::string encrypted(size, 0);
    arcfour_crypt(&context, size, reinterpret_cast<uint8_t *>(encrypted.data()), bytes);
    pdf_add(result, encrypted.data(), encrypted.size());
}

}

Cipher::Cipher(QPDF &pdf) {
    int permissions = 0;
    QPDF::encryption_method_e files;
    is_encrypted = pdf.isEncrypted(revision, permissions, version, streams, strings, files);
    if (!is_encrypted) return;
    // Older documents don't name a method, because only one existed.
    if (version < 4) streams = strings = QPDF::e_rc4;
    if (streams == QPDF::e_unknown || strings == QPDF::e_unknown) throw Failure{OFFSTAGE_PAGES_ENCRYPTION, 0};
    key = pdf.getEncryptionKey();
    for (auto method : {streams, strings}) {
        bool is_aes = method == QPDF::e_aes || method == QPDF::e_aesv3;
        size_t size = QPDF::compute_data_key(key, 1, 0, is_aes, version, revision).size();
        bool fits = is_aes ? size == AES128_KEY_SIZE || size == AES256_KEY_SIZE : size >= ARCFOUR_MIN_KEY_SIZE;
        if (!fits) throw Failure{OFFSTAGE_PAGES_ENCRYPTION, 0};
    }
    callbacks.context = this;
    callbacks.encrypt = [](void *context, uint32_t number, uint32_t generation, bool is_stream, const uint8_t *bytes, size_t size,
                           pdf_buffer *result) {
        static_cast<const Cipher *>(context)->encrypt(number, generation, is_stream, bytes, size, result);
    };
}

void Cipher::encrypt(
    uint32_t number, uint32_t generation, bool is_stream, const uint8_t *bytes, size_t size, pdf_buffer *result) const {
    auto method = is_stream ? streams : strings;
    if (method == QPDF::e_none) return pdf_add(result, bytes, size);
    bool is_aes = method == QPDF::e_aes || method == QPDF::e_aesv3;
    auto own = QPDF::compute_data_key(
        key, static_cast<int>(number), static_cast<int>(generation), is_aes, version, revision);
    if (is_aes) encrypt_aes(own, bytes, size, result);
    else encrypt_rc4(own, bytes, size, result);
}
