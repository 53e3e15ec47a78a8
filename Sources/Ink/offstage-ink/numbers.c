#include "numbers.h"

#include <math.h>
#include <string.h>

static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ','; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Exact enough for coordinates: before the conversion to float, the error is a few units in the 16th digit.
static double scale(double value, int exponent) {
    static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (exponent >= 0 && exponent <= 22) return value * powers[exponent];
    if (exponent < 0 && exponent >= -22) return value / powers[-exponent];
    return value * pow(10, exponent);
}

bool next_number(const char **text, const char *end, double *number) {
    const char *at = *text;
    while (at < end && is_space(*at)) at++;
    *text = at;
    if (at == end) return false;
    bool is_negative = *at == '-', has_digits = false;
    if (*at == '-' || *at == '+') at++;
    uint64_t value = 0;
    int exponent = 0;
    for (; at < end && is_digit(*at); at++) {
        has_digits = true;
        if (value < 100000000000000000u) value = value * 10 + (uint64_t)(*at - '0');
        else exponent++;
    }
    if (at < end && *at == '.') {
        for (at++; at < end && is_digit(*at); at++) {
            has_digits = true;
            if (value >= 100000000000000000u) continue;
            value = value * 10 + (uint64_t)(*at - '0');
            exponent--;
        }
    }
    if (has_digits && at < end && (*at == 'e' || *at == 'E')) {
        const char *sign = ++at;
        int power = 0;
        if (at < end && (*at == '-' || *at == '+')) at++;
        for (; at < end && is_digit(*at); at++)
            if (power < 10000) power = power * 10 + (*at - '0');
        exponent += *sign == '-' ? -power : power;
    }
    *number = has_digits ? scale((double)value, exponent) : NAN;
    if (is_negative) *number = -*number;
    // A word such as `nan`, or the rest of something that began like a number.
    if (at < end && !is_space(*at)) {
        *number = NAN;
        while (at < end && !is_space(*at)) at++;
    }
    *text = at;
    return true;
}

static int digit(char c) {
    if (is_digit(c)) return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool read_color(const char *text, uint8_t color[4]) {
    static const struct {
        const char *name;
        uint8_t color[3];
    } names[] = {
        {"black", {0, 0, 0}}, {"blue", {0x33, 0x33, 0xCC}}, {"red", {0xFF, 0, 0}}, {"green", {0, 0x80, 0}},
        {"gray", {0x80, 0x80, 0x80}}, {"lightblue", {0, 0xC0, 0xFF}}, {"lightgreen", {0, 0xFF, 0}},
        {"magenta", {0xFF, 0, 0xFF}}, {"orange", {0xFF, 0x80, 0}}, {"yellow", {0xFF, 0xFF, 0}}, {"white", {0xFF, 0xFF, 0xFF}},
        {"pink", {0xFF, 0xC0, 0xD4}},
    };
    color[3] = 255;
    size_t length = strlen(text);
    if (text[0] == '#' && length == 4) {
        for (size_t i = 1; i < 4; i++) {
            int half = digit(text[i]);
            if (half < 0) return false;
            color[i - 1] = (uint8_t)(half * 17);
        }
        return true;
    }
    if (text[0] == '#' && (length == 7 || length == 9)) {
        for (size_t i = 1; i < length; i += 2) {
            int high = digit(text[i]), low = digit(text[i + 1]);
            if (high < 0 || low < 0) return false;
            color[i / 2] = (uint8_t)(high * 16 + low);
        }
        return true;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i].name) != 0) continue;
        memcpy(color, names[i].color, 3);
        return true;
    }
    return false;
}
