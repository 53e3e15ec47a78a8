// The worker program that reads ink and draws it.
#include <jansson.h>
#include <string.h>

#include "container.h"
#include "picture.h"
#include "records.h"
#include "text.h"

/// The last job's document, which the next job may use again.
static struct document kept;
static uint8_t kept_name[32];
static bool has_kept;

static void release(void) {
    if (has_kept) document_free(&kept);
    has_kept = false;
}

/// Reads the document, unless it is the one from the previous job.
static bool open_document(
    const struct offstage_worker_job *job, const struct offstage_ink_options *options, struct offstage_worker_reply *reply) {
    static const uint8_t nameless[32];
    bool has_name = memcmp(options->document, nameless, sizeof nameless) != 0;
    if (has_kept && has_name && memcmp(options->document, kept_name, sizeof kept_name) == 0) return true;
    release();
    memset(&kept, 0, sizeof kept);
    kept.most_points = options->most_points;
    kept.most_bytes = options->most_bytes;
    if (options->job == OFFSTAGE_INK_LOAD) begin_records(reply, &kept);
    document_read(&kept, job->document, (size_t)options->document_size);
    has_kept = true;
    memcpy(kept_name, options->document, sizeof kept_name);
    return has_name;
}

static struct offstage_ink_report head(uint32_t facts) {
    return (struct offstage_ink_report){
        .version = OFFSTAGE_INK_VERSION,
        .format = kept.format,
        .facts = kept.facts | facts,
        .pages = (uint32_t)kept.page_count,
        .strokes = kept.stroke_count,
        .points = kept.point_count,
    };
}

/// Describes the pages from a number on, as many as fit. A name that does not fit is left out.
static void describe(struct offstage_worker_reply *reply, uint32_t first, uint32_t most, uint32_t facts) {
    struct offstage_ink_report report = head(facts);
    size_t room = OFFSTAGE_WIRE_PAYLOAD - sizeof report, used = 0;
    for (size_t i = first; i < kept.page_count && report.records < most; i++, report.records++) {
        size_t size = sizeof(struct offstage_ink_record) + sizeof kept.pages[i].head + kept.pages[i].name_count;
        if (size > room - used) break;
        used += size;
    }
    offstage_worker_report(reply, &report, sizeof report);
    for (size_t i = first; i < first + (size_t)report.records; i++) {
        const struct page *page = &kept.pages[i];
        const struct offstage_ink_record record = {OFFSTAGE_INK_PAGE, (uint32_t)(sizeof page->head + page->name_count)};
        offstage_worker_report(reply, &record, sizeof record);
        offstage_worker_report(reply, &page->head, sizeof page->head);
        if (page->name_count) offstage_worker_report(reply, kept.bytes + page->name, page->name_count);
    }
}

static void load(struct offstage_worker_reply *reply) {
    if (!kept.send) begin_records(reply, &kept);
    end_records(&kept);
    describe(reply, 0, 0, 0);
}

struct attachment {
    struct offstage_worker_reply *reply;
    uint8_t *bytes;
    size_t count;
};

static bool count_bytes(void *context, const uint8_t *bytes, size_t count) {
    ((struct attachment *)context)->count += count;
    return true;
}

static bool copy_bytes(void *context, const uint8_t *bytes, size_t count) {
    struct attachment *attachment = context;
    memcpy(attachment->bytes, bytes, count);
    attachment->bytes += count;
    return true;
}

static void attach(const struct offstage_worker_job *job, const struct offstage_ink_options *options, struct offstage_worker_reply *reply) {
    const struct page *page = &kept.pages[options->page];
    const char *name = (const char *)kept.bytes + page->name;
    size_t size = (size_t)options->document_size;
    struct attachment attachment = {.reply = reply};
    if (page->name_count == 0 || !is_zip(job->document, size)
        || !unpack_entry(&kept, job->document, size, name, page->name_count, count_bytes, &attachment))
        return offstage_worker_fail(reply, OFFSTAGE_INK_NO_ATTACHMENT, 0, 0);
    attachment.bytes = answer_bytes(reply, attachment.count);
    if (attachment.bytes) unpack_entry(&kept, job->document, size, name, page->name_count, copy_bytes, &attachment);
    describe(reply, options->page, 1, 0);
}

/// True if the host must first draw the background or images.
static bool needs_host(const struct offstage_ink_options *options) {
    const struct page *page = &kept.pages[options->page];
    if (!(options->flags & (OFFSTAGE_INK_PLAIN | OFFSTAGE_INK_WITHOUT_FILE)) && needs_pictures(&kept, page)) return true;
    const uint32_t without = OFFSTAGE_INK_ALONE | OFFSTAGE_INK_BACKDROP | OFFSTAGE_INK_WITHOUT_FILE;
    return page->head.background != OFFSTAGE_INK_SOLID && !(options->flags & without);
}

static uint64_t backdrop_size(const struct offstage_ink_options *options) {
    return options->flags & OFFSTAGE_INK_BACKDROP ? 4ull * options->backdrop_width * options->backdrop_height : 0;
}

static void answer(const struct offstage_worker_job *job, const struct offstage_ink_options *options, struct offstage_worker_reply *reply) {
    if (options->job == OFFSTAGE_INK_LOAD) return load(reply);
    if (options->page >= kept.page_count) return offstage_worker_fail(reply, OFFSTAGE_INK_NO_PAGE, kept.page_count, 0);
    const uint8_t *pixels = job->document + options->document_size;
    uint64_t backdrop = backdrop_size(options);
    const struct drawn drawn = {backdrop ? pixels : NULL, pixels + backdrop, (size_t)options->picture_size};
    const struct page *page = &kept.pages[options->page];
    const uint32_t facts = needs_pictures(&kept, page) ? OFFSTAGE_INK_NEEDS_IMAGES : 0;
    switch (options->job) {
    case OFFSTAGE_INK_DRAW:
        if (needs_host(options)) describe(reply, options->page, 1, facts);
        else describe(reply, options->page, 1, facts | draw_page(&kept, options, &drawn, reply));
        break;
    case OFFSTAGE_INK_IMAGES:
        answer_images(&kept, page, reply);
        describe(reply, options->page, 1, facts);
        break;
    case OFFSTAGE_INK_LETTERS:
        answer_letters(&kept, page, 4, reply);
        describe(reply, options->page, 1, facts);
        break;
    case OFFSTAGE_INK_DESCRIBE: describe(reply, options->page, UINT32_MAX, 0); break;
    case OFFSTAGE_INK_ATTACHMENT: attach(job, options, reply); break;
    default: offstage_worker_fail(reply, OFFSTAGE_INK_BAD_OPTIONS, 0, 0);
    }
}

static void draw(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    struct offstage_ink_options options;
    if (job->options_size != sizeof options) return offstage_worker_fail(reply, OFFSTAGE_INK_BAD_OPTIONS, 0, 0);
    memcpy(&options, job->options, sizeof options);
    uint64_t rest = job->document_size - options.document_size, backdrop = backdrop_size(&options);
    if (options.version != OFFSTAGE_INK_VERSION || options.document_size > job->document_size || backdrop > rest
        || rest - backdrop != options.picture_size)
        return offstage_worker_fail(reply, OFFSTAGE_INK_BAD_OPTIONS, 0, 0);
    bool keeps = open_document(job, &options, reply);
    if (kept.failure) {
        offstage_worker_fail(reply, kept.failure, kept.failure_numbers[0], kept.failure_numbers[1]);
        keeps = false;
    } else {
        answer(job, &options, reply);
        if (kept.failure) offstage_worker_fail(reply, kept.failure, kept.failure_numbers[0], kept.failure_numbers[1]);
    }
    if (!keeps || kept.failure) release();
}

static char *const *fonts;
static int font_count;

static void prepare(void) {
    // The JSON library reads its random seed from a file, which the jail forbids.
    json_object_seed(0);
    text_load_fonts(fonts, font_count);
}

/// Arguments: the paths of fonts, see `text_load_fonts`.
int main(int count, char **arguments) {
    if (count > 1) fonts = arguments + 1, font_count = count - 1;
    return offstage_worker_run(&(struct offstage_worker_program){.prepare = prepare, .draw = draw});
}
