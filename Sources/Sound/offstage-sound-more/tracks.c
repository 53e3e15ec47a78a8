// Finds the tracks of a file, and connects one of them with the sample pad.

#define _GNU_SOURCE
#include "tracks.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static GstElement *add(struct container *container, GstElement *element) {
    if (!element || container->count == G_N_ELEMENTS(container->elements)) return NULL;
    container->elements[container->count++] = gst_object_ref_sink(element);
    return element;
}

/// The best installed element of a type that accepts a format.
static GstElement *element_for(GstCaps *caps, GstElementFactoryListType type) {
    GList *all = gst_element_factory_list_get_elements(type, GST_RANK_MARGINAL);
    GList *fitting = gst_element_factory_list_filter(all, caps, GST_PAD_SINK, FALSE);
    fitting = g_list_sort(fitting, gst_plugin_feature_rank_compare_func);
    GstElement *element = fitting ? gst_element_factory_create(fitting->data, NULL) : NULL;
    gst_plugin_feature_list_free(fitting);
    gst_plugin_feature_list_free(all);
    return element;
}

/// Connects a track with the sink. Returns false if no decoder accepts it.
static bool connect_track(struct container *container, GstPad *track, GstCaps *caps) {
    GstElement *chain[3];
    size_t count = 0;
    GstStructure *format = gst_caps_get_structure(caps, 0);
    if (!gst_structure_has_name(format, "audio/x-raw")) {
        // The format that the parser will output.
        GstCaps *parsed = gst_caps_copy(caps);
        gst_caps_set_simple(parsed, "parsed", G_TYPE_BOOLEAN, TRUE, "framed", G_TYPE_BOOLEAN, TRUE, NULL);
        if (gst_structure_has_name(format, "audio/mpeg")) {
            gst_structure_remove_field(gst_caps_get_structure(parsed, 0), "stream-format");
            gint version = 0, layer;
            gst_structure_get_int(format, "mpegversion", &version);
            // MP4 does not specify the layer. Decoders for layer III also support the others.
            if (version == 1 && !gst_structure_get_int(format, "layer", &layer))
                gst_caps_set_simple(parsed, "layer", G_TYPE_INT, 3, NULL);
        }
        GstElement *decoder = element_for(parsed, GST_ELEMENT_FACTORY_TYPE_DECODER | GST_ELEMENT_FACTORY_TYPE_MEDIA_AUDIO);
        gst_caps_unref(parsed);
        if (!decoder) return false;
        GstElement *parser = element_for(caps, GST_ELEMENT_FACTORY_TYPE_PARSER | GST_ELEMENT_FACTORY_TYPE_MEDIA_AUDIO);
        if (parser) chain[count++] = add(container, parser);
        chain[count++] = add(container, decoder);
    }
    GstElement *convert = gst_element_factory_make("audioconvert", NULL);
    // Gives the same samples in each run.
    if (convert) gst_util_set_object_arg(G_OBJECT(convert), "dithering", "none");
    chain[count++] = add(container, convert);
    GstPad *last = gst_object_ref(track);
    bool is_linked = true;
    for (size_t i = 0; i < count && is_linked; i++) {
        is_linked = chain[i] && gst_element_set_state(chain[i], GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE;
        GstPad *in = is_linked ? gst_element_get_static_pad(chain[i], "sink") : NULL;
        is_linked = in && gst_pad_link(last, in) == GST_PAD_LINK_OK;
        if (in) gst_object_unref(in);
        gst_object_unref(last);
        last = chain[i] ? gst_element_get_static_pad(chain[i], "src") : NULL;
    }
    is_linked = is_linked && last && gst_pad_link(last, container->sink) == GST_PAD_LINK_OK;
    if (last) gst_object_unref(last);
    return is_linked;
}

/// False for an invalid rate or number of channels, because libraries would divide by it.
static bool is_possible(const GstStructure *format) {
    gint number;
    return !(gst_structure_get_int(format, "rate", &number) && number <= 0)
        && !(gst_structure_get_int(format, "channels", &number) && number <= 0);
}

static void pad_added(GstElement *demuxer, GstPad *pad, gpointer data) {
    (void)demuxer;
    struct container *container = data;
    container->tracks++;
    GstCaps *caps = gst_pad_get_current_caps(pad);
    if (!caps) caps = gst_pad_query_caps(pad, NULL);
    bool is_known = !gst_caps_is_empty(caps) && !gst_caps_is_any(caps);
    const GstStructure *format = is_known ? gst_caps_get_structure(caps, 0) : NULL;
    if (format && g_str_has_prefix(gst_structure_get_name(format), "audio/")) {
        uint32_t number = ++container->sound_count, wanted = container->sound->options->track;
        if (number <= OFFSTAGE_SOUND_TRACKS) container->pads[number - 1] = gst_object_ref(pad);
        // The requested track, or the first one that can be decoded.
        bool is_wanted = !container->is_connected && (wanted == 0 || wanted == number);
        if (is_wanted && !is_possible(format)) {
            container->has_impossible = true;
        } else if (is_wanted) {
            container->is_connected = connect_track(container, pad, caps);
            container->lacks_decoder |= !container->is_connected;
            container->start = edits_start(&container->edits, pad);
        }
    }
    gst_caps_unref(caps);
}

/// File formats by their first bytes, with the element that reads them.
static const struct kind {
    const char *name, *element;
    /// The format of a file with a single track and no container; NULL for a container.
    const char *format;
    enum offstage_sound_package package;
} kinds[] = {
    {"MP4", "qtdemux", NULL, OFFSTAGE_SOUND_GOOD},
    {"Matroska", "matroskademux", NULL, OFFSTAGE_SOUND_GOOD},
    {"MPEG-TS", "tsdemux", NULL, OFFSTAGE_SOUND_BAD},
    {"AAC", "aacparse", "audio/mpeg, mpegversion=(int)4", OFFSTAGE_SOUND_GOOD},
    {"AC-3", "ac3parse", "audio/x-ac3", OFFSTAGE_SOUND_GOOD},
    {"E-AC-3", "ac3parse", "audio/x-eac3", OFFSTAGE_SOUND_GOOD},
    {"WavPack", "wavpackparse", "audio/x-wavpack", OFFSTAGE_SOUND_GOOD},
};

static const struct kind *kind_of(struct document *document) {
    uint8_t head[6] = {0};
    document_read(document, head, sizeof head);
    document_seek(document, 0, SEEK_SET);
    if (head[0] == 0x1A && head[1] == 0x45) return &kinds[1];
    // Packets of a Blu-ray disc start with a time of four bytes.
    if (head[4] != 'f' && (head[0] == 0x47 || head[4] == 0x47)) return &kinds[2];
    if (head[0] == 0xFF) return &kinds[3];
    if (head[0] == 0x0B && head[1] == 0x77) return head[5] >> 3 > 10 ? &kinds[5] : &kinds[4];
    if (memcmp(head, "wvpk", 4) == 0) return &kinds[6];
    return &kinds[0];
}

GstElement *tracks_first_element(struct container *container) {
    struct offstage_sound_report *report = &container->sound->report;
    const struct kind *kind = kind_of(&container->sound->document);
    snprintf(report->kind, sizeof report->kind, "%s", kind->name);
    GstElement *element = add(container, gst_element_factory_make(kind->element, NULL));
    container->package = kind->package;
    if (!element) return NULL;
    if (kind == &kinds[0]) edits_find(&container->sound->document, &container->edits);
    if (!kind->format) {
        g_signal_connect(element, "pad-added", G_CALLBACK(pad_added), container);
        return element;
    }
    GstCaps *caps = gst_caps_from_string(kind->format);
    GstPad *track = gst_element_get_static_pad(element, "src");
    container->sound_count = 1;
    if (container->sound->options->track <= 1) {
        container->is_connected = connect_track(container, track, caps);
        container->lacks_decoder = !container->is_connected;
    }
    gst_object_unref(track);
    gst_caps_unref(caps);
    return element;
}

/// The common name of a codec.
static const char *codec(const GstStructure *format) {
    static const char *const names[][2] = {
        {"audio/x-raw", "PCM"},   {"audio/x-ac3", "AC-3"},      {"audio/x-eac3", "E-AC-3"},     {"audio/x-alac", "ALAC"},
        {"audio/x-flac", "FLAC"}, {"audio/x-vorbis", "Vorbis"}, {"audio/x-opus", "Opus"},       {"audio/x-dts", "DTS"},
        {"audio/x-alaw", "A-law"}, {"audio/x-mulaw", "mu-law"}, {"audio/x-wavpack", "WavPack"}, {"audio/x-true-hd", "TrueHD"},
    };
    const char *name = gst_structure_get_name(format);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(names[i][0], name) == 0) return names[i][1];
    gint version = 0, layer = 0;
    gst_structure_get_int(format, "mpegversion", &version);
    gst_structure_get_int(format, "layer", &layer);
    if (strcmp(name, "audio/mpeg") == 0) return version != 1 ? "AAC" : layer == 3 ? "MP3" : "MPEG audio";
    return name + strlen("audio/");
}

static void set_language(struct offstage_sound_track *track, GstPad *pad) {
    GstEvent *event;
    for (guint i = 0; track->language[0] == 0 && (event = gst_pad_get_sticky_event(pad, GST_EVENT_TAG, i)); i++) {
        GstTagList *tags = NULL;
        gchar *language = NULL;
        gst_event_parse_tag(event, &tags);
        if (tags && gst_tag_list_get_string(tags, GST_TAG_LANGUAGE_CODE, &language))
            snprintf(track->language, sizeof track->language, "%s", language);
        g_free(language);
        gst_event_unref(event);
    }
}

void tracks_describe(struct container *container) {
    struct offstage_sound_report *report = &container->sound->report;
    report->track_count = container->sound_count;
    for (uint32_t i = 0; i < OFFSTAGE_SOUND_TRACKS; i++) {
        if (!container->pads[i]) continue;
        struct offstage_sound_track *track = &report->tracks[i];
        GstCaps *caps = gst_pad_get_current_caps(container->pads[i]);
        if (!caps) continue;
        const GstStructure *format = gst_caps_get_structure(caps, 0);
        gint rate = 0, channels = 0;
        gst_structure_get_int(format, "rate", &rate);
        gst_structure_get_int(format, "channels", &channels);
        track->rate = (uint32_t)MAX(rate, 0);
        track->channels = (uint32_t)MAX(channels, 0);
        snprintf(track->codec, sizeof track->codec, "%s", codec(format));
        gst_caps_unref(caps);
        set_language(track, container->pads[i]);
    }
}
