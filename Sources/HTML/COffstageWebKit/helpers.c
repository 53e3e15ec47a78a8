#define _GNU_SOURCE
#include "caller.h"
#include "offstage_webkit.h"

#include <dlfcn.h>
#include <gio/gunixconnection.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// Everything here runs on the main thread, on which WebKit starts its processes. WebKit has no API that places them in a
// namespace or lists them. So this file redefines the GIO functions that WebKit uses for this, and the dynamic linker finds these
// definitions first.

static struct offstage_helper_place place = {{-1, -1, -1}, -1};
static int own_network = -1;
static bool has_place;

// Copies of the descriptors that new processes will get, with the numbers that they will have there. They may belong to several
// launchers, because WebKit starts another process before each sandboxed one.
static struct {
    const void *launcher;
    int number;
    int copy;
} passed[16];
static int passed_count;

// Alternating names and values: all variables that WebKit's processes get. NULL until the display exists.
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

/// Replaces the environment of a process. Not called for processes of views that belong to the host program.
static void give_environment(GSubprocessLauncher *launcher) {
    char **all = NULL;
    for (char **name = environment; name && name[0] && name[1]; name += 2) all = g_environ_setenv(all, name[0], name[1], TRUE);
    // The launcher has a copy of this program's variables, and any of them may be a secret.
    if (all) g_subprocess_launcher_set_environ(launcher, all);
    g_strfreev(all);
    // Disables the DFG compiler, and so FTL, which works on DFG's output.
    if (!runs_page_scripts) g_subprocess_launcher_setenv(launcher, "JSC_useDFGJIT", "0", TRUE);
}

int offstage_helpers_take_launches(struct offstage_launch *taken) {
    int count = launch_count;
    memcpy(taken, launches, count * sizeof *taken);
    launch_count = 0;
    return count;
}

/// Sends a message on behalf of a dead process. Its contents do not matter: the kernel reports the sender's number to WebKit. The
/// sending child shares this process's memory, so none is copied, and it has ended when this returns.
static void speak_for_dead(int socket) {
    pid_t child = vfork();
    if (child == 0) {
        send(socket, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        _exit(0);
    }
    if (child > 0) waitpid(child, NULL, 0);
}

bool offstage_launch_settle(const struct offstage_launch *launch, bool has_ended) {
    // WebKit closes its end as soon as it has read the number.
    struct pollfd end = {.fd = launch->socket};
    if (poll(&end, 1, 0) > 0) {
        close(launch->socket);
        return true;
    }
    int unread = 0;
    if (has_ended && ioctl(launch->socket, SIOCOUTQ, &unread) == 0 && unread == 0) speak_for_dead(launch->socket);
    return false;
}

/// Looks up GIO's own function. RTLD_NEXT does not find it if GIO was loaded later, outside the global scope.
static void *gio(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (function) return function;
    void *library = dlopen("libgio-2.0.so.0", RTLD_LAZY);
    return library ? dlsym(library, name) : NULL;
}

/// WebKitGTK 2.52 reads a process's number from the connection, and ends the program if the process ended without sending it, for
/// example because bubblewrap could not start it. This gives it the number of a process that has ended; it notices the end at its
/// next read.
GCredentials *g_unix_connection_receive_credentials(GUnixConnection *connection, GCancellable *cancellable, GError **error) {
    static GCredentials *(*receive)(GUnixConnection *, GCancellable *, GError **);
    if (!receive) receive = gio("g_unix_connection_receive_credentials");
    if (!has_place || !is_webkit(__builtin_return_address(0))) return receive(connection, cancellable, error);
    GError *problem = NULL;
    GCredentials *credentials = receive(connection, cancellable, &problem);
    if (credentials) return credentials;
    pid_t child = vfork();
    if (child == 0) _exit(0);
    if (child < 0) {
        g_propagate_error(error, problem);
        return NULL;
    }
    waitpid(child, NULL, 0);
    g_clear_error(&problem);
    credentials = g_credentials_new();
    g_credentials_set_native(credentials, G_CREDENTIALS_TYPE_LINUX_UCRED,
        &(struct ucred){.pid = child, .uid = geteuid(), .gid = getegid()});
    return credentials;
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

// The standard error of sandboxed processes: bubblewrap's message, if it fails. WebKit's processes report missing buses there each
// time, and could write endlessly. So the file is a page of fixed size, and its contents are not shown.
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
    // Two processes may write at once: the file then has first both names, then the message.
    while (strncmp(words, name, sizeof name - 1) == 0) words += sizeof name - 1;
    return words == complaint ? "" : words;
}

#define WEBKIT_PROGRAMS "/webkit2gtk-4.1/WebKit"

/// The name of a WebKit process. NULL for any other program. In the sandbox, the program is bubblewrap and WebKit's is an
/// argument.
static const char *helper(const gchar *const *argv) {
    for (; *argv; argv++)
        if (strstr(*argv, WEBKIT_PROGRAMS)) return strrchr(*argv, '/') + 1;
    return NULL;
}

/// WebKit's arguments for bubblewrap, followed by ours.
///
/// WebKit binds fontconfig's cache, which other programs read, with write access. A second bind, over the first one, makes it
/// read-only. This program filled the cache when it started. Bubblewrap leaves root its capabilities and write access to the
/// kernel's settings, which root owns even without capabilities.
static const gchar *const *with_more_protection(const gchar *const *argv) {
    static const gchar *longer[64];
    static char folder[PATH_MAX];
    static const gchar *const settings = "/proc/sys", *const keys = "/proc/sysrq-trigger";
    int count = 0;
    while (argv[count]) count++;
    g_snprintf(folder, sizeof folder, "%s/fontconfig", g_get_user_cache_dir());
    const gchar *const added[] = {"--ro-bind-try", folder, folder,  //
        "--cap-drop", "ALL", "--ro-bind-try", settings, settings, "--ro-bind-try", keys, keys};
    int more = geteuid() == 0 ? (int)G_N_ELEMENTS(added) : 3;
    if (count < 3 || count + more + 1 > (int)G_N_ELEMENTS(longer) || strcmp(argv[1], "--args") != 0) return argv;
    // WebKit's own binds are in the file that the first two arguments name.
    memcpy(longer, argv, 3 * sizeof *argv);
    memcpy(longer + 3, added, more * sizeof *added);
    memcpy(longer + 3 + more, argv + 3, (count - 3 + 1) * sizeof *argv);
    return longer;
}

/// Runs in the child between fork and exec. If it fails, drawing continues; `/proc` shows in which namespace the process is.
static void enter(gpointer data) {
    (void)data;
    int result = offstage_namespace_enter(&place.space);
    (void)result;
}

/// Moves this thread into the empty namespace, in which its next child then starts.
///
/// - Returns: False if the thread has not moved. If a namespace exists, the child must then be forked (which copies the page
///   tables of this process) and enter the namespace itself, because a process with several threads cannot enter a user namespace.
static bool enter_here(GSubprocessLauncher *launcher) {
    if (place.space.network < 0) return false;
    // Move only if the thread can return: this process's network may belong to a user namespace above the current one.
    if (place.space.user < 0 && own_network >= 0 && setns(own_network, CLONE_NEWNET) == 0 &&
        setns(place.space.network, CLONE_NEWNET) == 0)
        return true;
    g_subprocess_launcher_set_child_setup(launcher, enter, NULL, NULL);
    return false;
}

static void leave(void) {
    // The program must not continue in the wrong network.
    if (setns(own_network, CLONE_NEWNET) != 0) abort();
}

static void give_cookie(GSubprocessLauncher *launcher) {
    // A process in another user namespace or in the sandbox cannot read `/proc` entries of this process. The descriptor keeps
    // its number there, because no other descriptor that the process gets can have it.
    int file = place.authority >= 0 ? fcntl(place.authority, F_DUPFD_CLOEXEC, 3) : -1;
    if (file < 0) return;
    char path[32];
    g_snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    g_subprocess_launcher_take_fd(launcher, file, file);
    g_subprocess_launcher_setenv(launcher, "XAUTHORITY", path, TRUE);
}

/// The socket on which a WebKit process will send its number: the third argument of its program. -1 if it has two, as in WebKitGTK
/// 2.52, which reads the number from the connection, the second argument. Only the process may have the connection's other end: a
/// copy here would hide the end of the process from WebKit.
static int number_socket(const gchar *const *argv) {
    while (*argv && !strstr(*argv, WEBKIT_PROGRAMS)) argv++;
    int count = 0;
    while (count < 4 && argv[count]) count++;
    return count == 4 ? atoi(argv[3]) : -1;
}

/// Records a started process and a copy of the socket on which it will send its number to WebKit. Closes the other copies.
static void note(const void *launcher, GSubprocess *process, const char *name, const gchar *const *argv) {
    int number = name ? number_socket(argv) : -1;
    int socket = -1, others = 0;
    for (int i = 0; i < passed_count; i++) {
        if (passed[i].launcher != launcher)
            passed[others++] = passed[i];
        else if (socket < 0 && passed[i].number == number)
            socket = passed[i].copy;
        else
            close(passed[i].copy);
    }
    passed_count = others;
    const char *identifier = process ? g_subprocess_get_identifier(process) : NULL;
    if (name && identifier && launch_count < OFFSTAGE_LAUNCHES)
        launches[launch_count++] = (struct offstage_launch){
            .process = atoi(identifier), .socket = socket, .draws = strcmp(name, "WebKitWebProcess") == 0};
    // The socket of a process that was not recorded stays open: leaking a descriptor is better than ending the program.
}

// The processes that GLib waits for on its own thread.
static pid_t awaited[64];

static void note_awaited(GSubprocess *process) {
    const char *identifier = process ? g_subprocess_get_identifier(process) : NULL;
    for (int i = 0; identifier && i < (int)G_N_ELEMENTS(awaited); i++) {
        if (awaited[i] != 0 && kill(awaited[i], 0) == 0) continue;
        awaited[i] = atoi(identifier);
        return;
    }
}

bool offstage_helpers_glib_awaits(pid_t process) {
    for (int i = 0; i < (int)G_N_ELEMENTS(awaited); i++)
        if (awaited[i] == process) return true;
    return false;
}

GSubprocess *g_subprocess_launcher_spawnv(GSubprocessLauncher *launcher, const gchar *const *argv, GError **error) {
    static GSubprocess *(*spawn)(GSubprocessLauncher *, const gchar *const *, GError **);
    if (!spawn) spawn = gio("g_subprocess_launcher_spawnv");
    const char *name = has_place ? helper(argv) : NULL;
    bool is_inside = false;
    if (name) {
        bool is_sandboxed = g_str_has_suffix(argv[0], "/bwrap");
        if (is_sandboxed) catch_complaints(launcher);
        if (!environment || is_for_all || offstage_is_on_stage()) {
            give_environment(launcher);
            give_cookie(launcher);
            // Standard output is for this program's results; nothing else may write to it.
            g_subprocess_launcher_set_stdout_file_path(launcher, "/dev/null");
            if (is_sandboxed) argv = with_more_protection(argv);
        }
        is_inside = enter_here(launcher);
    }
    GSubprocess *process = spawn(launcher, argv, error);
    if (is_inside) leave();
    note_awaited(process);
    if (has_place) note(launcher, process, name, argv);
    return process;
}
