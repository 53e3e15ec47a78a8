#define _GNU_SOURCE
#include "caller.h"
#include "offstage_webkit.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// WebKit asks for the settings, the display and the theme of the program that it is in. Where that has windows of its own, these
// are its user's, which no picture may show: so the functions that WebKit asks by are here once more, and the linker finds these
// first. Who else calls them gets what GTK says.

// Of the main thread alone; another thread is never on the stage.
static __thread int depth;
static GdkDisplay *private_display;
static GtkSettings *web_settings;

void offstage_stage_enter(GdkDisplay *display) {
    depth++;
    if (display) private_display = display;
}

void offstage_stage_leave(void) { depth--; }

bool offstage_is_on_stage(void) { return depth > 0; }

void offstage_stage_forget(GdkDisplay *display) {
    if (private_display == display) private_display = NULL;
}

/// Where the library was loaded later and by itself, it stands behind nobody.
static void *next(const char *library, const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (function) return function;
    void *handle = dlopen(library, RTLD_LAZY);
    return handle ? dlsym(handle, name) : NULL;
}

/// Each as GTK has it by itself, and as the program's own word: for what nobody set, GTK would ask a screen.
static void set_all(GtkSettings *settings) {
    guint count;
    GParamSpec **all = g_object_class_list_properties(G_OBJECT_GET_CLASS(settings), &count);
    for (guint i = 0; i < count; i++)
        if (all[i]->flags & G_PARAM_WRITABLE)
            g_object_set_property(G_OBJECT(settings), all[i]->name, g_param_spec_get_default_value(all[i]));
    g_free(all);
}

GtkSettings *offstage_web_settings(void) {
    // Of no screen: nobody but WebKit hears of it, and it outlives each display.
    if (!web_settings) {
        web_settings = g_object_new(GTK_TYPE_SETTINGS, NULL);
        set_all(web_settings);
    }
    return web_settings;
}

GtkSettings *gtk_settings_get_default(void) {
    static GtkSettings *(*get)(void);
    if (!get) get = next("libgtk-3.so.0", "gtk_settings_get_default");
    return is_webkit(__builtin_return_address(0)) ? offstage_web_settings() : get();
}

GdkDisplay *gdk_display_get_default(void) {
    static GdkDisplay *(*get)(void);
    if (!get) get = next("libgdk-3.so.0", "gdk_display_get_default");
    return depth > 0 && private_display && is_webkit(__builtin_return_address(0)) ? private_display : get();
}

GdkDisplay *gdk_display_manager_get_default_display(GdkDisplayManager *manager) {
    static GdkDisplay *(*get)(GdkDisplayManager *);
    if (!get) get = next("libgdk-3.so.0", "gdk_display_manager_get_default_display");
    return depth > 0 && private_display && is_webkit(__builtin_return_address(0)) ? private_display : get(manager);
}

// A server without a window manager is asked for its marks each time, in three answers, and each takes as long as the busy machine
// gives the server no processor: 100 ms at times, in which a host's loop stands. On the private display nothing is in the way.

void gdk_monitor_get_workarea(GdkMonitor *monitor, GdkRectangle *area) {
    static void (*get)(GdkMonitor *, GdkRectangle *);
    if (depth > 0 && private_display) return gdk_monitor_get_geometry(monitor, area);
    if (!get) get = next("libgdk-3.so.0", "gdk_monitor_get_workarea");
    get(monitor, area);
}

GdkMonitor *gdk_display_get_monitor_at_window(GdkDisplay *display, GdkWindow *window) {
    static GdkMonitor *(*get)(GdkDisplay *, GdkWindow *);
    // It has one.
    if (depth > 0 && private_display) return gdk_display_get_monitor(display, 0);
    if (!get) get = next("libgdk-3.so.0", "gdk_display_get_monitor_at_window");
    return get(display, window);
}

/// Whether a process that WebKit starts now is on the private display. It starts some by itself, from the loop: in a program
/// without views of its own, these are ours too. WebKit ends the program where it cannot start a filter for their bus.
static bool starts_ours(void) { return private_display && (depth > 0 || offstage_helpers_are_all_ours()); }

const char *offstage_sandbox_folder(void) {
    static char folder[4096];
    // WebKit has its own idea of /var/tmp: bubblewrap makes no sandbox with a folder in it.
    // And WebKit would make one that is not there.
    const char *wanted = g_get_tmp_dir();
    const char *place = g_str_has_prefix(wanted, "/var/tmp") || access(wanted, W_OK) != 0 ? "/tmp" : wanted;
    // A number is a process's in its namespace alone: a folder of another container may look like a dead process's.
    struct stat space = {0};
    if (!folder[0]) {
        stat("/proc/self/ns/pid", &space);
        g_snprintf(folder, sizeof folder, "%s/offstage-run-%lu-%d", place, (unsigned long)space.st_ino, (int)getpid());
    }
    return folder;
}

/// Where WebKit writes something about each sandbox, and leaves it: not into the user's folders, which may be missing. It keeps the
/// first answer for some of it. Where that was ours, it has to be ours for good: else it starts the filter for the bus of a view of
/// the program's own with a folder that nobody has made, and ends the program.
const gchar *g_get_user_runtime_dir(void) {
    static const gchar *(*get)(void);
    if (!get) get = next("libglib-2.0.so.0", "g_get_user_runtime_dir");
    if (!is_webkit(__builtin_return_address(0))) return get();
    static int was_ours_first = -1;
    if (was_ours_first < 0) was_ours_first = starts_ours();
    return was_ours_first || starts_ours() ? offstage_sandbox_folder() : get();
}

/// What WebKit makes the sandbox by, for a process on the private display: its socket is in it, and nobody's cookie file, for the
/// process gets a descriptor. No bus: WebKit would start a filter for it, in a sandbox of its own, and wait for that.
static bool is_of_the_sandbox(const gchar *variable, const gchar **value) {
    if (strcmp(variable, "DISPLAY") == 0)
        *value = gdk_display_get_name(private_display);
    else if (strcmp(variable, "XAUTHORITY") == 0)
        *value = "/nonexistent";
    else if (strcmp(variable, "WAYLAND_DISPLAY") == 0 || strcmp(variable, "DBUS_SESSION_BUS_ADDRESS") == 0)
        *value = NULL;
    else
        return false;
    return true;
}

const gchar *g_getenv(const gchar *variable) {
    const gchar *value;
    if (starts_ours() && is_of_the_sandbox(variable, &value) && is_webkit(__builtin_return_address(0)))
        return value;
    static const char *const hidden[] = {"GTK_THEME", "GTK_OVERLAY_SCROLLING"};
    static const char *const hidden_on_stage[] = {"GDK_SCALE", "GDK_DPI_SCALE"};
    if (variable[0] == 'G') {
        for (size_t i = 0; i < G_N_ELEMENTS(hidden); i++)
            if (strcmp(variable, hidden[i]) == 0 && is_webkit(__builtin_return_address(0))) return NULL;
        // To GTK, which sets a new screen up.
        if (depth > 0 && strcmp(variable, "GTK_THEME") == 0) return "Offstage";
        for (size_t i = 0; depth > 0 && i < G_N_ELEMENTS(hidden_on_stage); i++)
            if (strcmp(variable, hidden_on_stage[i]) == 0) return NULL;
    }
    return getenv(variable);
}
