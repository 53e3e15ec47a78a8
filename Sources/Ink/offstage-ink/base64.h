#ifndef OFFSTAGE_INK_BASE64_H
#define OFFSTAGE_INK_BASE64_H

#include <stddef.h>

/// Decodes in place: base64 is longer than its bytes. Other characters are left out. Returns the number of bytes.
size_t decode_base64(char *text, size_t count);

#endif
