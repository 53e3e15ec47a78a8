// The worker program that decodes HEIC, AVIF, JPEG 2000, JPEG XL, BMP and ICO files, whose libraries are large.
#include "decoders.h"

static void draw(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    struct offstage_image *image = offstage_image_open(job, reply);
    if (!image) return;
    const struct offstage_image_options *options = offstage_image_options(image);
    const struct offstage_image_job decoding = {job->document, job->document_size, options->frame, image};
    switch (options->kind) {
    case OFFSTAGE_IMAGE_HEIF: decode_heif(&decoding); break;
    case OFFSTAGE_IMAGE_JPEG_2000: decode_jpeg_2000(&decoding); break;
    case OFFSTAGE_IMAGE_JPEG_XL: decode_jpeg_xl(&decoding); break;
    case OFFSTAGE_IMAGE_BMP: decode_bitmap(&decoding); break;
    case OFFSTAGE_IMAGE_ICO: decode_icon(&decoding); break;
    default: offstage_image_fail(image, OFFSTAGE_IMAGE_BAD_OPTIONS, options->kind, 0);
    }
    offstage_image_close(image);
}

static void prepare(void) {
    offstage_image_prepare();
    prepare_heif();
    prepare_pixbuf();
}

int main(void) {
    return offstage_worker_run(&(struct offstage_worker_program){.prepare = prepare, .draw = draw, .has_threads = true});
}
