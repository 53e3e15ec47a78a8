#include <sndfile.h>
#include <stdio.h>
#include <string.h>

#include "decoders.h"

/// The number of samples in a piece, counting all channels.
#define PIECE 65536
/// The integer for a floating-point sample of 1, as in audiowaveform.
#define FULL_SCALE 32767

/// The corrections for the part that is being decoded.
static struct corrections corrections;

/// The FLAC file in the stream that is being decoded; without pages for other formats.
static struct ogg_flac packed;

static sf_count_t length(void *user) {
    return packed.count > 0 ? packed.size : ((struct sound *)user)->document.size;
}
static sf_count_t seek(sf_count_t offset, int whence, void *user) {
    struct document *document = &((struct sound *)user)->document;
    if (packed.count == 0) return document_seek(document, offset, whence);
    struct document unpacked = {.size = packed.size, .position = packed.position};
    if (document_seek(&unpacked, offset, whence) < 0) return -1;
    return packed.position = unpacked.position;
}
static sf_count_t tell(void *user) {
    return packed.count > 0 ? packed.position : ((struct sound *)user)->document.position;
}
static sf_count_t write_nothing(const void *bytes, sf_count_t count, void *user) {
    (void)bytes, (void)count, (void)user;
    return 0;
}

static sf_count_t read_bytes(void *bytes, sf_count_t count, void *user) {
    struct document *document = &((struct sound *)user)->document;
    int64_t position = tell(user);
    int64_t done = packed.count > 0 ? ogg_flac_read(document, &packed, bytes, count) : document_read(document, bytes, count);
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

/// True for samples that can exceed full scale. The library would not clip them, and would treat floating-point samples as
/// integers.
static bool can_exceed(int format) {
    int samples = format & SF_FORMAT_SUBMASK;
    return samples == SF_FORMAT_FLOAT || samples == SF_FORMAT_DOUBLE || samples == SF_FORMAT_VORBIS || samples == SF_FORMAT_OPUS;
}

/// Sets the highest 16-bit sample and its distance to the next lower one.
static void set_full_scale(struct sound *sound, int format) {
    switch (format & SF_FORMAT_SUBMASK) {
    case SF_FORMAT_PCM_S8: case SF_FORMAT_PCM_U8: sound->highest = 127 << 8, sound->step = 1 << 8; break;
    case SF_FORMAT_ALAW: sound->highest = 32256, sound->step = 1024; break;
    case SF_FORMAT_ULAW: sound->highest = 32124, sound->step = 1024; break;
    }
}

static uint8_t place(int name) {
    switch (name) {
    case SF_CHANNEL_MAP_LFE: return SOUND_LOW;
    case SF_CHANNEL_MAP_REAR_LEFT: return SOUND_BACK_LEFT;
    case SF_CHANNEL_MAP_REAR_RIGHT: return SOUND_BACK_RIGHT;
    case SF_CHANNEL_MAP_SIDE_LEFT: return SOUND_SIDE_LEFT;
    case SF_CHANNEL_MAP_SIDE_RIGHT: return SOUND_SIDE_RIGHT;
    default: return SOUND_NO_PLACE;
    }
}

/// Sets the loudspeaker positions of the channels, from the file, or in the order of Vorbis and Opus.
static void set_places(struct sound *sound, SNDFILE *file, const SF_INFO *info) {
    enum { L = SOUND_FRONT_LEFT, R = SOUND_FRONT_RIGHT, C = SOUND_FRONT_CENTER, LOW = SOUND_LOW, BL = SOUND_BACK_LEFT,
           BR = SOUND_BACK_RIGHT, BC = SOUND_BACK_CENTER, SL = SOUND_SIDE_LEFT, SR = SOUND_SIDE_RIGHT };
    static const uint8_t ogg[][8] = {
        {L, C, R, BL, BR}, {L, C, R, BL, BR, LOW}, {L, C, R, SL, SR, BC, LOW}, {L, C, R, SL, SR, BL, BR, LOW}};
    int names[OFFSTAGE_SOUND_CHANNELS], channels = info->channels;
    if (channels > OFFSTAGE_SOUND_CHANNELS) return;
    if (sf_command(file, SFC_GET_CHANNEL_MAP_INFO, names, channels * (int)sizeof *names) == SF_TRUE) {
        sound->has_places = true;
        for (int i = 0; i < channels; i++) sound->places[i] = place(names[i]);
    } else if ((info->format & SF_FORMAT_TYPEMASK) == SF_FORMAT_OGG && channels >= 5 && channels <= 8) {
        sound->has_places = true;
        memcpy(sound->places, ogg[channels - 5], (size_t)channels);
    }
}

/// The texts before the samples' length in the library's log, for WAV, AIFF, AU and W64 (the whole file).
static const char *const lengths[] = {"\ndata", "\n SSND", "\n  Data Size  ", "\nriff"};

static void promise(struct offstage_sound_report *report, uint64_t said, uint64_t present) {
    if (present > 0 && said > present)
        report->promised_frames = (uint64_t)((double)report->promised_frames * (double)said / (double)present);
}

/// Checks the lengths in the header. The library corrects them, but records the wrong ones in its log.
static void check_lengths(SNDFILE *file, struct offstage_sound_report *report) {
    static char log[16384];
    int count = sf_command(file, SFC_GET_LOG_INFO, log, sizeof log - 1);
    log[count < 0 ? 0 : count < (int)sizeof log ? count : (int)sizeof log - 1] = 0;
    report->has_false_length |= corrections.has_false_length || strstr(log, "(should be") != NULL;
    // A program that does not know the length in advance writes a very large one.
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const char *place = strstr(log, lengths[i]);
        unsigned long long said, present;
        if (place && sscanf(place + strlen(lengths[i]), " : %llu (should be %llu)", &said, &present) == 2
            && said < 0x7fff0000)
            promise(report, said, present);
    }
    promise(report, (uint64_t)corrections.promised, (uint64_t)corrections.present);
}

/// Reads the part's samples. Returns false if no more are needed.
static bool decode(SNDFILE *file, const SF_INFO *info, struct sound *sound) {
    static int16_t samples[PIECE];
    static float values[PIECE];
    const struct offstage_sound_report *report = &sound->report;
    uint32_t rate = (uint32_t)info->samplerate, channels = (uint32_t)info->channels;
    bool reads_floats = can_exceed(info->format), is_same = rate == report->rate && channels == report->channels, takes_more;
    sf_command(file, SFC_SET_CLIPPING, NULL, SF_TRUE);
    sf_count_t wanted = PIECE / info->channels, count;
    do {
        count = reads_floats ? sf_readf_float(file, values, wanted) : sf_readf_short(file, samples, wanted);
        if (count <= 0) break;
        if (reads_floats && !is_same) sound_clip(sound, values, samples, (size_t)(count * info->channels), FULL_SCALE);
        if (reads_floats && is_same) takes_more = sound_add_floats(sound, values, (size_t)count, FULL_SCALE);
        else takes_more = sound_add_as(sound, samples, (size_t)count, rate, channels);
        if (!takes_more) return false;
    } while (count == wanted);
    if (sf_error(file) != SF_ERR_NO_ERROR) sound->report.is_damaged = 1;
    return true;
}

/// Reads the header of the first part, and begins the sound. Returns false if that is impossible.
static bool begin(SNDFILE *file, const SF_INFO *info, struct sound *sound) {
    struct offstage_sound_report *report = &sound->report;
    snprintf(report->kind, sizeof report->kind, "%s", kind(info->format));
    report->bits = bits(info->format);
    set_full_scale(sound, info->format);
    set_places(sound, file, info);
    if (!sound_begin(sound, (uint64_t)(info->samplerate < 0 ? 0 : info->samplerate), (uint64_t)info->channels)) return false;
    // Only if the samples don't depend on earlier ones.
    uint64_t first = sound_first_frame(sound);
    bool is_exact = (report->bits > 0 || (info->format & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC) && corrections.parts == 1;
    if (first > 0 && first < INT64_MAX && is_exact && !sound->options->is_info) {
        if (sf_seek(file, (sf_count_t)first, SEEK_SET) == (sf_count_t)first) sound_skip(sound);
        else sf_seek(file, 0, SEEK_SET);
    }
    return true;
}

/// Decodes a part of the sound. Returns false if no more is needed.
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
        // Counts parts with other rates after conversion.
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

/// Unpacks the FLAC file in the stream.
static void unpack(struct sound *sound) {
    uint8_t total[5];
    if (!ogg_flac_open(&sound->document, &packed)) return;
    packed.position = FLAC_TOTAL;
    if (ogg_flac_read(&sound->document, &packed, total, sizeof total) == sizeof total)
        corrections = corrections_for_flac(total);
    packed.position = 0;
    corrections.parts = 2;
}

/// Decodes the streams of an Ogg file. Returns false if no more is needed.
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
        if (link.is_flac) unpack(sound);
        takes_more = add_part(sound);
        ogg_flac_close(&packed);
    }
    // A radio station's program may end a stream anywhere when the next one begins.
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
