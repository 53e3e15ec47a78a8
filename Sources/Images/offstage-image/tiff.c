#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

#include "tiff_samples.h"

struct source {
    const uint8_t *bytes;
    toff_t size, position;
};

static tmsize_t read_bytes(thandle_t handle, void *target, tmsize_t count) {
    struct source *source = handle;
    toff_t left = source->position < source->size ? source->size - source->position : 0;
    tmsize_t size = count < (tmsize_t)left ? count : (tmsize_t)left;
    memcpy(target, source->bytes + source->position, (size_t)size);
    source->position += (toff_t)size;
    return size;
}

static tmsize_t write_bytes(thandle_t handle, void *bytes, tmsize_t count) {
    (void)handle, (void)bytes, (void)count;
    return 0;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
    struct source *source = handle;
    source->position = whence == SEEK_SET ? offset : whence == SEEK_CUR ? source->position + offset : source->size + offset;
    return source->position;
}

static int close_source(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t size_of(thandle_t handle) { return ((struct source *)handle)->size; }

static int map(thandle_t handle, void **base, toff_t *size) {
    struct source *source = handle;
    *base = (void *)source->bytes;
    *size = source->size;
    return 1;
}

static void unmap(thandle_t handle, void *base, toff_t size) { (void)handle, (void)base, (void)size; }

/// The number of error messages from the library since the header was read. Its messages would quote the file.
static int complaints;

static void complain(const char *module, const char *format, va_list arguments) {
    (void)module, (void)format, (void)arguments;
    complaints++;
}

/// Decodes in bands, as the file stores them. The library converts each band into premultiplied RGBA.
static void bands(TIFF *file, TIFFRGBAImage *converter, const struct offstage_image_job *job, uint32_t width, uint32_t height) {
    uint32_t band = 0;
    if (TIFFIsTiled(file)) TIFFGetField(file, TIFFTAG_TILELENGTH, &band);
    else TIFFGetFieldDefaulted(file, TIFFTAG_ROWSPERSTRIP, &band);
    if (band == 0 || band > height) band = height;
    // Smaller bands would decode compressed blocks repeatedly; larger ones take more memory.
    uint32_t *raster = malloc(4 * (size_t)width * band);
    if (!raster) {
        offstage_image_no_memory(job->image, 4 * (uint64_t)width * band);
        return;
    }
    // The top row first, whatever the file's orientation, because the picture is rotated later.
    converter->req_orientation = converter->orientation;
    for (uint32_t y = 0; y < height; y += band) {
        uint32_t rows = height - y < band ? height - y : band;
        memset(raster, 0, 4 * (size_t)width * band);
        converter->row_offset = (int)y;
        converter->col_offset = 0;
        if (!TIFFRGBAImageGet(converter, raster, width, rows)) {
            offstage_image_damaged(job->image);
            break;
        }
        if (complaints > 0) offstage_image_partial(job->image);
        bool goes_on = true;
        for (uint32_t i = 0; goes_on && i < rows; i++) goes_on = offstage_image_row(job->image, raster + (size_t)i * width);
        if (!goes_on) break;
    }
    free(raster);
}

/// True for rows of three bytes a pixel, which need no conversion.
static bool is_plain(TIFF *file, uint32_t width) {
    uint16_t bits, samples, arrangement, photometric, format;
    TIFFGetFieldDefaulted(file, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLESPERPIXEL, &samples);
    TIFFGetFieldDefaulted(file, TIFFTAG_PLANARCONFIG, &arrangement);
    TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLEFORMAT, &format);
    return TIFFGetField(file, TIFFTAG_PHOTOMETRIC, &photometric) && photometric == PHOTOMETRIC_RGB && bits == 8 && samples == 3
        && arrangement == PLANARCONFIG_CONTIG && format == SAMPLEFORMAT_UINT && !TIFFIsTiled(file)
        && TIFFScanlineSize64(file) == 3 * (uint64_t)width;
}

static void plain_rows(TIFF *file, const struct offstage_image_job *job, uint32_t width, uint32_t height) {
    size_t size = 3 * (size_t)width;
    uint8_t *row = malloc(size), *zeros = calloc(1, size);
    if (!row || !zeros) {
        offstage_image_no_memory(job->image, size);
        free(row);
        free(zeros);
        return;
    }
    // A strip that cannot be read is black, unless nothing follows it.
    uint32_t missing = 0;
    bool goes_on = true;
    for (uint32_t y = 0; goes_on && y < height; y++) {
        if (TIFFReadScanline(file, row, y, 0) != 1) {
            missing++;
            continue;
        }
        if (missing > 0 || complaints > 0) offstage_image_partial(job->image);
        for (; goes_on && missing > 0; missing--) goes_on = offstage_image_row(job->image, zeros);
        goes_on = goes_on && offstage_image_row(job->image, row);
    }
    if (missing > 0) offstage_image_damaged(job->image);
    free(row);
    free(zeros);
}

static void decode(TIFF *file, const struct offstage_image_job *job) {
    uint32_t frames = TIFFNumberOfDirectories(file);
    if (job->frame <= frames && !TIFFSetDirectory(file, (tdir_t)(job->frame - 1))) {
        offstage_image_damaged(job->image);
        return;
    }
    uint32_t width = 0, height = 0, profile_size = 0;
    uint16_t orientation = 1, bits = 8, compression = COMPRESSION_NONE, extra_count = 0, *extra = NULL, photometric = 0;
    void *profile = NULL;
    TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(file, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetFieldDefaulted(file, TIFFTAG_ORIENTATION, &orientation);
    TIFFGetFieldDefaulted(file, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(file, TIFFTAG_EXTRASAMPLES, &extra_count, &extra);
    TIFFGetField(file, TIFFTAG_PHOTOMETRIC, &photometric);
    // Other extra samples are not alpha, but selections and the like. The library multiplies colours with alpha, but not grey.
    bool has_alpha = extra_count > 0 && (extra[0] == EXTRASAMPLE_ASSOCALPHA || extra[0] == EXTRASAMPLE_UNASSALPHA);
    bool is_gray = photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_MINISWHITE;
    bool is_straight = has_alpha && is_gray && extra[0] == EXTRASAMPLE_UNASSALPHA;
    struct tiff_samples samples = {0};
    bool is_read_here = tiff_samples_read(file, &samples);
    struct offstage_image_head head = {
        .width = width,
        .height = height,
        .orientation = orientation,
        .bits = bits,
        .frames = frames,
        .has_alpha = is_read_here ? samples.has_alpha : has_alpha,
        .is_opaque = is_read_here && !samples.has_alpha,
        .layout = is_read_here ? tiff_samples_layout(&samples)
            : is_straight ? OFFSTAGE_IMAGE_RGBA
            : has_alpha ? OFFSTAGE_IMAGE_RGBA_PREMULTIPLIED
            : is_plain(file, width) ? OFFSTAGE_IMAGE_RGB
                                    : OFFSTAGE_IMAGE_RGBX,
    };
    // Lab is handled separately.
    if ((!is_read_here || samples.color != TIFF_COLOR_LAB) && TIFFGetField(file, TIFFTAG_ICCPROFILE, &profile_size, &profile)) {
        head.profile = profile;
        head.profile_size = profile_size;
    }
    TIFFRGBAImage converter;
    char message[1024];
    if (!TIFFGetFieldDefaulted(file, TIFFTAG_COMPRESSION, &compression) || !TIFFIsCODECConfigured(compression)
        || (!is_read_here && !TIFFRGBAImageOK(file, message))) {
        offstage_image_fail(job->image, OFFSTAGE_IMAGE_UNSUPPORTED, OFFSTAGE_IMAGE_VARIANT_OTHER, 0);
        return;
    }
    if (!offstage_image_begin(job->image, &head)) return;
    complaints = 0;
    if (is_read_here) {
        tiff_samples_draw(file, &samples, job);
        return;
    }
    if (head.layout == OFFSTAGE_IMAGE_RGB) {
        plain_rows(file, job, width, height);
        return;
    }
    // A damaged tile does not affect the others.
    if (!TIFFRGBAImageBegin(&converter, file, 0, message)) {
        offstage_image_damaged(job->image);
        return;
    }
    bands(file, &converter, job, width, height);
    TIFFRGBAImageEnd(&converter);
}

void decode_tiff(const struct offstage_image_job *job) {
    struct source source = {job->bytes, job->size, 0};
    TIFFSetErrorHandler(complain);
    TIFFSetWarningHandler(complain);
    TIFF *file = TIFFClientOpen("", "rm", &source, read_bytes, write_bytes, seek, close_source, size_of, map, unmap);
    if (!file) {
        offstage_image_damaged(job->image);
        return;
    }
    decode(file, job);
    TIFFClose(file);
}
