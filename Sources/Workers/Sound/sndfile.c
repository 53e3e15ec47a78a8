#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <string.h>

#include "decoders.h"

/// Samples of a piece, of all channels.
#define PIECE 65536

/// The correction for the document that is being decoded.
static struct caf_length caf;

static sf_count_t length(void *user) { return ((struct sound *)user)->document.size; }
static sf_count_t seek(sf_count_t offset, int whence, void *user) {
    return document_seek(&((struct sound *)user)->document, offset, whence);
}
static sf_count_t tell(void *user) { return ((struct sound *)user)->document.position; }
static sf_count_t write_nothing(const void *bytes, sf_count_t count, void *user) {
    (void)bytes, (void)count, (void)user;
    return 0;
}

static sf_count_t read_bytes(void *bytes, sf_count_t count, void *user) {
    struct document *document = &((struct sound *)user)->document;
    int64_t position = document->position, done = document_read(document, bytes, count);
    caf_correct(&caf, position, bytes, done);
    return done < 0 ? 0 : done;
}

static const char *kind(int format) {
    switch (format & SF_FORMAT_TYPEMASK) {
    case SF_FORMAT_WAV: case SF_FORMAT_WAVEX: return "WAV";
    case SF_FORMAT_AIFF: return "AIFF";
    case SF_FORMAT_AU: return "AU";
    case SF_FORMAT_W64: return "W64";
    case SF_FORMAT_RF64: return "RF64";
    case SF_FORMAT_CAF: return "CAF";
    case SF_FORMAT_FLAC: return "FLAC";
    case SF_FORMAT_OGG: return (format & SF_FORMAT_SUBMASK) == SF_FORMAT_OPUS ? "Opus" : "Vorbis";
    default: return "sound";
    }
}

static uint32_t bits(int format) {
    switch (format & SF_FORMAT_SUBMASK) {
    case SF_FORMAT_PCM_S8: case SF_FORMAT_PCM_U8: case SF_FORMAT_ULAW: case SF_FORMAT_ALAW: return 8;
    case SF_FORMAT_PCM_16: return 16;
    case SF_FORMAT_PCM_24: return 24;
    case SF_FORMAT_PCM_32: case SF_FORMAT_FLOAT: return 32;
    case SF_FORMAT_DOUBLE: return 64;
    default: return 0;
    }
}

/// The library would otherwise take floating-point samples from -1 to 1 as integers.
static bool is_floating(int format) {
    int samples = format & SF_FORMAT_SUBMASK;
    return samples == SF_FORMAT_FLOAT || samples == SF_FORMAT_DOUBLE;
}

/// A sample that is not a number is silent; one beyond full scale is clipped.
static bool convert(int16_t *samples, const float *values, size_t count) {
    bool has_odd = false;
    for (size_t i = 0; i < count; i++) {
        float value = values[i] * 32767;
        has_odd |= !isfinite(values[i]);
        if (isnan(value)) value = 0;
        value = value < -32768 ? -32768 : value > 32767 ? 32767 : value;
        samples[i] = (int16_t)lrintf(value);
    }
    return has_odd;
}

/// The lengths of the samples in the library's notes: of WAV, AIFF, AU and W64 (all of the file).
static const char *const lengths[] = {"\ndata", "\n SSND", "\n  Data Size  ", "\nriff"};

static void promise(struct offstage_sound_report *report, uint64_t said, uint64_t present) {
    if (present > 0 && said > present)
        report->promised_frames = (uint64_t)((double)report->promised_frames * (double)said / (double)present);
}

/// What the head says about lengths, which the library corrects, as it noted while it read them.
static void check_lengths(SNDFILE *file, struct offstage_sound_report *report) {
    static char log[16384];
    int count = sf_command(file, SFC_GET_LOG_INFO, log, sizeof log - 1);
    log[count < 0 ? 0 : count < (int)sizeof log ? count : (int)sizeof log - 1] = 0;
    report->has_false_length = strstr(log, "should be") != NULL;
    // A program that does not know the length when it begins writes a very large one.
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const char *place = strstr(log, lengths[i]);
        unsigned long long said, present;
        if (place && sscanf(place + strlen(lengths[i]), " : %llu (should be %llu)", &said, &present) == 2
            && said < 0x7fff0000)
            promise(report, said, present);
    }
    if (caf.place > 0 && caf.promised > 0) promise(report, (uint64_t)caf.promised, (uint64_t)caf.present);
}

void sndfile_decode(struct sound *sound) {
    SF_VIRTUAL_IO input = {
        .get_filelen = length, .seek = seek, .read = read_bytes, .write = write_nothing, .tell = tell};
    SF_INFO info = {0};
    caf = caf_samples(&sound->document);
    SNDFILE *file = sf_open_virtual(&input, SFM_READ, &info, sound);
    if (!file) {
        offstage_worker_fail(sound->reply, OFFSTAGE_SOUND_DAMAGED, 0, 0);
        return;
    }
    struct offstage_sound_report *report = &sound->report;
    snprintf(report->kind, sizeof report->kind, "%s", kind(info.format));
    report->bits = bits(info.format);
    uint64_t present = info.frames > 0 && info.frames < INT64_MAX / 2 ? (uint64_t)info.frames : 0;
    report->promised_frames = present;
    check_lengths(file, report);
    if (!sound_begin(sound, (uint64_t)(info.samplerate < 0 ? 0 : info.samplerate), (uint64_t)info.channels)) {
        sf_close(file);
        return;
    }
    if (sound->options->is_info) {
        report->frames = present;
        sf_close(file);
        return;
    }
    // Only where what follows does not depend on what was before.
    uint64_t first = sound_first_frame(sound);
    bool is_exact = report->bits > 0 || (info.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC;
    if (first > 0 && first < INT64_MAX && is_exact) {
        if (sf_seek(file, (sf_count_t)first, SEEK_SET) == (sf_count_t)first) sound_skip(sound);
        else sf_seek(file, 0, SEEK_SET);
    }
    static int16_t samples[PIECE];
    static float values[PIECE];
    bool reads_floats = is_floating(info.format);
    sf_command(file, SFC_SET_CLIPPING, NULL, SF_TRUE);
    sf_count_t wanted = PIECE / info.channels, count;
    bool takes_more = true;
    do {
        count = reads_floats ? sf_readf_float(file, values, wanted) : sf_readf_short(file, samples, wanted);
        if (count <= 0) break;
        if (reads_floats) report->has_odd_samples |= convert(samples, values, (size_t)(count * info.channels));
        takes_more = sound_add(sound, samples, (size_t)count);
    } while (takes_more && count == wanted);
    bool is_ogg = (info.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_OGG;
    if (sf_error(file) != SF_ERR_NO_ERROR || (is_ogg && ogg_was_cut(&sound->document))) report->is_damaged = 1;
    sf_close(file);
    if (takes_more) sound_end(sound);
}
