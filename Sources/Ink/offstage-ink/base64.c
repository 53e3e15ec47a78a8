#include "base64.h"

#include <stdint.h>

static int value(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

size_t decode_base64(char *text, size_t count) {
    size_t made = 0;
    uint32_t bits = 0;
    int held = 0;
    for (size_t i = 0; i < count; i++) {
        int six = value(text[i]);
        if (six < 0) continue;
        bits = bits << 6 | (uint32_t)six;
        held += 6;
        if (held < 8) continue;
        held -= 8;
        text[made++] = (char)(bits >> held & 255);
    }
    return made;
}
