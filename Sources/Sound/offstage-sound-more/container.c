#define _GNU_SOURCE
#include "tracks.h"

// AAC, and the sound of videos, with GStreamer's elements. No element has a thread, and no bin connects them. This program pushes
// the file's bytes into the first element, and the last one's samples arrive in the same call.

// The size of a piece in bytes.
#define PIECE 65536
/// The shortest delay of a video's sound that is filled with silence.
#define LEAST_START (50 * GST_MSECOND)
/// The maximum number of silent frames at the beginning, per byte of the file.
#define MOST_SILENCE 1024

/// The container that one of this program's pads belongs to.
static struct container *state_of(GstPad *pad) { return gst_pad_get_element_private(pad); }

// The end of the chain

static gboolean sink_event(GstPad *pad, GstObject *parent, GstEvent *event) {
    struct container *container = state_of(pad);
    if (GST_EVENT_TYPE(event) == GST_EVENT_SEGMENT) gst_event_copy_segment(event, &container->segment);
    if (GST_EVENT_TYPE(event) != GST_EVENT_CAPS) return gst_pad_event_default(pad, parent, event);
    GstCaps *caps;
    gst_event_parse_caps(event, &caps);
    const GstStructure *format = gst_caps_get_structure(caps, 0);
    gint rate = 0, channels = 0;
    gst_structure_get_int(format, "rate", &rate);
    gst_structure_get_int(format, "channels", &channels);
    guint64 mask = 0;
    if (!gst_structure_get(format, "channel-mask", GST_TYPE_BITMASK, &mask, NULL)) mask = 0;
    gst_event_unref(event);
    struct sound *sound = container->sound;
    if (container->has_begun) {
        // The format changed within the track.
        bool is_same = sound->report.rate == (uint32_t)rate && sound->report.channels == (uint32_t)channels;
        if (!is_same) container->is_over = sound->report.is_damaged = true;
        return is_same;
    }
    container->has_begun = true;
    if (channels > 2) sound_set_mask(sound, mask);
    if (!sound_begin(sound, rate < 0 ? 0 : (uint64_t)rate, channels < 0 ? 0 : (uint64_t)channels)) {
        container->is_over = container->has_failed = true;
        return FALSE;
    }
    gint64 duration;
    if (gst_pad_peer_query_duration(pad, GST_FORMAT_TIME, &duration) && duration > 0)
        sound->report.promised_frames = gst_util_uint64_scale((guint64)duration, (guint64)rate, GST_SECOND);
    if (sound->options->is_info) container->is_over = true;
    return TRUE;
}

/// Adds silence before the first samples if a video's sound begins later than its pictures. Returns false if no more is needed.
static bool add_start(struct container *container, GstBuffer *buffer) {
    struct sound *sound = container->sound;
    if (sound->report.frames > 0 || container->tracks < 2 || container->segment.format != GST_FORMAT_TIME
        || !GST_BUFFER_PTS_IS_VALID(buffer))
        return true;
    GstClockTime time = gst_segment_to_stream_time(&container->segment, GST_FORMAT_TIME, GST_BUFFER_PTS(buffer));
    // Ignore an encoder's delay. A time that is too long for the file is a clock time, and is ignored below.
    if (!GST_CLOCK_TIME_IS_VALID(time) || __builtin_add_overflow(time, container->start, &time) || time < LEAST_START) return true;
    guint64 frames = gst_util_uint64_scale(time, sound->report.rate, GST_SECOND);
    if (frames > (guint64)sound->file_size * MOST_SILENCE) return true;
    static const int16_t silence[256 * OFFSTAGE_SOUND_CHANNELS];
    for (; frames > 0; frames -= MIN(frames, 256))
        if (!sound_add(sound, silence, MIN(frames, 256))) return false;
    return true;
}

/// Adds decoded samples. Returns false if no more are needed.
static bool add_samples(struct sound *sound, const GstMapInfo *map) {
    if (sound_wants_floats(sound))
        return sound_add_floats(sound, (const float *)map->data, map->size / sizeof(float) / sound->report.channels, 32768);
    return sound_add(sound, (const int16_t *)map->data, map->size / sizeof(int16_t) / sound->report.channels);
}

static GstFlowReturn sink_chain(GstPad *pad, GstObject *parent, GstBuffer *buffer) {
    (void)parent;
    struct container *container = state_of(pad);
    GstMapInfo map;
    if (!container->is_over && container->has_begun && gst_buffer_map(buffer, &map, GST_MAP_READ)) {
        if (!add_start(container, buffer) || !add_samples(container->sound, &map))
            container->is_over = container->has_failed = true;
        gst_buffer_unmap(buffer, &map);
    }
    gst_buffer_unref(buffer);
    return container->is_over ? GST_FLOW_EOS : GST_FLOW_OK;
}

// The beginning

static gboolean source_event(GstPad *pad, GstObject *parent, GstEvent *event) {
    (void)parent;
    gboolean is_done = FALSE;
    if (GST_EVENT_TYPE(event) == GST_EVENT_SEEK) {
        GstFormat format;
        GstSeekFlags flags;
        gint64 start;
        gst_event_parse_seek(event, NULL, &format, &flags, NULL, &start, NULL, NULL);
        // The demuxer seeks within `gst_pad_push`, and the next push starts there.
        is_done = format == GST_FORMAT_BYTES && start >= 0 && !(flags & GST_SEEK_FLAG_FLUSH);
        if (is_done) state_of(pad)->target = start;
    }
    gst_event_unref(event);
    return is_done;
}

static gboolean source_query(GstPad *pad, GstObject *parent, GstQuery *query) {
    int64_t size = state_of(pad)->sound->document.size;
    GstFormat format;
    switch (GST_QUERY_TYPE(query)) {
    case GST_QUERY_DURATION:
        gst_query_parse_duration(query, &format, NULL);
        if (format != GST_FORMAT_BYTES) return FALSE;
        gst_query_set_duration(query, format, size);
        return TRUE;
    case GST_QUERY_SEEKING:
        gst_query_parse_seeking(query, &format, NULL, NULL, NULL);
        if (format != GST_FORMAT_BYTES) return FALSE;
        gst_query_set_seeking(query, format, TRUE, 0, size);
        return TRUE;
    case GST_QUERY_SCHEDULING: return FALSE;
    default: return gst_pad_query_default(pad, parent, query);
    }
}

static void push_segment(struct container *container, int64_t start) {
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_BYTES);
    segment.start = segment.time = segment.position = (guint64)start;
    gst_pad_push_event(container->source, gst_event_new_segment(&segment));
}

static void push_all(struct container *container) {
    struct document *document = &container->sound->document;
    gst_pad_push_event(container->source, gst_event_new_stream_start("sound"));
    push_segment(container, 0);
    while (!container->is_over) {
        int64_t offset = document->position;
        GstBuffer *buffer = gst_buffer_new_allocate(NULL, PIECE, NULL);
        GstMapInfo map;
        if (!buffer || !gst_buffer_map(buffer, &map, GST_MAP_WRITE)) {
            container->sound->report.is_damaged = 1;
            return;
        }
        int64_t size = document_read(document, map.data, PIECE);
        edits_apply(&container->edits, document, offset, map.data, size);
        gst_buffer_unmap(buffer, &map);
        if (size <= 0) {
            gst_buffer_unref(buffer);
            break;
        }
        gst_buffer_set_size(buffer, size);
        GST_BUFFER_OFFSET(buffer) = (guint64)offset;
        container->target = -1;
        GstFlowReturn flow = gst_pad_push(container->source, buffer);
        if (container->target >= 0) {
            document_seek(document, container->target, SEEK_SET);
            push_segment(container, container->target);
        } else if (flow == GST_FLOW_EOS) {
            break;
        } else if (flow != GST_FLOW_OK) {
            // This also happens without a connected track, which is not damage.
            if (container->is_connected) container->sound->report.is_damaged = 1;
            break;
        }
    }
    gst_pad_push_event(container->source, gst_event_new_eos());
}

static GstPad *pad(struct container *container, const char *name, GstPadDirection direction) {
    GstPad *pad = gst_object_ref_sink(gst_pad_new(name, direction));
    gst_pad_set_element_private(pad, container);
    return pad;
}

static void read_document(struct container *container) {
    struct sound *sound = container->sound;
    GstElement *first = tracks_first_element(container);
    GstPad *in = first ? gst_element_get_static_pad(first, "sink") : NULL;
    if (in && gst_pad_link(container->source, in) == GST_PAD_LINK_OK
        && gst_element_set_state(first, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE)
        push_all(container);
    if (in) gst_object_unref(in);
    tracks_describe(container);
    if (container->has_failed) return;
    uint32_t wanted = sound->options->track;
    if (!container->is_connected && (container->lacks_decoder || !first)) {
        offstage_worker_fail(sound->reply, OFFSTAGE_SOUND_NO_DECODER, container->lacks_decoder ? 0 : container->package, 0);
    } else if (!container->is_connected && container->sound_count > 0 && wanted > container->sound_count) {
        offstage_worker_fail(sound->reply, OFFSTAGE_SOUND_NO_TRACK, container->sound_count, 0);
    } else if (!container->has_begun) {
        bool is_damaged = container->is_connected || container->has_impossible || container_was_cut(&sound->document);
        offstage_worker_fail(sound->reply, is_damaged ? OFFSTAGE_SOUND_DAMAGED : OFFSTAGE_SOUND_SILENT, 0, 0);
    } else if (sound->options->is_info) {
        sound->report.frames = sound->report.promised_frames;
    } else {
        // The file's length is that of its longest track.
        if (container->tracks > 1 && !container_was_cut(&sound->document)) sound->report.promised_frames = 0;
        sound_end(sound);
    }
}

void container_decode(struct sound *sound) {
    container_set_zone();
    struct container container = {.sound = sound, .target = -1};
    container.source = pad(&container, "src", GST_PAD_SRC);
    gst_pad_set_event_function(container.source, source_event);
    gst_pad_set_query_function(container.source, source_query);
    static GstStaticPadTemplate integers = GST_STATIC_PAD_TEMPLATE(
        "sink", GST_PAD_SINK, GST_PAD_ALWAYS,
        GST_STATIC_CAPS("audio/x-raw, format=(string)S16LE, layout=(string)interleaved"));
    static GstStaticPadTemplate floats = GST_STATIC_PAD_TEMPLATE(
        "sink", GST_PAD_SINK, GST_PAD_ALWAYS,
        GST_STATIC_CAPS("audio/x-raw, format=(string)F32LE, layout=(string)interleaved"));
    GstStaticPadTemplate *samples = sound_wants_floats(sound) ? &floats : &integers;
    container.sink = gst_object_ref_sink(gst_pad_new_from_static_template(samples, "sink"));
    gst_pad_set_element_private(container.sink, &container);
    gst_pad_set_event_function(container.sink, sink_event);
    gst_pad_set_chain_function(container.sink, sink_chain);
    gst_pad_set_active(container.source, TRUE);
    gst_pad_set_active(container.sink, TRUE);
    read_document(&container);
    for (size_t i = 0; i < container.count; i++) gst_element_set_state(container.elements[i], GST_STATE_NULL);
    gst_pad_set_active(container.source, FALSE);
    gst_pad_set_active(container.sink, FALSE);
    for (size_t i = 0; i < container.count; i++) gst_object_unref(container.elements[i]);
    for (size_t i = 0; i < OFFSTAGE_SOUND_TRACKS; i++)
        if (container.pads[i]) gst_object_unref(container.pads[i]);
    gst_object_unref(container.source);
    gst_object_unref(container.sink);
}
