#include <lcms2.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"

/// Tables from linear light (0 to 65,535) to sRGB, from 0 to 65,535 and from 0 to 255.
static uint16_t srgb[65536];
static uint8_t narrow_srgb[65536];
static cmsHPROFILE target;

static uint8_t narrow(uint32_t value) { return (uint8_t)((value * 255 + 32767) / 65535); }

static double srgb_of(double light) {
    return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

/// Above this, every 16th value is enough: the error of interpolation is at most 0.01 on the scale of 65,535.
#define CURVED 4096

void offstage_image_prepare(void) {
    // Making a profile reads the time zone file.
    target = cmsCreate_sRGBProfile();
    for (int i = 0; i < CURVED; i++) srgb[i] = (uint16_t)lround(srgb_of(i / 65535.0) * 65535);
    double low = srgb_of(CURVED / 65535.0) * 65535;
    for (int i = CURVED; i < 65536; i += 16) {
        double high = srgb_of((i + 16) / 65535.0) * 65535;
        for (int k = 0; k < 16; k++) srgb[i + k] = (uint16_t)(low + (high - low) * k / 16 + 0.5);
        low = high;
    }
    for (int i = 0; i < 65536; i++) narrow_srgb[i] = narrow(srgb[i]);
}

static double light_of(double value, double gamma) {
    if (gamma > 0) return pow(value, 1 / gamma);
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/// A profile with the file's primaries and sRGB's curve, for pixels converted to linear light. NULL for sRGB's own primaries, and
/// for invalid ones.
static cmsHPROFILE profile_of_primaries(const double *xy) {
    static const double own[8] = {0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06};
    double most = 0;
    for (int i = 0; i < 8; i++) {
        if (!(xy[i] >= 0 && xy[i] <= 1) || (i % 2 == 1 && xy[i] < 0.001)) return NULL;
        most = fmax(most, fabs(xy[i] - own[i]));
    }
    // Files store rounded values.
    if (most < 0.005) return NULL;
    double parameters[5] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    cmsToneCurve *curve = cmsBuildParametricToneCurve(NULL, 4, parameters);
    cmsToneCurve *curves[3] = {curve, curve, curve};
    cmsCIExyY white = {xy[0], xy[1], 1};
    cmsCIExyYTRIPLE colors = {{xy[2], xy[3], 1}, {xy[4], xy[5], 1}, {xy[6], xy[7], 1}};
    cmsHPROFILE profile = curve ? cmsCreateRGBProfile(&white, &colors, curves) : NULL;
    if (curve) cmsFreeToneCurve(curve);
    return profile;
}

static cmsHTRANSFORM rgb_transform(cmsHPROFILE profile) {
    return cmsCreateTransform(profile, TYPE_RGBA_16, target, TYPE_RGBA_16, INTENT_RELATIVE_COLORIMETRIC,
        cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_NOCACHE | cmsFLAGS_COPY_ALPHA);
}

static bool is_near(double one, double other, double distance) { return fabs(one - other) < distance; }

/// True for a profile with sRGB's curve and primaries, whatever its name: its values need no transform.
static bool is_srgb(cmsHPROFILE profile) {
    static const cmsTagSignature curves[] = {cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};
    static const cmsTagSignature colorants[] = {cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag};
    static const cmsCIEXYZ wanted[] = {{0.4360, 0.2225, 0.0139}, {0.3851, 0.7169, 0.0971}, {0.1431, 0.0606, 0.7141}};
    // Such a profile can also have tables, which then take precedence.
    if (cmsIsTag(profile, cmsSigAToB0Tag) || cmsIsTag(profile, cmsSigAToB1Tag)) return false;
    for (int i = 0; i < 3; i++) {
        const cmsToneCurve *curve = cmsReadTag(profile, curves[i]);
        const cmsCIEXYZ *colorant = cmsReadTag(profile, colorants[i]);
        if (!curve || !colorant) return false;
        if (!is_near(colorant->X, wanted[i].X, 0.002) || !is_near(colorant->Y, wanted[i].Y, 0.002)
            || !is_near(colorant->Z, wanted[i].Z, 0.002))
            return false;
        for (double value = 0.05; value < 1; value += 0.1)
            if (!is_near(cmsEvalToneCurveFloat(curve, (float)value), light_of(value, 0), 0.004)) return false;
    }
    return true;
}

/// Converts a grey profile to an RGB profile with the same curve for each colour. NULL if it has no curve.
static cmsHPROFILE gray_as_rgb(cmsHPROFILE profile) {
    cmsToneCurve *curve = cmsReadTag(profile, cmsSigGrayTRCTag);
    if (!curve) return NULL;
    const cmsCIExyY white = {0.3127, 0.3290, 1};
    const cmsCIExyYTRIPLE primaries = {{0.64, 0.33, 1}, {0.30, 0.60, 1}, {0.15, 0.06, 1}};
    cmsToneCurve *curves[] = {curve, curve, curve};
    return cmsCreateRGBProfile(&white, &primaries, curves);
}

/// A transform into sRGB. NULL if the profile is damaged, for another colour space, or not needed.
static cmsHTRANSFORM transform(struct offstage_image *image, const struct offstage_image_head *head) {
    bool is_ink = head->layout == OFFSTAGE_IMAGE_CMYK;
    cmsHTRANSFORM result = NULL;
    if (!head->profile && !is_ink) {
        cmsHPROFILE profile = profile_of_primaries(head->primaries);
        if (!profile) return NULL;
        result = rgb_transform(profile);
        cmsCloseProfile(profile);
        return result;
    }
    if (!head->profile || head->profile_size == 0 || head->profile_size > UINT32_MAX) return NULL;
    cmsHPROFILE profile = cmsOpenProfileFromMem(head->profile, (cmsUInt32Number)head->profile_size);
    if (!profile) return NULL;
    image->report.profile_bytes = (uint32_t)head->profile_size;
    char *name = image->report.profile;
    cmsGetProfileInfoASCII(profile, cmsInfoDescription, "en", "US", name, sizeof image->report.profile - 1);
    for (; *name; name++)
        if (*name < ' ' || *name > '~') *name = '?';
    cmsColorSpaceSignature space = cmsGetColorSpace(profile);
    if (is_ink && space == cmsSigCmykData)
        result = cmsCreateTransform(profile, TYPE_CMYK_16_REV, target, TYPE_RGBA_16, INTENT_RELATIVE_COLORIMETRIC,
            cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_NOCACHE);
    else if (!is_ink && space == cmsSigRgbData && !is_srgb(profile))
        result = rgb_transform(profile);
    else if (!is_ink && space == cmsSigGrayData) {
        cmsHPROFILE equal = gray_as_rgb(profile);
        if (equal && !is_srgb(equal)) result = rgb_transform(equal);
        if (equal) cmsCloseProfile(equal);
    }
    cmsCloseProfile(profile);
    return result;
}

bool image_colors_begin(struct offstage_image *image, const struct offstage_image_head *head) {
    image->transform = transform(image, head);
    if (image->options->is_info) return true;
    struct light *light = &image->light;
    size_t count = image->layout == OFFSTAGE_IMAGE_RGBA16 ? 65536 : 256;
    light->numbers = malloc(count * sizeof *light->numbers);
    light->vectors = aligned_alloc(16, 3 * sizeof *light->vectors);
    image->straight = malloc((size_t)image->plan.stored_width * 4 * sizeof *image->straight);
    if (!light->numbers || !light->vectors || !image->straight) return false;
    // Ink is proportional to the covered paper. For averages, sRGB's curve is close enough to the curve of any other profile.
    for (size_t i = 0; i < count; i++) {
        double value = (double)i / (double)(count - 1);
        light->numbers[i] = (float)(image->layout == OFFSTAGE_IMAGE_CMYK ? value : light_of(value, head->gamma));
    }
    for (size_t i = 0; i < 256; i++) {
        float value = light->numbers[i];
        light->vectors[0][i] = (f4){value, 0, 0, 1};
        light->vectors[1][i] = (f4){0, value, 0, 0};
        light->vectors[2][i] = (f4){0, 0, value, 0};
    }
    return true;
}

void image_colors_end(struct offstage_image *image) {
    if (image->transform) cmsDeleteTransform(image->transform);
    free(image->light.numbers);
    free(image->light.vectors);
    free(image->straight);
}

/// Bytes per decoded pixel.
static inline size_t stride(enum offstage_image_layout layout) {
    return layout == OFFSTAGE_IMAGE_RGB ? 3 : layout == OFFSTAGE_IMAGE_RGBA16 ? 8 : 4;
}

/// The linear light of three values, with 1 as the fourth component.
static inline f4 light_of_colors(const struct light *light, uint8_t red, uint8_t green, uint8_t blue) {
    return light->vectors[0][red] + light->vectors[1][green] + light->vectors[2][blue];
}

/// A pixel as premultiplied light.
static inline f4 light_of_pixel(enum offstage_image_layout layout, const uint8_t *p, const struct light *light) {
    switch (layout) {
    case OFFSTAGE_IMAGE_CMYK: {
        f4 inks = light_of_colors(light, p[0], p[1], p[2]);
        inks[3] = light->numbers[p[3]];
        return inks;
    }
    case OFFSTAGE_IMAGE_RGBA: return light_of_colors(light, p[0], p[1], p[2]) * ((float)p[3] / 255);
    case OFFSTAGE_IMAGE_RGBA16: {
        const uint16_t *wide = (const uint16_t *)(const void *)p;
        const float *numbers = light->numbers;
        return (f4){numbers[wide[0]], numbers[wide[1]], numbers[wide[2]], 1} * ((float)wide[3] / 65535);
    }
    case OFFSTAGE_IMAGE_RGBA_PREMULTIPLIED: {
        if (p[3] == 0) return 0;
        uint8_t straight[3];
        for (int i = 0; i < 3; i++) {
            unsigned value = (p[i] * 255u + p[3] / 2u) / p[3];
            straight[i] = value > 255 ? 255 : (uint8_t)value;
        }
        return light_of_colors(light, straight[0], straight[1], straight[2]) * ((float)p[3] / 255);
    }
    default: return light_of_colors(light, p[0], p[1], p[2]);
    }
}

/// Inlined for each layout, to avoid a branch per pixel.
__attribute__((always_inline)) static inline void add_light(enum offstage_image_layout layout, const uint8_t *p,
    const struct light *light, uint32_t width, uint32_t box, bool is_first, f4 *sums) {
    if (box == 1 && is_first) {
        for (uint32_t x = 0; x < width; x++, p += stride(layout)) sums[2 * x] = light_of_pixel(layout, p, light);
        return;
    }
    for (uint32_t x = 0; x < width; sums += 2) {
        f4 sum = is_first ? 0 : *sums;
        for (uint32_t end = x + box < width ? x + box : width; x < end; x++, p += stride(layout))
            sum += light_of_pixel(layout, p, light);
        *sums = sum;
    }
}

void image_add_light(const struct offstage_image *image, const void *row, bool is_first, f4 *sums) {
    const struct axis *columns = &image->columns;
    uint32_t width = image->decoded_width - columns->start, box = columns->box;
    if (width > columns->count * box) width = columns->count * box;
    const uint8_t *p = (const uint8_t *)row + stride(image->layout) * columns->start;
    const struct light *light = &image->light;
#define ADD(layout) \
    case layout: return add_light(layout, p, light, width, box, is_first, sums)
    switch (image->layout) {
        ADD(OFFSTAGE_IMAGE_RGB);
        ADD(OFFSTAGE_IMAGE_RGBX);
        ADD(OFFSTAGE_IMAGE_RGBA);
        ADD(OFFSTAGE_IMAGE_RGBA_PREMULTIPLIED);
        ADD(OFFSTAGE_IMAGE_RGBA16);
        ADD(OFFSTAGE_IMAGE_CMYK);
    }
#undef ADD
}

static uint16_t clamped(float value) { return value <= 0 ? 0 : value >= 1 ? 65535 : (uint16_t)(value * 65535 + 0.5f); }

/// The position of a stored pixel in the picture.
static uint8_t *place(const struct offstage_image *image, uint32_t x, uint32_t y) {
    const struct plan *plan = &image->plan;
    uint32_t right = plan->inner_width - 1, bottom = plan->inner_height - 1, column = x, row = y;
    switch (plan->orientation) {
    case 2: column = right - x; break;
    case 3: column = right - x; row = bottom - y; break;
    case 4: row = bottom - y; break;
    case 5: column = y; row = x; break;
    case 6: column = right - y; row = x; break;
    case 7: column = right - y; row = bottom - x; break;
    case 8: column = y; row = bottom - x; break;
    default: break;
    }
    return image->pixels + 4 * ((size_t)(plan->top + row) * plan->width + plan->left + column);
}

/// Blends a pixel, not premultiplied and in the file's colours, over the background.
static inline void write_pixel(const uint8_t colors[3], uint32_t alpha, const uint8_t *background, uint8_t *pixel) {
    for (int i = 0; i < 4; i++) {
        uint32_t value = i == 3 ? 255 : colors[2 - i];
        pixel[i] = (uint8_t)((value * alpha + background[i] * (255 - alpha) + 127) / 255);
    }
}

/// Writes a row that is in linear light, from a file without ink and without a profile.
static void write_light(const struct offstage_image *image, const f4 *line, uint8_t *pixel, ptrdiff_t step) {
    for (uint32_t x = 0; x < image->plan.stored_width; x++, pixel += step) {
        f4 value = line[x];
        float alpha = value[3];
        if (alpha != 1) value = alpha > 0 ? value / alpha : 0;
        value = __builtin_elementwise_min(__builtin_elementwise_max(value, (f4)0), (f4)1) * 65535 + 0.5f;
        i4 place = __builtin_convertvector(value, i4);
        const uint8_t colors[3] = {narrow_srgb[place[0]], narrow_srgb[place[1]], narrow_srgb[place[2]]};
        uint32_t opacity = narrow(clamped(alpha));
        if (opacity == 255) memcpy(pixel, (const uint8_t[]){colors[2], colors[1], colors[0], 255}, 4);
        else write_pixel(colors, opacity, image->options->background, pixel);
    }
}

void image_write_row(struct offstage_image *image, const f4 *line, uint32_t y) {
    uint32_t width = image->plan.stored_width;
    uint8_t *pixel = place(image, 0, y);
    ptrdiff_t step = width > 1 ? place(image, 1, y) - pixel : 0;
    bool is_ink = image->layout == OFFSTAGE_IMAGE_CMYK;
    if (!is_ink && !image->transform) {
        write_light(image, line, pixel, step);
        return;
    }
    uint16_t *out = image->straight;
    for (uint32_t x = 0; x < width; x++, out += 4) {
        f4 value = line[x];
        if (is_ink && image->transform) {
            for (int i = 0; i < 4; i++) out[i] = clamped(value[i]);
        } else if (is_ink) {
            // Without a profile: each ink absorbs its share of the remaining light.
            for (int i = 0; i < 3; i++) out[i] = clamped(value[i] * value[3]);
            out[3] = 65535;
        } else {
            float alpha = value[3];
            for (int i = 0; i < 3; i++) out[i] = alpha > 0 ? srgb[clamped(value[i] / alpha)] : 0;
            out[3] = clamped(alpha);
        }
    }
    if (image->transform) cmsDoTransform(image->transform, image->straight, image->straight, width);
    for (uint32_t x = 0; x < width; x++, pixel += step) {
        const uint16_t *in = image->straight + 4 * (size_t)x;
        const uint8_t colors[3] = {narrow(in[0]), narrow(in[1]), narrow(in[2])};
        write_pixel(colors, is_ink ? 255 : narrow(in[3]), image->options->background, pixel);
    }
}
