#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

#include "decoders.h"

struct source {
    const uint8_t *bytes;
    size_t size, position;
};

static int read_bytes(GifFileType *file, GifByteType *target, int count) {
    struct source *source = file->UserData;
    size_t left = source->size - source->position, size = (size_t)count < left ? (size_t)count : left;
    memcpy(target, source->bytes + source->position, size);
    source->position += size;
    return (int)size;
}

/// The canvas as the frames so far have drawn it: RGBA, not premultiplied.
struct canvas {
    uint8_t *pixels, *saved;
    int width, height;
    /// The disposal of the previous frame, and its position.
    int disposal, left, top, frame_width, frame_height;
    bool has_rows;
};

static void dispose(struct canvas *canvas) {
    if (canvas->disposal == DISPOSE_PREVIOUS && canvas->saved) {
        memcpy(canvas->pixels, canvas->saved, 4 * (size_t)canvas->width * (size_t)canvas->height);
    } else if (canvas->disposal == DISPOSE_BACKGROUND) {
        for (int y = canvas->top; y < canvas->top + canvas->frame_height && y < canvas->height; y++)
            for (int x = canvas->left; x < canvas->left + canvas->frame_width && x < canvas->width; x++)
                memset(canvas->pixels + 4 * ((size_t)y * (size_t)canvas->width + (size_t)x), 0, 4);
    }
}

static void paint_row(struct canvas *canvas, int y, const GifPixelType *row, const ColorMapObject *colors, int transparent) {
    if (y >= canvas->height) return;
    canvas->has_rows = true;
    for (int x = 0; x < canvas->frame_width && canvas->left + x < canvas->width; x++) {
        if (row[x] == transparent || row[x] >= colors->ColorCount) continue;
        GifColorType color = colors->Colors[row[x]];
        uint8_t *pixel = canvas->pixels + 4 * ((size_t)y * (size_t)canvas->width + (size_t)(canvas->left + x));
        pixel[0] = color.Red;
        pixel[1] = color.Green;
        pixel[2] = color.Blue;
        pixel[3] = 255;
    }
}

/// Skips a frame's pixels. False if the file is damaged.
static bool skip_pixels(GifFileType *file) {
    int size;
    GifByteType *block;
    if (DGifGetCode(file, &size, &block) == GIF_ERROR) return false;
    while (block)
        if (DGifGetCodeNext(file, &block) == GIF_ERROR) return false;
    return true;
}

/// Makes the canvas at the first frame. As in browsers, a frame larger than the screen enlarges the canvas. False if the
/// size is rejected.
static bool make(struct canvas *canvas, const GifFileType *file, const struct offstage_image_job *job) {
    const GifImageDesc *frame = &file->Image;
    int right = frame->Left + frame->Width, bottom = frame->Top + frame->Height;
    canvas->width = right > file->SWidth ? right : file->SWidth;
    canvas->height = bottom > file->SHeight ? bottom : file->SHeight;
    if (!offstage_image_allows(job->image, (uint64_t)canvas->width, (uint64_t)canvas->height)) return false;
    size_t size = 4 * (size_t)canvas->width * (size_t)canvas->height;
    canvas->pixels = calloc(1, size);
    if (!canvas->pixels) offstage_image_no_memory(job->image, size);
    return canvas->pixels != NULL;
}

/// Reads a frame and, if wanted, paints it. False if the file is damaged; rows before the damage are painted.
static bool read_frame(
    GifFileType *file, struct canvas *canvas, const GraphicsControlBlock *control, const struct offstage_image_job *job,
    bool is_wanted) {
    if (DGifGetImageDesc(file) == GIF_ERROR) return false;
    if (!is_wanted) return skip_pixels(file);
    const GifImageDesc *frame = &file->Image;
    const ColorMapObject *colors = frame->ColorMap ? frame->ColorMap : file->SColorMap;
    if (frame->Width <= 0 || frame->Height <= 0 || frame->Left < 0 || frame->Top < 0) return false;
    if (!canvas->pixels && !make(canvas, file, job)) return false;
    GifPixelType *row = malloc((size_t)frame->Width);
    if (!row) return false;
    dispose(canvas);
    canvas->disposal = control->DisposalMode;
    canvas->left = frame->Left;
    canvas->top = frame->Top;
    canvas->frame_width = frame->Width;
    canvas->frame_height = frame->Height;
    if (canvas->disposal == DISPOSE_PREVIOUS) {
        size_t size = 4 * (size_t)canvas->width * (size_t)canvas->height;
        if (!canvas->saved) canvas->saved = malloc(size);
        if (canvas->saved) memcpy(canvas->saved, canvas->pixels, size);
    }
    static const int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
    bool is_whole = true;
    for (int pass = 0; is_whole && pass < (frame->Interlace ? 4 : 1); pass++) {
        int y = frame->Interlace ? starts[pass] : 0, step = frame->Interlace ? steps[pass] : 1;
        for (; is_whole && y < frame->Height; y += step) {
            is_whole = DGifGetLine(file, row, frame->Width) != GIF_ERROR;
            if (is_whole && colors) paint_row(canvas, frame->Top + y, row, colors, control->TransparentColor);
        }
    }
    free(row);
    return is_whole;
}

static void read_control(GifFileType *file, GraphicsControlBlock *control) {
    int code;
    GifByteType *bytes;
    if (DGifGetExtension(file, &code, &bytes) == GIF_ERROR) return;
    if (code == GRAPHICS_EXT_FUNC_CODE && bytes) DGifExtensionToGCB(bytes[0], bytes + 1, control);
    while (bytes && DGifGetExtensionNext(file, &bytes) != GIF_ERROR) continue;
}

/// Reads all frames, and paints those up to the wanted one. Returns their number.
static uint32_t read_frames(GifFileType *file, struct canvas *canvas, const struct offstage_image_job *job, bool *is_whole) {
    const GraphicsControlBlock none = {.TransparentColor = NO_TRANSPARENT_COLOR};
    GraphicsControlBlock control = none;
    uint32_t frames = 0;
    GifRecordType type = UNDEFINED_RECORD_TYPE;
    *is_whole = true;
    while (type != TERMINATE_RECORD_TYPE && DGifGetRecordType(file, &type) != GIF_ERROR) {
        if (type == EXTENSION_RECORD_TYPE) {
            read_control(file, &control);
        } else if (type == IMAGE_DESC_RECORD_TYPE) {
            bool is_wanted = frames < job->frame, is_good = read_frame(file, canvas, &control, job, is_wanted);
            if (is_wanted) *is_whole = is_good;
            frames++;
            control = none;
            if (!is_good) break;
        }
    }
    return frames;
}

void decode_gif(const struct offstage_image_job *job) {
    struct source source = {job->bytes, job->size, 0};
    int error;
    GifFileType *file = DGifOpen(&source, read_bytes, &error);
    if (!file) {
        offstage_image_damaged(job->image);
        return;
    }
    struct canvas canvas = {0};
    bool is_whole = true;
    struct offstage_image_head head = {.layout = OFFSTAGE_IMAGE_RGBA, .has_alpha = true};
    head.frames = read_frames(file, &canvas, job, &is_whole);
    head.width = (uint64_t)canvas.width;
    head.height = (uint64_t)canvas.height;
    if (!canvas.has_rows && !is_whole) {
        offstage_image_damaged(job->image);
    } else if (canvas.pixels && offstage_image_begin(job->image, &head)) {
        if (!is_whole) offstage_image_partial(job->image);
        for (int y = 0; y < canvas.height && offstage_image_row(job->image, canvas.pixels + 4 * (size_t)y * head.width); y++)
            continue;
    }
    free(canvas.pixels);
    free(canvas.saved);
    DGifCloseFile(file, &error);
}
