#define _GNU_SOURCE
#include "caller.h"
#include "offstage_webkit.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// WebKit reads the settings, display and theme of the program that it runs in. In a program with windows, these are the user's
// and must not affect a picture. So this file redefines the functions that WebKit calls for them, and the dynamic linker finds
// these definitions first. Other callers get GTK's results.

// Only the main thread uses it. On other threads it is always 0.
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

/// Looks up the library's own function. RTLD_NEXT does not find it if the library was loaded later, outside the global scope.
static void *next(const char *library, const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (function) return function;
    void *handle = dlopen(library, RTLD_LAZY);
    return handle ? dlsym(handle, name) : NULL;
}

/// Sets each property to GTK's default, as if the application had set it. For a property that the application has not set, GTK
/// would query a screen.
static void set_all(GtkSettings *settings) {
    guint count;
    GParamSpec **all = g_object_class_list_properties(G_OBJECT_GET_CLASS(settings), &count);
    for (guint i = 0; i < count; i++)
        if (all[i]->flags & G_PARAM_WRITABLE)
            g_object_set_property(G_OBJECT(settings), all[i]->name, g_param_spec_get_default_value(all[i]));
    g_free(all);
}

GtkSettings *offstage_web_settings(void) {
    // These settings do not belong to any screen: only WebKit is notified of changes, and they outlive every display.
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

// On a server without a window manager, GDK queries the window manager's properties each time, in three round trips. On a busy
// machine each can take 100 ms, until the server gets a processor, and a host's main loop is blocked meanwhile. On the private
// display nothing covers the monitor.

void gdk_monitor_get_workarea(GdkMonitor *monitor, GdkRectangle *area) {
    static void (*get)(GdkMonitor *, GdkRectangle *);
    if (depth > 0 && private_display) return gdk_monitor_get_geometry(monitor, area);
    if (!get) get = next("libgdk-3.so.0", "gdk_monitor_get_workarea");
    get(monitor, area);
}

GdkMonitor *gdk_display_get_monitor_at_window(GdkDisplay *display, GdkWindow *window) {
    static GdkMonitor *(*get)(GdkDisplay *, GdkWindow *);
    // The private display has one monitor.
    if (depth > 0 && private_display) return gdk_display_get_monitor(display, 0);
    if (!get) get = next("libgdk-3.so.0", "gdk_display_get_monitor_at_window");
    return get(display, window);
}

/// True if a process that WebKit starts now belongs to the private display. WebKit also starts processes by itself, from the
/// main loop. In a program without its own web views, these also belong to Offstage. If WebKit cannot start the filter for
/// their bus, it ends the program.
static bool starts_ours(void) { return private_display && (depth > 0 || offstage_helpers_are_all_ours()); }

const char *offstage_sandbox_folder(void) {
    static char folder[4096];
    // WebKit treats /var/tmp specially: bubblewrap cannot create a sandbox with a folder in it. WebKit would also create the
    // folder if it does not exist.
    const char *wanted = g_get_tmp_dir();
    const char *place = g_str_has_prefix(wanted, "/var/tmp") || access(wanted, W_OK) != 0 ? "/tmp" : wanted;
    // A process number is unique only in its PID namespace: a folder of another container may look like a dead process's.
    struct stat space = {0};
    if (!folder[0]) {
        stat("/proc/self/ns/pid", &space);
        g_snprintf(folder, sizeof folder, "%s/offstage-run-%lu-%d", place, (unsigned long)space.st_ino, (int)getpid());
    }
    return folder;
}

/// The folder in which WebKit writes a file for each sandbox, without deleting it. Offstage does not use the user's folder, which
/// may not exist. For some of its files, WebKit keeps using the first answer. If that was Offstage's folder, later answers must
/// be the same: otherwise WebKit would start the bus filter for one of the program's own views with a folder that was never
/// created, and end the program.
const gchar *g_get_user_runtime_dir(void) {
    static const gchar *(*get)(void);
    if (!get) get = next("libglib-2.0.so.0", "g_get_user_runtime_dir");
    if (!is_webkit(__builtin_return_address(0))) return get();
    static int was_ours_first = -1;
    if (was_ours_first < 0) was_ours_first = starts_ours();
    return was_ours_first || starts_ours() ? offstage_sandbox_folder() : get();
}

/// The variables from which WebKit builds the sandbox of a process on the private display. The sandbox contains the display's
/// socket, but no cookie file, because the process gets a descriptor. It has no bus, because WebKit would start a filter for it
/// in another sandbox and wait for that. It excludes PulseAudio and GStreamer, which is disabled: by default WebKit binds the
/// folder above GStreamer's registry with write access, and that is the user's whole cache.
static bool is_of_the_sandbox(const gchar *variable, const gchar **value) {
    if (strcmp(variable, "DISPLAY") == 0)
        *value = gdk_display_get_name(private_display);
    else if (strcmp(variable, "XAUTHORITY") == 0)
        *value = "/nonexistent";
    else if (strcmp(variable, "WAYLAND_DISPLAY") == 0 || strcmp(variable, "DBUS_SESSION_BUS_ADDRESS") == 0)
        *value = NULL;
    else if (strcmp(variable, "GST_REGISTRY") == 0)
        *value = "/nonexistent/registry";
    else if (strcmp(variable, "GST_PLUGIN_PATH_1_0") == 0 || strcmp(variable, "GST_PLUGIN_SYSTEM_PATH_1_0") == 0)
        *value = "";  // a list without folders, instead of the user's
    else if (g_str_has_prefix(variable, "GST_") || g_str_has_prefix(variable, "PULSE_"))
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
        // For GTK, which is setting up a new screen.
        if (depth > 0 && strcmp(variable, "GTK_THEME") == 0) return "Offstage";
        for (size_t i = 0; depth > 0 && i < G_N_ELEMENTS(hidden_on_stage); i++)
            if (strcmp(variable, hidden_on_stage[i]) == 0) return NULL;
    }
    return getenv(variable);
}
