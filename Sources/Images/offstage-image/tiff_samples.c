#include "tiff_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tiff_colors.h"

/// True for tiles that libtiff's conversion rejects: empty tiles, which mean zeros, and uncompressed tiles of an unexpected
/// size.
static bool has_odd_tiles(TIFF *file, uint16_t compression) {
    uint64_t *sizes = NULL;
    if (TIFFIsTiled(file) && compression == COMPRESSION_NONE) return true;
    if (!TIFFIsTiled(file) || !TIFFGetField(file, TIFFTAG_TILEBYTECOUNTS, &sizes) || !sizes) return false;
    for (uint32_t i = 0; i < TIFFNumberOfTiles(file); i++)
        if (sizes[i] == 0) return true;
    return false;
}

bool tiff_samples_read(TIFF *file, struct tiff_samples *samples) {
    uint16_t photometric = 0, ink = INKSET_CMYK, extra_count = 0, *extra = NULL, compression = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(file, TIFFTAG_BITSPERSAMPLE, &samples->bits);
    TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLEFORMAT, &samples->format);
    TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLESPERPIXEL, &samples->count);
    TIFFGetFieldDefaulted(file, TIFFTAG_EXTRASAMPLES, &extra_count, &extra);
    TIFFGetFieldDefaulted(file, TIFFTAG_INKSET, &ink);
    TIFFGetFieldDefaulted(file, TIFFTAG_COMPRESSION, &compression);
    TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &samples->width);
    TIFFGetField(file, TIFFTAG_IMAGELENGTH, &samples->height);
    if (!TIFFGetField(file, TIFFTAG_PHOTOMETRIC, &photometric)) return false;
    samples->is_inverted = photometric == PHOTOMETRIC_MINISWHITE;
    samples->is_icc_lab = photometric == PHOTOMETRIC_ICCLAB;
    switch (photometric) {
    case PHOTOMETRIC_MINISWHITE: case PHOTOMETRIC_MINISBLACK: samples->color = TIFF_COLOR_GRAY, samples->colors = 1; break;
    case PHOTOMETRIC_RGB: samples->color = TIFF_COLOR_RGB, samples->colors = 3; break;
    case PHOTOMETRIC_SEPARATED: samples->color = TIFF_COLOR_CMYK, samples->colors = 4; break;
    case PHOTOMETRIC_CIELAB: case PHOTOMETRIC_ICCLAB: samples->color = TIFF_COLOR_LAB, samples->colors = 3; break;
    default: return false;
    }
    // libjpeg's own conversion of colours runs first.
    if (samples->count < samples->colors || compression == COMPRESSION_JPEG || compression == COMPRESSION_OJPEG) return false;
    uint16_t bits = samples->bits;
    bool is_float = samples->format == SAMPLEFORMAT_IEEEFP;
    bool is_integer = samples->format == SAMPLEFORMAT_UINT || samples->format == SAMPLEFORMAT_INT;
    if (is_float ? bits != 32 && bits != 64 : !is_integer || (bits != 8 && bits != 12 && bits != 16 && bits != 24 && bits != 32))
        return false;
    uint16_t arrangement = PLANARCONFIG_CONTIG;
    TIFFGetFieldDefaulted(file, TIFFTAG_PLANARCONFIG, &arrangement);
    samples->is_separate = arrangement == PLANARCONFIG_SEPARATE && samples->count > 1;
    // Samples smaller than a byte cannot be interleaved.
    if (samples->is_separate && bits == 12) return false;
    if (samples->color == TIFF_COLOR_CMYK && (ink != INKSET_CMYK || is_float || (bits != 8 && bits != 16))) return false;
    if (samples->color == TIFF_COLOR_LAB && (is_float || (bits != 8 && bits != 16))) return false;
    samples->has_alpha = samples->color != TIFF_COLOR_CMYK && samples->count > samples->colors && extra_count > 0
        && (extra[0] == EXTRASAMPLE_ASSOCALPHA || extra[0] == EXTRASAMPLE_UNASSALPHA);
    samples->is_premultiplied = samples->has_alpha && extra[0] == EXTRASAMPLE_ASSOCALPHA;
    // The library is faster for bytes of red, green and blue, or grey.
    return samples->color == TIFF_COLOR_CMYK || samples->color == TIFF_COLOR_LAB || bits != 8
        || samples->format != SAMPLEFORMAT_UINT || has_odd_tiles(file, compression);
}

enum offstage_image_layout tiff_samples_layout(const struct tiff_samples *samples) {
    return samples->color == TIFF_COLOR_CMYK ? OFFSTAGE_IMAGE_CMYK : OFFSTAGE_IMAGE_RGBA16;
}

/// Rows with interleaved samples.
struct band {
    uint8_t *bytes;
    size_t row_size;
    uint32_t rows;
    /// A strip or a tile.
    uint8_t *part;
    tmsize_t part_size;
    uint32_t part_columns;
};

/// The size of samples in bytes. At the end of a row, they may end within a byte.
static size_t size_of(const struct tiff_samples *samples, uint64_t count) { return (count * samples->bits + 7) / 8; }

/// Copies a part's rows, of all samples or of one, into the band.
static void place(
    const struct tiff_samples *samples, const struct band *band, uint32_t left, uint32_t columns, int only) {
    size_t each = size_of(samples, 1);
    uint32_t stored = only < 0 ? samples->count : 1;
    for (uint32_t y = 0; y < band->rows; y++) {
        const uint8_t *from = band->part + y * size_of(samples, (uint64_t)band->part_columns * stored);
        uint8_t *to = band->bytes + y * band->row_size;
        // Tile widths are multiples of 16 columns, so every tile starts at a byte.
        if (only < 0) memcpy(to + size_of(samples, (uint64_t)left * stored), from, size_of(samples, (uint64_t)columns * stored));
        else
            for (uint32_t x = 0; x < columns; x++)
                memcpy(to + ((size_t)(left + x) * samples->count + (size_t)only) * each, from + x * each, each);
    }
}

/// True if a part was read. An unreadable part is filled with zeros, and so is a tile without bytes, which does not count as
/// damage.
static bool read_part(TIFF *file, const struct band *band, uint32_t left, uint32_t top, uint16_t plane, bool *is_damaged) {
    memset(band->part, 0, (size_t)band->part_size);
    if (!TIFFIsTiled(file)) {
        bool is_read = TIFFReadEncodedStrip(file, TIFFComputeStrip(file, top, plane), band->part, band->part_size) >= 0;
        *is_damaged = *is_damaged || !is_read;
        return is_read;
    }
    uint32_t tile = TIFFComputeTile(file, left, top, 0, plane);
    uint64_t *sizes = NULL;
    if (TIFFGetField(file, TIFFTAG_TILEBYTECOUNTS, &sizes) && sizes && sizes[tile] == 0) return true;
    bool is_read = TIFFReadEncodedTile(file, tile, band->part, band->part_size) >= 0;
    *is_damaged = *is_damaged || !is_read;
    return is_read;
}

/// Reads the band that begins at a row. False if nothing of it can be read.
static bool read_band(TIFF *file, const struct tiff_samples *samples, struct band *band, uint32_t top, bool *is_damaged) {
    bool is_there = false;
    memset(band->bytes, 0, band->row_size * band->rows);
    for (uint16_t plane = 0; plane < (samples->is_separate ? samples->count : 1); plane++)
        for (uint32_t left = 0; left < samples->width; left += band->part_columns) {
            if (!read_part(file, band, left, top, plane, is_damaged)) continue;
            is_there = true;
            uint32_t inside = samples->width - left < band->part_columns ? samples->width - left : band->part_columns;
            place(samples, band, left, inside, samples->is_separate ? plane : -1);
        }
    return is_there;
}

/// If the sample format does not define black and white, they are the smallest and the largest value in the file.
static void measure(TIFF *file, struct tiff_samples *samples, struct band *band, uint32_t height) {
    bool is_float = samples->format == SAMPLEFORMAT_IEEEFP;
    samples->low = 0;
    samples->high = is_float ? 1 : exp2(samples->bits) - 1;
    if (samples->format == SAMPLEFORMAT_UINT && samples->bits <= 16) return;
    double low = INFINITY, high = -INFINITY;
    bool is_damaged = false;
    for (uint32_t y = 0; y < samples->height; y += height) {
        band->rows = samples->height - y < height ? samples->height - y : height;
        if (!read_band(file, samples, band, y, &is_damaged)) continue;
        for (uint32_t row = 0; row < band->rows; row++)
            for (uint64_t x = 0; x < samples->width; x++)
                for (uint16_t i = 0; i < samples->colors; i++) {
                    double number = tiff_value(samples, band->bytes + row * band->row_size, x * samples->count + i);
                    if (!isfinite(number)) continue;
                    low = fmin(low, number);
                    high = fmax(high, number);
                }
    }
    // Values from 0 to 1 need no mapping.
    if (low > high || (is_float && low >= 0 && high <= 1)) return;
    samples->low = low;
    samples->high = high > low ? high : low + 1;
}

static bool deliver_missing(const struct offstage_image_job *job, struct tiff_colors *colors, uint32_t rows) {
    const void *row = tiff_colors_black(colors);
    while (rows > 0 && offstage_image_row(job->image, row)) rows--;
    return rows == 0;
}

static bool deliver_band(const struct offstage_image_job *job, const struct band *band, struct tiff_colors *colors) {
    bool goes_on = true;
    for (uint32_t i = 0; goes_on && i < band->rows; i++)
        goes_on = offstage_image_row(job->image, tiff_colors_row(colors, band->bytes + i * band->row_size));
    return goes_on;
}

static void deliver(
    TIFF *file, struct tiff_samples *samples, const struct offstage_image_job *job, struct band *band, uint32_t height) {
    struct tiff_colors colors;
    bool is_damaged = false, goes_on = tiff_colors_begin(&colors, samples);
    if (goes_on) measure(file, samples, band, height);
    else offstage_image_no_memory(job->image, 8 * (uint64_t)samples->width);
    uint32_t missing = 0;
    for (uint32_t y = 0; goes_on && y < samples->height; y += height) {
        band->rows = samples->height - y < height ? samples->height - y : height;
        if (!read_band(file, samples, band, y, &is_damaged)) {
            missing += band->rows;
            continue;
        }
        if (is_damaged) offstage_image_partial(job->image);
        // Missing rows are black if others follow. At the end of a truncated file, they are not delivered.
        goes_on = deliver_missing(job, &colors, missing);
        missing = 0;
        goes_on = goes_on && deliver_band(job, band, &colors);
    }
    if (missing > 0) offstage_image_damaged(job->image);
    tiff_colors_end(&colors);
}

void tiff_samples_draw(TIFF *file, struct tiff_samples *samples, const struct offstage_image_job *job) {
    uint32_t height = 0;
    if (TIFFIsTiled(file)) TIFFGetField(file, TIFFTAG_TILELENGTH, &height);
    else TIFFGetFieldDefaulted(file, TIFFTAG_ROWSPERSTRIP, &height);
    if (height == 0 || height > samples->height) height = samples->height;
    struct band band = {
        .row_size = size_of(samples, (uint64_t)samples->width * samples->count),
        .part_size = TIFFIsTiled(file) ? TIFFTileSize(file) : TIFFStripSize(file),
        .part_columns = samples->width,
    };
    if (TIFFIsTiled(file)) TIFFGetField(file, TIFFTAG_TILEWIDTH, &band.part_columns);
    uint64_t size = (uint64_t)band.row_size * height;
    uint64_t part = height * size_of(samples, (uint64_t)band.part_columns * (samples->is_separate ? 1 : samples->count));
    if (band.part_columns == 0 || band.part_size <= 0 || (uint64_t)band.part_size < part) {
        offstage_image_damaged(job->image);
        return;
    }
    band.bytes = malloc(size);
    band.part = malloc((size_t)band.part_size);
    if (band.bytes && band.part) deliver(file, samples, job, &band, height);
    else offstage_image_no_memory(job->image, size + (uint64_t)band.part_size);
    free(band.bytes);
    free(band.part);
}
