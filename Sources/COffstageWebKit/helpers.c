#define _GNU_SOURCE
#include "offstage_webkit.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// All of this is the main thread's, where WebKit starts its processes. It offers no way to say where they start, nor to know
// which they are: so GIO's functions that it does it by are here once more, and the linker finds these first.

static struct offstage_helper_place place = {{-1, -1, -1}, -1};
static int own_network = -1;
static bool has_place;

// The descriptors that processes are to get: our copies, by the numbers they will have. Of several launchers: before a process
// in its sandbox, WebKit starts another one.
static struct {
    const void *launcher;
    int number;
    int copy;
} passed[16];
static int passed_count;

// Names and values by turns; NULL where the program's own environment is right.
static char **environment;
static bool is_for_all;
static bool runs_page_scripts = true;

static struct offstage_launch launches[OFFSTAGE_LAUNCHES];
static int launch_count;

void offstage_helpers_start_in(const struct offstage_helper_place *new_place) {
    place = *new_place;
    has_place = true;
    if (own_network < 0) own_network = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
}

void offstage_helpers_use_environment(const char *const *variables, bool for_all) {
    is_for_all = for_all;
    g_strfreev(environment);
    environment = g_strdupv((char **)variables);
}

bool offstage_helpers_are_all_ours(void) { return is_for_all; }

void offstage_helpers_run_page_scripts(bool run) { runs_page_scripts = run; }

/// A process of another view of the program's is left alone.
static void give_environment(GSubprocessLauncher *launcher) {
    for (char **name = environment; name && name[0] && name[1]; name += 2) {
        if (*name[1])
            g_subprocess_launcher_setenv(launcher, name[0], name[1], TRUE);
        else
            g_subprocess_launcher_unsetenv(launcher, name[0]);
    }
    // DFG; the other one, FTL, begins with what it makes.
    if (!runs_page_scripts) g_subprocess_launcher_setenv(launcher, "JSC_useDFGJIT", "0", TRUE);
}

int offstage_helpers_take_launches(struct offstage_launch *taken) {
    int count = launch_count;
    memcpy(taken, launches, count * sizeof *taken);
    launch_count = 0;
    return count;
}

/// The kernel tells WebKit who has sent, whatever it was. Who speaks shares our memory, so that none is copied, and has ended when
/// this returns.
static void speak_for_dead(int socket) {
    pid_t child = vfork();
    if (child == 0) {
        send(socket, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        _exit(0);
    }
    if (child > 0) waitpid(child, NULL, 0);
}

bool offstage_launch_settle(const struct offstage_launch *launch, bool has_ended) {
    // WebKit closes its end as soon as it has read.
    struct pollfd end = {.fd = launch->socket};
    if (poll(&end, 1, 0) > 0) {
        close(launch->socket);
        return true;
    }
    int unread = 0;
    if (has_ended && ioctl(launch->socket, SIOCOUTQ, &unread) == 0 && unread == 0) speak_for_dead(launch->socket);
    return false;
}

/// Where GIO was loaded later and by itself, it stands behind nobody.
static void *gio(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (function) return function;
    void *library = dlopen("libgio-2.0.so.0", RTLD_LAZY);
    return library ? dlsym(library, name) : NULL;
}

void g_subprocess_launcher_take_fd(GSubprocessLauncher *launcher, gint source, gint target) {
    static void (*take)(GSubprocessLauncher *, gint, gint);
    if (!take) take = gio("g_subprocess_launcher_take_fd");
    if (has_place && passed_count < (int)G_N_ELEMENTS(passed)) {
        passed[passed_count].launcher = launcher;
        passed[passed_count].number = target;
        passed[passed_count++].copy = fcntl(source, F_DUPFD_CLOEXEC, 3);
    }
    take(launcher, source, target);
}

// What a process in the sandbox says on standard error: bubblewrap's words, if it fails. WebKit itself complains of buses there,
// each time, and could go on without an end: so there is a page, and nobody sees it.
static int complaints = -1;
static char complaint[4096];

static void catch_complaints(GSubprocessLauncher *launcher) {
    if (complaints < 0) complaints = offstage_sealed_memory_file("offstage-sandbox", sizeof complaint - 1);
    if (complaints < 0) {
        g_subprocess_launcher_set_stderr_file_path(launcher, "/dev/null");
        return;
    }
    memset(complaint, 0, sizeof complaint);
    ssize_t count = pwrite(complaints, complaint, sizeof complaint - 1, 0);
    (void)count;
    char path[32];
    g_snprintf(path, sizeof path, "/proc/self/fd/%d", complaints);
    g_subprocess_launcher_set_stderr_file_path(launcher, path);
}

const char *offstage_helpers_sandbox_complaint(void) {
    static const char name[] = "bwrap: ";
    memset(complaint, 0, sizeof complaint);
    if (complaints < 0 || pread(complaints, complaint, sizeof complaint - 1, 0) < 0) return "";
    complaint[strcspn(complaint, "\n")] = 0;
    const char *words = complaint;
    // Two of them may write at once: each its name, then what there is to say.
    while (strncmp(words, name, sizeof name - 1) == 0) words += sizeof name - 1;
    return words == complaint ? "" : words;
}

/// Of a helper, its name; NULL for another program. In the sandbox, the program is bubblewrap and WebKit's an argument.
static const char *helper(const gchar *const *argv) {
    for (; *argv; argv++)
        if (strstr(*argv, "/webkit2gtk-4.1/WebKit")) return strrchr(*argv, '/') + 1;
    return NULL;
}

/// In the child, between fork and exec. What cannot be entered is told by `/proc`, and drawing goes on.
static void enter(gpointer data) {
    (void)data;
    int result = offstage_namespace_enter(&place.space);
    (void)result;
}

/// - Returns: whether this thread is in the empty namespace now, where a child starts in it. Else the child has to be forked, with
///   all our memory's tables, to enter by itself: a program of many threads enters no user namespace.
static bool enter_here(GSubprocessLauncher *launcher) {
    if (place.space.network < 0) return false;
    // Only who may come back goes: our own network may belong to a user namespace above this one.
    if (place.space.user < 0 && own_network >= 0 && setns(own_network, CLONE_NEWNET) == 0 &&
        setns(place.space.network, CLONE_NEWNET) == 0)
        return true;
    g_subprocess_launcher_set_child_setup(launcher, enter, NULL, NULL);
    return false;
}

static void leave(void) {
    // Without our network we would be somebody else.
    if (setns(own_network, CLONE_NEWNET) != 0) abort();
}

static void give_cookie(GSubprocessLauncher *launcher) {
    // From another user namespace or the sandbox, our own /proc entries cannot be read. The number stays: no other that
    // the process gets can be the same.
    int file = place.authority >= 0 ? fcntl(place.authority, F_DUPFD_CLOEXEC, 3) : -1;
    if (file < 0) return;
    char path[32];
    g_snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    g_subprocess_launcher_take_fd(launcher, file, file);
    g_subprocess_launcher_setenv(launcher, "XAUTHORITY", path, TRUE);
}

/// Keeps what is known of a process that was started, with the socket on which it will tell WebKit its number: its last argument.
static void note(const void *launcher, GSubprocess *process, const char *name, const gchar *const *argv) {
    const gchar *const *last = argv;
    while (last[1]) last++;
    int socket = -1, others = 0;
    for (int i = 0; i < passed_count; i++) {
        if (passed[i].launcher != launcher)
            passed[others++] = passed[i];
        else if (socket < 0 && passed[i].number == atoi(*last))
            socket = passed[i].copy;
        else
            close(passed[i].copy);
    }
    passed_count = others;
    const char *identifier = process ? g_subprocess_get_identifier(process) : NULL;
    if (name && identifier && launch_count < OFFSTAGE_LAUNCHES)
        launches[launch_count++] = (struct offstage_launch){
            .process = atoi(identifier), .socket = socket, .draws = strcmp(name, "WebKitWebProcess") == 0};
    else if (socket >= 0 && !name)
        // A helper's stays open: better one descriptor less than the program's end.
        close(socket);
}

GSubprocess *g_subprocess_launcher_spawnv(GSubprocessLauncher *launcher, const gchar *const *argv, GError **error) {
    static GSubprocess *(*spawn)(GSubprocessLauncher *, const gchar *const *, GError **);
    if (!spawn) spawn = gio("g_subprocess_launcher_spawnv");
    const char *name = has_place ? helper(argv) : NULL;
    bool is_inside = false;
    if (name) {
        if (g_str_has_suffix(argv[0], "/bwrap")) catch_complaints(launcher);
        if (!environment || is_for_all || offstage_is_on_stage()) {
            give_environment(launcher);
            give_cookie(launcher);
        }
        is_inside = enter_here(launcher);
    }
    GSubprocess *process = spawn(launcher, argv, error);
    if (is_inside) leave();
    if (has_place) note(launcher, process, name, argv);
    return process;
}
