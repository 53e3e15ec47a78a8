// Shared parts of the sound decoders.
#ifndef OFFSTAGE_SOUND_H
#define OFFSTAGE_SOUND_H

#include <offstage_sound_wire.h>
#include <offstage_worker.h>
#include <stdbool.h>

/// The document, or a part of it, in the form that libraries read.
struct document {
    int file;
    /// The offset of its first byte in the file.
    int64_t start;
    int64_t size;
    int64_t position;
};

/// Returns -1 on an error, 0 at the end.
int64_t document_read(struct document *document, void *bytes, int64_t size);
/// `whence` is as for `lseek`. Returns the new position, or -1.
int64_t document_seek(struct document *document, int64_t offset, int whence);
/// Reads bytes at an offset. Returns false if there are fewer.
bool document_read_at(struct document *document, int64_t position, void *bytes, int64_t size);
/// Removes bytes from its start, and moves to the new start.
void document_cut(struct document *document, int64_t count);

/// Loudspeaker positions, as bits of the channel masks of WAVE files and of GStreamer.
enum sound_place {
    SOUND_FRONT_LEFT, SOUND_FRONT_RIGHT, SOUND_FRONT_CENTER, SOUND_LOW, SOUND_BACK_LEFT, SOUND_BACK_RIGHT,
    SOUND_BACK_CENTER = 8, SOUND_SIDE_LEFT, SOUND_SIDE_RIGHT,
    SOUND_NO_PLACE = 63,
};

/// A sound that is being decoded.
struct sound {
    struct document document;
    /// The size of the file in bytes. The document can be a part of it.
    int64_t file_size;
    const struct offstage_sound_options *options;
    struct offstage_worker_reply *reply;
    struct offstage_sound_report report;
    /// The position of each channel, for its loudness, if `has_places`. Set them before `sound_begin`; the default depends on the
    /// number of channels.
    uint8_t places[OFFSTAGE_SOUND_CHANNELS];
    bool has_places;
    /// The highest sample and its distance to the next lower one, for detecting clipped samples. Set them before `sound_begin`; 0
    /// for those of 16 bits.
    int highest, step;
    /// Set if the host needs no more peaks. `sound_add` then returns false, but the reply is a success.
    bool has_enough;
};

/// Runs a sound worker.
///
/// `decode` decodes a document: it calls `sound_begin`, `sound_add` for each piece, and `sound_end`. It sets `report`, and the
/// reply on failure. `prepare` loads everything that needs files, before the jail is closed; NULL if not needed.
int sound_run(void (*decode)(struct sound *sound), void (*prepare)(void));

/// True if samples that can exceed full scale should be decoded to floating-point numbers.
bool sound_wants_floats(const struct sound *sound);
/// Sets the positions of channels that are in the order of a mask's bits.
void sound_set_mask(struct sound *sound, uint64_t mask);
/// Sets the rate and the number of channels. Returns false, with a failure in the reply, if they are invalid.
bool sound_begin(struct sound *sound, uint64_t rate, uint64_t channels);
/// Adds interleaved frames. Returns false if no more are needed.
bool sound_add(struct sound *sound, const int16_t *samples, size_t frames);
/// Converts samples to 16 bits. Samples beyond full scale are clipped. NaN becomes silence, and is reported.
void sound_clip(struct sound *sound, const float *values, int16_t *samples, size_t count, float full_scale);
/// Adds floating-point frames, whose loudness is measured before they are clipped.
///
/// `full_scale` is the integer of a sample of 1.
bool sound_add_floats(struct sound *sound, const float *values, size_t frames, float full_scale);
/// Adds frames with another rate or other channels than the sound's, such as those of a later title in a recording. Not for
/// listening: frames are repeated or dropped.
bool sound_add_as(struct sound *sound, const int16_t *samples, size_t frames, uint32_t rate, uint32_t channels);
/// The first frame that must be decoded, unless the decoder must start at the beginning; 0 for all.
uint64_t sound_first_frame(const struct sound *sound);
/// Declares that decoding starts at `sound_first_frame`.
void sound_skip(struct sound *sound);
/// Completes the last peak, and the report.
void sound_end(struct sound *sound);

#endif
