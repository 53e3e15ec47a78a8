// The elements between the file and the samples.
#ifndef TRACKS_H
#define TRACKS_H

#include <gst/gst.h>

#include "container.h"
#include "edits.h"

struct container {
    struct sound *sound;
    /// Feeds the first element.
    GstPad *source;
    /// Takes the samples.
    GstPad *sink;
    GstElement *elements[4];
    size_t count;
    /// The offset from which the first element wants to continue; -1 for the next bytes.
    int64_t target;
    /// The number of tracks; the number of sound tracks, and descriptions of the first ones.
    size_t tracks;
    uint32_t sound_count;
    GstPad *pads[OFFSTAGE_SOUND_TRACKS];
    /// The segment for converting the samples' times.
    GstSegment segment;
    /// The empty edits that are removed from the file's bytes, and the time at which the connected track therefore begins.
    struct edits edits;
    GstClockTime start;
    /// True once a track is connected.
    bool is_connected;
    /// True if no decoder for the track is installed.
    bool lacks_decoder;
    /// True if a track has an invalid rate or number of channels.
    bool has_impossible;
    /// One of `offstage_sound_package`, if the first element is not installed.
    uint32_t package;
    /// True once samples arrive.
    bool has_begun;
    /// True if nothing more is needed.
    bool is_over;
    /// True if the reply is a failure.
    bool has_failed;
};

/// Makes the element that reads the file. It connects the requested track now, or when it finds it. Returns NULL if it is not
/// installed.
GstElement *tracks_first_element(struct container *container);
/// Describes the sound tracks in the report.
void tracks_describe(struct container *container);

#endif
