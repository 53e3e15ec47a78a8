#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <string.h>

#include "decoders.h"

/// Samples of a piece, of all channels.
#define PIECE 65536

/// The corrections for the part that is being decoded.
static struct corrections corrections;

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
    correct(&corrections, position, bytes, done);
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
    report->has_false_length |= corrections.has_false_length || strstr(log, "should be") != NULL;
    // A program that does not know the length when it begins writes a very large one.
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const char *place = strstr(log, lengths[i]);
        unsigned long long said, present;
        if (place && sscanf(place + strlen(lengths[i]), " : %llu (should be %llu)", &said, &present) == 2
            && said < 0x7fff0000)
            promise(report, said, present);
    }
    promise(report, (uint64_t)corrections.promised, (uint64_t)corrections.present);
}

/// Reads the part's samples. Returns false if no more can be taken.
static bool decode(SNDFILE *file, const SF_INFO *info, struct sound *sound) {
    static int16_t samples[PIECE];
    static float values[PIECE];
    bool reads_floats = is_floating(info->format);
    sf_command(file, SFC_SET_CLIPPING, NULL, SF_TRUE);
    sf_count_t wanted = PIECE / info->channels, count;
    do {
        count = reads_floats ? sf_readf_float(file, values, wanted) : sf_readf_short(file, samples, wanted);
        if (count <= 0) break;
        if (reads_floats) sound->report.has_odd_samples |= convert(samples, values, (size_t)(count * info->channels));
        if (!sound_add_as(sound, samples, (size_t)count, (uint32_t)info->samplerate, (uint32_t)info->channels)) return false;
    } while (count == wanted);
    if (sf_error(file) != SF_ERR_NO_ERROR) sound->report.is_damaged = 1;
    return true;
}

/// Reads the head of the first part, and begins the sound. Returns false if that is impossible.
static bool begin(SNDFILE *file, const SF_INFO *info, struct sound *sound) {
    struct offstage_sound_report *report = &sound->report;
    snprintf(report->kind, sizeof report->kind, "%s", kind(info->format));
    report->bits = bits(info->format);
    if (!sound_begin(sound, (uint64_t)(info->samplerate < 0 ? 0 : info->samplerate), (uint64_t)info->channels)) return false;
    // Only where what follows does not depend on what was before.
    uint64_t first = sound_first_frame(sound);
    bool is_exact = (report->bits > 0 || (info->format & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC) && corrections.parts == 1;
    if (first > 0 && first < INT64_MAX && is_exact && !sound->options->is_info) {
        if (sf_seek(file, (sf_count_t)first, SEEK_SET) == (sf_count_t)first) sound_skip(sound);
        else sf_seek(file, 0, SEEK_SET);
    }
    return true;
}

/// Decodes a part of the sound. Returns false if no more can be taken.
static bool add_part(struct sound *sound) {
    SF_VIRTUAL_IO input = {
        .get_filelen = length, .seek = seek, .read = read_bytes, .write = write_nothing, .tell = tell};
    SF_INFO info = {0};
    struct offstage_sound_report *report = &sound->report;
    bool is_first = report->channels == 0;
    SNDFILE *file = corrections.is_unknown ? NULL : sf_open_virtual(&input, SFM_READ, &info, sound);
    if (!file) {
        bool is_other = corrections.has_other_codec || sf_error(NULL) == SF_ERR_UNSUPPORTED_ENCODING;
        if (is_first)
            offstage_worker_fail(sound->reply, is_other ? OFFSTAGE_SOUND_OTHER_CODEC : OFFSTAGE_SOUND_DAMAGED, 0, 0);
        report->is_damaged = 1;
        return !is_first;
    }
    uint64_t present = info.frames > 0 && info.frames < INT64_MAX / 2 ? (uint64_t)info.frames : corrections.frames;
    bool takes_more = !is_first || begin(file, &info, sound);
    if (takes_more) {
        // Parts of other rates, as they are added.
        uint64_t before = report->promised_frames;
        report->promised_frames = (uint64_t)((double)present * report->rate / (info.samplerate > 0 ? info.samplerate : 1));
        check_lengths(file, report);
        report->promised_frames += before;
        if (sound->options->is_info) report->frames += present;
        else takes_more = decode(file, &info, sound);
    }
    sf_close(file);
    return takes_more;
}

/// Decodes the streams of an Ogg file. Returns false if no more can be taken.
static bool add_links(struct sound *sound) {
    const struct document whole = sound->document;
    struct ogg_link link = {0};
    bool takes_more = true;
    // Only a hostile file has more.
    for (int count = 0; takes_more && count < 10000; count++) {
        struct document document = whole;
        if (!ogg_next(&document, &link)) break;
        document_cut(&document, link.start);
        document.size = link.end - link.start;
        sound->document = document;
        corrections = (struct corrections){.parts = 2, .has_other_codec = link.has_other_codec};
        takes_more = add_part(sound);
    }
    // A station's program ends a stream as it likes when the next one begins.
    if (link.end == 0 || link.is_cut || link.end < whole.size) sound->report.is_damaged = 1;
    if (link.end == 0) offstage_worker_fail(sound->reply, OFFSTAGE_SOUND_DAMAGED, 0, 0);
    return takes_more && link.end > 0;
}

void sndfile_decode(struct sound *sound) {
    uint8_t name[4] = {0};
    bool is_ogg = document_read_at(&sound->document, 0, name, sizeof name) && memcmp(name, "OggS", 4) == 0;
    bool takes_more = true;
    corrections.parts = 1;
    for (int part = 0; !is_ogg && takes_more && part < corrections.parts; part++) {
        corrections = corrections_for(&sound->document, part);
        takes_more = add_part(sound);
    }
    if (is_ogg) takes_more = add_links(sound);
    if (takes_more && !sound->options->is_info) sound_end(sound);
}
