// The worker program that decodes JPEG, PNG, WebP, GIF and TIFF files.
#include "decoders.h"

static void draw(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    struct offstage_image *image = offstage_image_open(job, reply);
    if (!image) return;
    const struct offstage_image_options *options = offstage_image_options(image);
    const struct offstage_image_job decoding = {job->document, job->document_size, options->frame, image};
    switch (options->kind) {
    case OFFSTAGE_IMAGE_JPEG: decode_jpeg(&decoding); break;
    case OFFSTAGE_IMAGE_PNG: decode_png(&decoding); break;
    case OFFSTAGE_IMAGE_WEBP: decode_webp(&decoding); break;
    case OFFSTAGE_IMAGE_GIF: decode_gif(&decoding); break;
    case OFFSTAGE_IMAGE_TIFF: decode_tiff(&decoding); break;
    default: offstage_image_fail(image, OFFSTAGE_IMAGE_BAD_OPTIONS, options->kind, 0);
    }
    offstage_image_close(image);
}

int main(void) {
    return offstage_worker_run(&(struct offstage_worker_program){.prepare = offstage_image_prepare, .draw = draw});
}
