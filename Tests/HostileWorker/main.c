// Sends answers that malicious code could send after taking over a worker: well-formed messages about properties that
// the document does not have. The document's first bytes name the kind of source, `PDF`, `INK` or `RIFF`. Its 13th
// byte is the command.
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include <offstage_ink_wire.h>
#include <offstage_pages.h>
#include <offstage_sound_wire.h>
#include <offstage_worker.h>

/// The number of answers to a request that the host must not continue for ever; limited so that a test ends.
#define ENOUGH 50000

static bool add_page_record(struct offstage_worker_reply *reply, uint32_t kind, uint32_t number, uint32_t size) {
    static const char text[65536];
    const struct offstage_pages_record record = {kind, size, {(int32_t)number, 1000, 1000, 0}};
    return offstage_worker_report(reply, &record, sizeof record) && offstage_worker_report(reply, text, size);
}

/// The records of the job, and the number of the first one.
static uint32_t kind_of(const struct offstage_pages_options *options, uint32_t *first) {
    bool is_page = options->job == OFFSTAGE_PAGES_DESCRIBE, is_item = options->job == OFFSTAGE_PAGES_OUTLINE;
    *first = is_page || is_item ? options->page : options->first;
    return is_page ? OFFSTAGE_PAGES_PAGE
        : is_item ? OFFSTAGE_PAGES_ITEM
        : OFFSTAGE_PAGES_WORD;
}

static void answer_pages(const struct offstage_pages_options *options, char command, struct offstage_worker_reply *reply) {
    uint32_t first, kind = kind_of(options, &first);
    struct offstage_pages_report report = {
        .version = OFFSTAGE_PAGES_VERSION, .pages = 99000, .facts = OFFSTAGE_PAGES_MORE, .next = first + 1};
    uint32_t count = 1, size = 0, step = 1, number = first;
    switch (command) {
    case 'm': count = 2500; break; // More records than the page numbers from `first` to `next`.
    case 's': report.next = first; break; // Makes no progress.
    case 'e': report.next = UINT32_MAX; break; // Beyond the end.
    case 't': // The same page twice.
        report.next = first + 2;
        count = 2;
        step = 0;
        break;
    case 'c': report.pages = first == 0 ? 99000 : 1000; break; // Another document.
    case 'p': report.pages = UINT32_MAX; break; // More pages than the library can count.
    case 'i': // Information of another kind, again and again.
        kind = OFFSTAGE_PAGES_INFORMATION;
        count = 2000;
        break;
    case 'l': size = 30000; break; // A label that is too long.
    case 'b': // Labels of the longest kind.
        report.next = first + 60;
        count = 60;
        size = 1000;
        break;
    case 'n': // No end: a record, or none, of each.
        count = kind == OFFSTAGE_PAGES_WORD ? 0 : 1;
        if (first >= ENOUGH) report.facts = 0, report.pages = 99000;
        break;
    }
    offstage_worker_report(reply, &report, sizeof report);
    for (uint32_t i = 0; i < count; i++, number += step)
        if (!add_page_record(reply, kind, number, size)) return;
}

static void send_parts(struct offstage_worker_reply *reply, size_t bytes, const uint64_t numbers[2]) {
    static const char part[61440];
    for (size_t sent = 0; sent < bytes; sent += sizeof part) {
        size_t size = bytes - sent < sizeof part ? bytes - sent : sizeof part;
        if (!offstage_worker_part(reply, part, size, 0, 0, numbers)) return;
    }
}

static void answer_ink(const struct offstage_ink_options *options, char command, struct offstage_worker_reply *reply) {
    struct offstage_ink_report report = {.version = OFFSTAGE_INK_VERSION, .pages = 99000, .records = 1};
    uint32_t count = 1;
    if (options->job == OFFSTAGE_INK_LOAD) {
        // One record that never ends.
        const struct offstage_ink_record record = {OFFSTAGE_INK_PAGE, UINT32_MAX};
        offstage_worker_part(reply, "offsink1", 8, 0, 0, (uint64_t[2]){0});
        offstage_worker_part(reply, &record, sizeof record, 0, 0, (uint64_t[2]){0});
        send_parts(reply, 8 << 20, (uint64_t[2]){0});
    }
    switch (command) {
    case 'm': // More pages than the document has.
        report.pages = 3;
        report.records = count = 5;
        break;
    case 'r': report.records = 3; break; // Fewer records than stated.
    case 'c': report.strokes = options->page; break; // Another document.
    case 'n': // No end: a page of each.
        if (options->page >= ENOUGH) report.records = count = 0;
        break;
    }
    offstage_worker_report(reply, &report, sizeof report);
    for (uint32_t i = 0; i < count; i++) {
        const struct offstage_ink_record record = {OFFSTAGE_INK_PAGE, sizeof(struct offstage_ink_page)};
        const struct offstage_ink_page page = {.width = 100, .height = 100, .layers = 1};
        offstage_worker_report(reply, &record, sizeof record);
        offstage_worker_report(reply, &page, sizeof page);
    }
}

static void answer_sound(const struct offstage_sound_options *options, char command, struct offstage_worker_reply *reply) {
    struct offstage_sound_report report = {.rate = 44100, .channels = 1, .frames = 44100, .kind = "WAV"};
    const uint64_t mono[2] = {44100, 1}, stereo[2] = {44100, 2};
    size_t peaks = (report.frames + options->frames_per_peak - 1) / options->frames_per_peak * OFFSTAGE_SOUND_PEAK;
    switch (command) {
    case 'b': // More than the file can have, which the report admits.
        report.frames = (uint64_t)(1 << 20) * options->frames_per_peak;
        send_parts(reply, OFFSTAGE_SOUND_PEAK << 20, mono);
        break;
    case 'h': // More than a mono sound can have, and fewer than one of 32 channels.
        report.frames = (uint64_t)2000 * options->frames_per_peak;
        send_parts(reply, 2000 * OFFSTAGE_SOUND_PEAK, mono);
        break;
    case 'm': send_parts(reply, peaks + OFFSTAGE_SOUND_PEAK, mono); break; // One peak more than the frames allow.
    case 'f': send_parts(reply, peaks - OFFSTAGE_SOUND_PEAK, mono); break; // One fewer.
    case 'c': // In the middle, another number of channels.
        send_parts(reply, OFFSTAGE_SOUND_PEAK, mono);
        send_parts(reply, peaks - OFFSTAGE_SOUND_PEAK, stereo);
        break;
    default: send_parts(reply, peaks, mono); // Behaves like an honest worker.
    }
    offstage_worker_report(reply, &report, sizeof report);
}

static void draw(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    char document[13] = {0};
    if (pread(job->file, document, sizeof document, 0) < (ssize_t)sizeof document) return;
    char command = document[12];
    if (document[0] == 'P') answer_pages((const void *)job->options, command, reply);
    if (document[0] == 'I') answer_ink((const void *)job->options, command, reply);
    if (document[0] == 'R') answer_sound((const void *)job->options, command, reply);
}

int main(void) { return offstage_worker_run(&(struct offstage_worker_program){.draw = draw, .reads_file = true}); }
