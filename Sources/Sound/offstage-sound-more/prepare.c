// Loads everything for which GStreamer needs files, before the jail is closed.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <gst/gst.h>

#include "container.h"

/// The required plugins, and decoders that may be installed.
static const char *const plugins[] = {"isomp4", "matroska", "audioparsers", "audioconvert", "libav", "faad",
                                      "opus",   "vorbis",   "mpg123",       "flac",         "alaw",  "mulaw",
                                      "wavpack", "mpegtsdemux", "a52dec"};

static GLogWriterOutput write_nothing(GLogLevelFlags level, const GLogField *fields, gsize count, gpointer data) {
    (void)level, (void)fields, (void)count, (void)data;
    return G_LOG_WRITER_HANDLED;
}

void container_set_zone(void) { g_setenv("TZ", "UTC", TRUE); }

void container_prepare(void) {
    // No thread may start before the jail is closed, because it would remain outside. One of libav's libraries would start
    // threads.
    g_setenv("OPENBLAS_NUM_THREADS", "1", TRUE);
    g_setenv("OMP_NUM_THREADS", "1", TRUE);
    // Disables code generation, which the jail forbids, and gives the same samples on every processor. ORC reads this once.
    g_setenv("ORC_CODE", "backup", TRUE);
    void *orc = dlopen("liborc-0.4.so.0", RTLD_NOW);
    void (*orc_init)(void) = orc ? (void (*)(void))dlsym(orc, "orc_init") : NULL;
    if (orc_init) orc_init();
    // Messages would contain the time and be converted to the user's character set, for which files are opened.
    g_log_set_writer_func(write_nothing, NULL, NULL);
    // Loads the conversion tables that the first text outside UTF-8 would load. They stay in memory while a converter that needs
    // them is open.
    const char *own;
    g_get_charset(&own);
    const char *const characters[] = {own, "WINDOWS-1252", "ISO-8859-1", "MACINTOSH"};
    for (size_t i = 0; i < G_N_ELEMENTS(characters); i++) (void)g_iconv_open("UTF-8", characters[i]);
    // Loads the time zone that the first date would load.
    container_set_zone();
    g_time_zone_unref(g_time_zone_new_local());
    // Avoid searching and writing: load plugins by file name.
    g_setenv("GST_REGISTRY_DISABLE", "yes", TRUE);
    g_setenv("GST_REGISTRY_FORK", "no", TRUE);
    g_setenv("GST_PLUGIN_SYSTEM_PATH_1_0", "", TRUE);
    gst_init(NULL, NULL);
    Dl_info library;
    if (!dladdr((void *)gst_init, &library)) return;
    g_autofree char *folder = g_path_get_dirname(library.dli_fname);
    for (size_t i = 0; i < G_N_ELEMENTS(plugins); i++) {
        g_autofree char *path = g_strdup_printf("%s/gstreamer-1.0/libgst%s.so", folder, plugins[i]);
        GstPlugin *plugin = g_file_test(path, G_FILE_TEST_EXISTS) ? gst_plugin_load_file(path, NULL) : NULL;
        if (plugin) gst_object_unref(plugin);
    }
    // Element classes may load something when the first object is made.
    const char *const first[] = {"qtdemux", "matroskademux", "aacparse", "audioconvert", "avdec_aac", "faad",
                                 "tsdemux", "ac3parse", "avdec_ac3", "wavpackparse", "wavpackdec"};
    for (size_t i = 0; i < G_N_ELEMENTS(first); i++) {
        GstElement *element = gst_element_factory_make(first[i], NULL);
        if (element) gst_object_unref(gst_object_ref_sink(element));
    }
}
