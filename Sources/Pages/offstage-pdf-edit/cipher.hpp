#ifndef PAGE_EDIT_CIPHER_HPP
#define PAGE_EDIT_CIPHER_HPP

#include "document.hpp"

/// Encrypts the objects that are added to an encrypted document, with its key.
class Cipher {
public:
    explicit Cipher(QPDF &pdf);

    /// NULL for a document that is not encrypted.
    const pdf_cipher *functions() const { return is_encrypted ? &callbacks : nullptr; }

private:
    bool is_encrypted;
    int version = 0, revision = 0;
    QPDF::encryption_method_e streams = QPDF::e_none, strings = QPDF::e_none;
    std::string key;
    pdf_cipher callbacks;

    void encrypt(
        uint32_t number, uint32_t generation, bool is_stream, const uint8_t *bytes, size_t size, pdf_buffer *result) const;
};

#endif
