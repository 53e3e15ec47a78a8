// Corrects the headers of files that libsndfile rejects, or whose samples it does not read completely.

#include <string.h>
#include <unistd.h>

#include "decoders.h"

/// The maximum number of chunks; only a hostile file has more.
#define CHUNKS 1000

static uint64_t number(const uint8_t *bytes, int count, bool is_little) {
    uint64_t value = 0;
    for (int i = 0; i < count; i++) value = value << 8 | bytes[is_little ? count - 1 - i : i];
    return value;
}

static void add(struct corrections *corrections, int64_t place, const void *bytes, int count) {
    if (corrections->count == sizeof corrections->all / sizeof *corrections->all) return;
    struct correction *new = &corrections->all[corrections->count++];
    *new = (struct correction){.place = place, .count = count};
    memcpy(new->bytes, bytes, (size_t)count);
}

static void add_number(struct corrections *corrections, int64_t place, uint64_t value, int count, bool is_little) {
    uint8_t bytes[8];
    for (int i = 0; i < count; i++) bytes[i] = (uint8_t)(value >> 8 * (is_little ? i : count - 1 - i));
    add(corrections, place, bytes, count);
}

/// The format flags are the bits per sample, which other programs omit for ALAC because ALAC's own header has them.
static void correct_alac(struct corrections *corrections, struct document *document, int64_t description, int64_t cookie) {
    uint8_t head[44];
    static const uint8_t bits[] = {16, 20, 24, 32};
    if (!document_read_at(document, description, head, 16) || memcmp(head + 8, "alac", 4) != 0 || number(head + 12, 4, false) != 0
        || !document_read_at(document, cookie, head, sizeof head))
        return;
    // The header can be in one or two atoms, whose headers have 12 bytes.
    const uint8_t *own = head;
    if (memcmp(own + 4, "frma", 4) == 0) own += 12;
    if (memcmp(own + 4, "alac", 4) == 0) own += 12;
    for (uint8_t i = 0; i < sizeof bits; i++)
        if (own[5] == bits[i]) add_number(corrections, description + 12, i + 1, 4, false);
}

static void correct_caf(struct corrections *corrections, struct document *document) {
    uint8_t head[12];
    int64_t position = 8, description = 0;
    for (int chunk = 0; chunk < CHUNKS && document_read_at(document, position, head, sizeof head); chunk++) {
        int64_t size = (int64_t)number(head + 4, 8, false), content = position + (int64_t)sizeof head;
        int64_t left = document->size - content;
        bool is_whole = size >= 0 && size <= left;
        if (memcmp(head, "desc", 4) == 0) description = content;
        if (memcmp(head, "kuki", 4) == 0) correct_alac(corrections, document, description, content);
        // Unknown, or beyond the end of the file: libsndfile rejects both.
        if (memcmp(head, "data", 4) == 0 && !is_whole) {
            add_number(corrections, position + 4, (uint64_t)left, 8, false);
            if (size > 0) {
                corrections->promised = size;
                corrections->present = left;
            }
        }
        if (!is_whole) break;
        position = content + size;
    }
}

struct corrections corrections_for_flac(const uint8_t *total) {
    struct corrections corrections = {.parts = 1, .frames = number(total, 5, false) & 0xFFFFFFFFF};
    // The library stops at a sample count that is too small.
    uint8_t unknown[5] = {total[0] & 0xF0};
    add(&corrections, FLAC_TOTAL, unknown, sizeof unknown);
    return corrections;
}

static void correct_flac(struct corrections *corrections, struct document *document) {
    uint8_t total[5];
    if (document_read_at(document, FLAC_TOTAL, total, sizeof total)) *corrections = corrections_for_flac(total);
}

/// True if the chunks end at the end of the document.
static bool are_chunks(struct document *document, int64_t position, bool is_little) {
    uint8_t head[8];
    for (int chunk = 0; chunk < CHUNKS && document_read_at(document, position, head, sizeof head); chunk++) {
        int64_t size = (int64_t)number(head + 4, 4, is_little);
        position += (int64_t)sizeof head + size + (size & 1);
    }
    return position == document->size || position == document->size + 1;
}

/// The WAV codecs that libsndfile supports: integers, ADPCM, floating point, A-law, mu-law, IMA, GSM, NMS, G.721, MP3 and those
/// of the extensible format.
static bool has_codec(uint64_t code) {
    static const uint16_t codes[] = {1, 2, 3, 6, 7, 0x11, 0x31, 0x38, 0x40, 0x55, 0xFFFE};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i] == code) return true;
    return code == 0;
}

static void correct_wav(struct corrections *corrections, struct document *document, const uint8_t *start, int part) {
    // The same header under the European Broadcasting Union's name.
    if (memcmp(start, "BW64", 4) == 0) add(corrections, 0, "RF64", 4);
    bool is_little = memcmp(start, "RIFX", 4) != 0, is_long = memcmp(start, "RIFF", 4) != 0 && is_little, has_format = false;
    uint8_t head[10];
    int64_t position = 12;
    int parts = 0;
    for (int chunk = 0; chunk < CHUNKS && document_read_at(document, position, head, sizeof head); chunk++) {
        int64_t size = (int64_t)number(head + 4, 4, is_little), content = position + 8, left = document->size - content;
        if (memcmp(head, "fmt ", 4) == 0) {
            // If there are two such chunks, the first one counts.
            if (has_format) add(corrections, position, "junk", 4);
            has_format = true;
            corrections->has_other_codec |= !has_codec(number(head + 8, 2, is_little));
        }
        if (memcmp(head, "data", 4) == 0) {
            // The program was killed before it knew the length, or it is still recording.
            if (size == 0 && parts == 0 && !is_long && !are_chunks(document, content, is_little)) {
                add_number(corrections, position + 4, left < UINT32_MAX ? (uint64_t)left : UINT32_MAX, 4, is_little);
                corrections->has_false_length = true;
                size = left;
            }
            if (parts != part) add(corrections, position, "junk", 4);
            parts++;
        }
        position = content + size + (size & 1);
    }
    if (parts > 1) corrections->parts = parts;
}

/// True for a beginning that the library recognizes. For any other, it would look for a second file, as on old Macs.
static bool is_known(const uint8_t *head) {
    static const char *const beginnings[][2] = {
        {"RIFF", "WAVE"}, {"RIFX", "WAVE"}, {"RF64", "WAVE"}, {"BW64", "WAVE"}, {"FORM", "AIFF"}, {"FORM", "AIFC"},
        {"caff", "desc"}, {".snd", NULL},   {"dns.", NULL},   {"fLaC", NULL},
    };
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        const char *const *names = beginnings[i];
        if (memcmp(head, names[0], 4) == 0 && (!names[1] || memcmp(head + 8, names[1], 4) == 0)) return true;
    }
    return memcmp(head, "riff\x2E\x91\xCF\x11", 8) == 0;
}

struct corrections corrections_for(struct document *document, int part) {
    struct corrections corrections = {.parts = 1};
    uint8_t head[12] = {0};
    // The host has checked it, but the file may have been replaced since.
    corrections.is_unknown = !document_read_at(document, 0, head, sizeof head) || !is_known(head);
    if (memcmp(head, "caff", 4) == 0) correct_caf(&corrections, document);
    else if (memcmp(head, "fLaC", 4) == 0) correct_flac(&corrections, document);
    else if (memcmp(head + 8, "WAVE", 4) == 0) correct_wav(&corrections, document, head, part);
    document_seek(document, 0, SEEK_SET);
    return corrections;
}

void correct(const struct corrections *corrections, int64_t position, uint8_t *bytes, int64_t count) {
    for (int i = 0; i < corrections->count; i++) {
        const struct correction *one = &corrections->all[i];
        for (int j = 0; j < one->count; j++) {
            int64_t index = one->place + j - position;
            if (index >= 0 && index < count) bytes[index] = one->bytes[j];
        }
    }
}
