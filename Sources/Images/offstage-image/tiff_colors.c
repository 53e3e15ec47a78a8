#include "tiff_colors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double tiff_value(const struct tiff_samples *samples, const uint8_t *row, uint64_t index) {
    bool is_signed = samples->format == SAMPLEFORMAT_INT;
    switch (samples->bits) {
    case 8: return is_signed ? (int8_t)row[index] : row[index];
    case 12: {
        const uint8_t *p = row + index / 2 * 3;
        int number = index % 2 == 0 ? p[0] << 4 | p[1] >> 4 : (p[1] & 15) << 8 | p[2];
        return is_signed && number >= 2048 ? number - 4096 : number;
    }
    case 16: {
        uint16_t number;
        memcpy(&number, row + 2 * index, sizeof number);
        return is_signed ? (int16_t)number : number;
    }
    case 24: {
        const uint8_t *p = row + 3 * index;
        int32_t number = p[0] | p[1] << 8 | p[2] << 16;
        return is_signed && number >= 1 << 23 ? number - (1 << 24) : number;
    }
    case 32:
        if (samples->format == SAMPLEFORMAT_IEEEFP) {
            float number;
            memcpy(&number, row + 4 * index, sizeof number);
            return number;
        } else {
            uint32_t number;
            memcpy(&number, row + 4 * index, sizeof number);
            // Separate returns: in one conditional expression, both would become unsigned.
            return is_signed ? (double)(int32_t)number : (double)number;
        }
    default: {
        double number;
        memcpy(&number, row + 8 * index, sizeof number);
        return number;
    }
    }
}

/// A value from 0 to 1. NaN is black.
static double share(const struct tiff_samples *samples, double number) {
    double result = (number - samples->low) / (samples->high - samples->low);
    return result > 1 ? 1 : result > 0 ? result : 0;
}

static uint16_t wide(double share) { return (uint16_t)lround(share * 65535); }

static void rgb_row(const struct tiff_samples *samples, const uint8_t *row, uint16_t *out) {
    bool is_plain = samples->bits == 16 && samples->format == SAMPLEFORMAT_UINT && !samples->is_premultiplied;
    for (uint32_t x = 0; x < samples->width; x++, out += 4) {
        uint64_t first = (uint64_t)x * samples->count;
        // Alpha covers the whole range of its type; for floats, 1 is opaque.
        double alpha = !samples->has_alpha ? 1
            : samples->format == SAMPLEFORMAT_IEEEFP
            ? fmin(fmax(tiff_value(samples, row, first + samples->colors), 0), 1)
            : tiff_value(samples, row, first + samples->colors) / (exp2(samples->bits) - 1);
        for (uint16_t i = 0; i < 3; i++) {
            double number = tiff_value(samples, row, first + (i < samples->colors ? i : 0));
            if (is_plain && !samples->is_inverted) {
                out[i] = (uint16_t)number;
                continue;
            }
            if (samples->is_premultiplied && alpha > 0) number /= alpha;
            double part = share(samples, number);
            out[i] = wide(samples->is_inverted ? 1 - part : part);
        }
        out[3] = wide(isnan(alpha) ? 1 : alpha);
    }
}

static void ink_row(const struct tiff_samples *samples, const uint8_t *row, uint8_t *out) {
    for (uint32_t x = 0; x < samples->width; x++)
        for (uint16_t i = 0; i < 4; i++)
            *out++ = (uint8_t)(255 - lround(share(samples, tiff_value(samples, row, (uint64_t)x * samples->count + i)) * 255));
}

/// CIE L*a*b* with the D50 white point, as TIFF and Photoshop store it.
static void lab_row(
    const struct tiff_samples *samples, const uint8_t *row, uint16_t *out, cmsHTRANSFORM transform, double *lab) {
    double scale = samples->bits == 8 ? 1 : 256, most = samples->bits == 8 ? 255 : 65535;
    for (uint32_t x = 0; x < samples->width; x++) {
        uint64_t first = (uint64_t)x * samples->count;
        lab[3 * x] = tiff_value(samples, row, first) / most * 100;
        for (int i = 1; i < 3; i++) {
            double number = tiff_value(samples, row, first + (uint64_t)i);
            if (samples->is_icc_lab) number -= 128 * scale;
            else if (number >= 128 * scale) number -= 256 * scale;
            lab[3 * x + (uint32_t)i] = number / scale;
        }
    }
    cmsDoTransform(transform, lab, out, samples->width);
    for (uint32_t x = 0; x < samples->width; x++)
        out[4 * x + 3] = samples->has_alpha
            ? wide(tiff_value(samples, row, (uint64_t)x * samples->count + 3) / most) : 65535;
}

static cmsHTRANSFORM lab_transform(void) {
    cmsHPROFILE lab = cmsCreateLab4Profile(NULL), srgb = cmsCreate_sRGBProfile();
    cmsHTRANSFORM result = lab && srgb
        ? cmsCreateTransform(lab, TYPE_Lab_DBL, srgb, TYPE_RGBA_16, INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_NOCACHE) : NULL;
    if (lab) cmsCloseProfile(lab);
    if (srgb) cmsCloseProfile(srgb);
    return result;
}

bool tiff_colors_begin(struct tiff_colors *colors, const struct tiff_samples *samples) {
    *colors = (struct tiff_colors){.samples = samples, .out = malloc(8 * (size_t)samples->width)};
    bool is_lab = samples->color == TIFF_COLOR_LAB;
    if (is_lab) {
        colors->lab = malloc(24 * (size_t)samples->width);
        colors->transform = lab_transform();
    }
    return colors->out && (!is_lab || (colors->lab && colors->transform));
}

void tiff_colors_end(struct tiff_colors *colors) {
    if (colors->transform) cmsDeleteTransform(colors->transform);
    free(colors->lab);
    free(colors->out);
}

const void *tiff_colors_row(struct tiff_colors *colors, const uint8_t *row) {
    switch (colors->samples->color) {
    case TIFF_COLOR_CMYK: ink_row(colors->samples, row, colors->out); break;
    case TIFF_COLOR_LAB: lab_row(colors->samples, row, colors->out, colors->transform, colors->lab); break;
    default: rgb_row(colors->samples, row, colors->out);
    }
    return colors->out;
}

const void *tiff_colors_black(struct tiff_colors *colors) {
    uint16_t *out = colors->out;
    memset(out, 0, 8 * (size_t)colors->samples->width);
    if (colors->samples->color != TIFF_COLOR_CMYK)
        for (uint32_t x = 0; x < colors->samples->width; x++) out[4 * x + 3] = 65535;
    return out;
}
