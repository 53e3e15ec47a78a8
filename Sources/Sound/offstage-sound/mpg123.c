#include <mpg123.h>
#include <stdio.h>
#include <unistd.h>

#include "decoders.h"
#include "mpeg.h"

// The size of a piece in bytes: about a dozen MP3 frames.
#define PIECE 65536
/// With more bytes than this between two frames, a file counts as damaged. The library then leaves the search to `mpeg_find`.
#define JUNK 1024

static ssize_t read_bytes(void *handle, void *bytes, size_t size) { return mpeg_read(handle, bytes, (int64_t)size); }
static off_t seek(void *handle, off_t offset, int whence) {
    return document_seek(((struct mpeg_reader *)handle)->document, offset, whence);
}

/// Moves to the next frame after an error. Returns false if there is none.
static bool continue_after(mpg123_handle *decoder, struct mpeg_reader *reader, struct sound *sound) {
    sound->report.is_damaged = 1;
    if (mpg123_errcode(decoder) != MPG123_RESYNC_FAIL) return false;
    // The library has examined the last bytes only as part of a header.
    document_seek(reader->document, -4, SEEK_CUR);
    return mpeg_find(reader);
}

/// The sample format that the library decodes to.
static int encoding(const struct sound *sound) {
    return sound_wants_floats(sound) ? MPG123_ENC_FLOAT_32 : MPG123_ENC_SIGNED_16;
}

/// Uses the first frame's channels and rate for the whole sound. The library converts other frames.
static bool fix_format(mpg123_handle *decoder, struct mpeg_reader *reader, struct sound *sound) {
    long rate;
    int channels, kind;
    while (mpg123_getformat(decoder, &rate, &channels, &kind) != MPG123_OK)
        if (!continue_after(decoder, reader, sound)) return false;
    mpg123_format_none(decoder);
    if (mpg123_format(decoder, rate, channels == 1 ? MPG123_MONO : MPG123_STEREO, encoding(sound)) != MPG123_OK) return false;
    return sound_begin(sound, (uint64_t)(rate < 0 ? 0 : rate), (uint64_t)channels);
}

static bool decode(mpg123_handle *decoder, struct mpeg_reader *reader, struct sound *sound) {
    static union {
        int16_t integers[PIECE / sizeof(int16_t)];
        float floats[PIECE / sizeof(float)];
    } samples;
    bool reads_floats = sound_wants_floats(sound);
    struct offstage_sound_report *report = &sound->report;
    while (true) {
        size_t bytes = 0;
        int result = mpg123_read(decoder, &samples, sizeof samples, &bytes);
        size_t frames = bytes / (reads_floats ? sizeof(float) : sizeof(int16_t)) / report->channels;
        bool takes_more = frames == 0
            || (reads_floats ? sound_add_floats(sound, samples.floats, frames, 32768) : sound_add(sound, samples.integers, frames));
        if (!takes_more) return false;
        if (result == MPG123_OK || result == MPG123_NEW_FORMAT) continue;
        if (result == MPG123_DONE || !continue_after(decoder, reader, sound)) return true;
    }
}

static void read_document(mpg123_handle *decoder, struct sound *sound) {
    static struct mpeg_reader reader;
    reader.document = &sound->document;
    reader.count = 0;
    mpeg_cut_tags(&sound->document);
    struct mpeg_head head = mpeg_head(&reader);
    document_cut(&sound->document, head.vbri_size);
    reader.count = 0;
    struct offstage_sound_report *report = &sound->report;
    mpg123_param(decoder, MPG123_ADD_FLAGS, MPG123_QUIET, 0);
    // Only the library can find frames whose headers don't determine a length.
    mpg123_param(decoder, MPG123_RESYNC_LIMIT, head.has_free_rate ? -1 : JUNK, 0);
    const long *rates;
    size_t count;
    mpg123_rates(&rates, &count);
    mpg123_format_none(decoder);
    for (size_t i = 0; i < count; i++)
        mpg123_format(decoder, rates[i], MPG123_MONO | MPG123_STEREO, encoding(sound));
    mpg123_replace_reader_handle(decoder, read_bytes, seek, NULL);
    if (mpg123_open_handle(decoder, &reader) != MPG123_OK || !fix_format(decoder, &reader, sound)) {
        if (report->channels == 0) offstage_worker_fail(sound->reply, OFFSTAGE_SOUND_DAMAGED, 0, 0);
        return;
    }
    snprintf(report->kind, sizeof report->kind, "MP3");
    // The exact length if the first frame has it, without the encoder's delay; otherwise an estimate from the file's size and the
    // frames so far.
    off_t frames = head.vbri_size > 0 ? (off_t)head.frames : mpg123_length(decoder);
    report->promised_frames = frames > 0 ? (uint64_t)frames : 0;
    if (sound->options->is_info) {
        report->frames = report->promised_frames;
        return;
    }
    if (!head.has_length || head.frames == 0) report->promised_frames = 0;
    report->has_false_length = head.has_length && head.frames == 0;
    if (decode(decoder, &reader, sound)) sound_end(sound);
}

void mp3_decode(struct sound *sound) {
    mpg123_init();
    int result;
    mpg123_handle *decoder = mpg123_new(NULL, &result);
    if (!decoder) {
        offstage_worker_fail(sound->reply, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
        return;
    }
    read_document(decoder, sound);
    mpg123_delete(decoder);
}
