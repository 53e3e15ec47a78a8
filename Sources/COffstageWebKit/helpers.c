#define _GNU_SOURCE
#include "offstage_webkit.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static struct offstage_helper_place place = {{-1, -1, -1}, -1};
static bool has_place;

void offstage_helpers_start_in(const struct offstage_helper_place *new_place) {
    place = *new_place;
    has_place = true;
}

/// In the child, between fork and exec. What cannot be entered is told by `/proc`, and drawing goes on.
static void enter(gpointer data) {
    (void)data;
    int result = offstage_namespace_enter(&place.space);
    (void)result;
}

static gboolean is_helper(const gchar *const *argv) {
    // In the sandbox, the program is bubblewrap and WebKit's an argument.
    for (; *argv; argv++)
        if (strstr(*argv, "/webkit2gtk-4.1/WebKit")) return TRUE;
    return FALSE;
}

/// GIO's function of the same name, which the linker finds here first. WebKit starts its processes by it and offers no way to
/// say where; all others go on as they are.
GSubprocess *g_subprocess_launcher_spawnv(GSubprocessLauncher *launcher, const gchar *const *argv, GError **error) {
    typedef GSubprocess *(*spawn_function)(GSubprocessLauncher *, const gchar *const *, GError **);
    static spawn_function spawn;
    if (!spawn) spawn = (spawn_function)dlsym(RTLD_NEXT, "g_subprocess_launcher_spawnv");
    // Where GIO was loaded later and by itself, it stands behind nobody.
    if (!spawn) {
        void *gio = dlopen("libgio-2.0.so.0", RTLD_LAZY);
        if (gio) spawn = (spawn_function)dlsym(gio, "g_subprocess_launcher_spawnv");
    }
    if (has_place && is_helper(argv)) {
        // In the sandbox WebKit complains of buses, each time.
        if (g_str_has_suffix(argv[0], "/bwrap"))
            g_subprocess_launcher_set_stderr_file_path(launcher, "/dev/null");
        if (place.space.network >= 0) g_subprocess_launcher_set_child_setup(launcher, enter, NULL, NULL);
        if (place.authority >= 0) {
            // From another user namespace or the sandbox, our own /proc entries cannot be read. The number stays: no other that
            // the process gets can be the same.
            int file = fcntl(place.authority, F_DUPFD_CLOEXEC, 3);
            char path[32];
            g_snprintf(path, sizeof path, "/proc/self/fd/%d", file);
            if (file >= 0) {
                g_subprocess_launcher_take_fd(launcher, file, file);
                g_subprocess_launcher_setenv(launcher, "XAUTHORITY", path, TRUE);
            }
        }
    }
    return spawn(launcher, argv, error);
}
