// The elements between the file and the samples.
#ifndef TRACKS_H
#define TRACKS_H

#include <gst/gst.h>

#include "container.h"

struct container {
    struct sound *sound;
    /// Feeds the first element.
    GstPad *source;
    /// Takes the samples.
    GstPad *sink;
    GstElement *elements[4];
    size_t count;
    /// Where the first element wants to read on; -1 for the next bytes.
    int64_t target;
    /// The tracks of the file, of sound and others; those of sound, and the first of these.
    size_t tracks;
    uint32_t sound_count;
    GstPad *pads[OFFSTAGE_SOUND_TRACKS];
    /// The times of the samples.
    GstSegment segment;
    /// A track is connected.
    bool is_connected;
    /// No decoder for the track is installed.
    bool lacks_decoder;
    /// A track has an impossible rate or number of channels.
    bool has_impossible;
    /// One of `offstage_sound_package`, if the first element is not installed.
    uint32_t package;
    /// Samples arrive.
    bool has_begun;
    /// Nothing more is needed.
    bool is_over;
    /// The reply is a failure.
    bool has_failed;
};

/// Makes the element that reads the file. It connects the wanted track, now or when it finds it. Returns NULL if it is not installed.
GstElement *tracks_first_element(struct container *container);
/// Describes the tracks of sound in the report.
void tracks_describe(struct container *container);

#endif
