#define _GNU_SOURCE
#include "offstage_system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_DESCRIPTORS 8

// Where programs, libraries, fonts and temporary files are, the language, and settings for debugging. Any other variable may be
// a secret.
static const char *const passed[] = {
    "FONTCONFIG_FILE", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT", "GLIBC_TUNABLES", "HOME", "JSC_SIGNAL_FOR_GC", "LANG", "LC_ALL",
    "LD_DEBUG", "LD_DEBUG_OUTPUT", "LD_LIBRARY_PATH", "LD_PRELOAD", "MALLOC_ARENA_MAX", "MALLOC_PERTURB_", "PATH", "TMPDIR", "TZ",
    "WEBKIT_DEBUG", "XDG_CACHE_HOME", "XDG_CONFIG_DIRS", "XDG_CONFIG_HOME", "XDG_DATA_DIRS", "XDG_DATA_HOME"};
#define PASSED ((int)(sizeof passed / sizeof *passed))

/// Fills in the variables that the program gets, and NULL after the last one.
static void choose_environment(char *environment[PASSED + 1], bool is_bare) {
    int count = 0;
    for (int i = 0; i < PASSED && !is_bare; i++) {
        char *value = getenv(passed[i]);
        // The value is the end of the text NAME=value.
        if (value) environment[count++] = value - strlen(passed[i]) - 1;
    }
    environment[count] = NULL;
}

// Runs in a child that shares its parent's memory, with all signals blocked: only async-signal-safe calls are allowed.
static _Noreturn void run_child(
    char *const argv[], char *const environment[], const int descriptors[], int count, int failure, pid_t parent,
    const sigset_t *old, bool is_bare, pid_t group) {
    int high[MAX_DESCRIPTORS];
    // If the group is gone, the program must not start: the group has ended together with this program.
    if (setpgid(0, group) != 0) _exit(127);
    // Not for bubblewrap, which requests its own signal once its child is in the group.
    if (!is_bare) prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(127);  // the parent ended before prctl
    for (int s = 1; s < NSIG; s++) signal(s, SIG_DFL);
    sigset_t blocked;
    sigemptyset(&blocked);
    // Blocked, not ignored: an X server that finds SIGUSR1 ignored sends it to its parent.
    if (sigismember(old, SIGUSR1)) sigaddset(&blocked, SIGUSR1);
    if (sigismember(old, SIGUSR2)) sigaddset(&blocked, SIGUSR2);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    // Move the descriptors above the range first, then to their final numbers.
    failure = fcntl(failure, F_DUPFD_CLOEXEC, 2 * MAX_DESCRIPTORS);
    for (int i = 0; i < count; i++) high[i] = fcntl(descriptors[i], F_DUPFD_CLOEXEC, 2 * MAX_DESCRIPTORS);
    for (int i = 0; i < count; i++) dup2(high[i], i);
    close_range(count, ~0U, CLOSE_RANGE_CLOEXEC);
    if (is_bare) execve(argv[0], argv, environment);
    else execvpe(argv[0], argv, environment);
    int code = errno;
    ssize_t written = write(failure, &code, sizeof code);
    (void)written;
    _exit(127);
}

static pid_t spawn(char *const argv[], const int descriptors[], int count, bool is_bare, pid_t group) {
    if (count > MAX_DESCRIPTORS) {
        errno = EINVAL;
        return -1;
    }
    int failure[2];
    if (pipe2(failure, O_CLOEXEC) != 0) return -1;
    char *environment[PASSED + 1];
    choose_environment(environment, is_bare);
    pid_t parent = getpid();
    // The child uses this process's memory until exec, and this thread waits until then, so nothing is copied. A signal that
    // arrives meanwhile must not run a handler of this process in the child.
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pid_t child = vfork();
    if (child == 0) run_child(argv, environment, descriptors, count, failure[1], parent, &old, is_bare, group);
    int code = child < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    close(failure[1]);
    // The pipe is closed by exec, or carries exec's errno.
    while (child > 0 && read(failure[0], &code, sizeof code) < 0 && errno == EINTR) continue;
    close(failure[0]);
    if (code == 0) return child;
    if (child > 0) waitpid(child, NULL, 0);
    errno = code;
    return -1;
}

pid_t offstage_spawn(char *const argv[], const int descriptors[], int count) {
    return spawn(argv, descriptors, count, false, 0);
}

pid_t offstage_spawn_bare(char *const argv[], const int descriptors[], int count, pid_t group) {
    return spawn(argv, descriptors, count, true, group);
}

void offstage_limit(pid_t child, int seconds, size_t memory, size_t file) {
    const struct rlimit output = {file, file};
    prlimit(child, RLIMIT_FSIZE, &output, NULL);
    const struct rlimit processor = {seconds, seconds}, space = {memory, memory}, none = {0, 0};
    prlimit(child, RLIMIT_CPU, &processor, NULL);
    prlimit(child, RLIMIT_AS, &space, NULL);
    prlimit(child, RLIMIT_CORE, &none, NULL);
}

int offstage_budget(pid_t process, unsigned long seconds, size_t memory) {
    // The hard limits stay unchanged: an unprivileged process could not raise them again for the next budget.
    struct rlimit old;
    const int kinds[] = {RLIMIT_CPU, RLIMIT_AS};
    const rlim_t values[] = {seconds, memory};
    for (int i = 0; i < 2; i++) {
        if (prlimit(process, kinds[i], NULL, &old) != 0) return -1;
        const struct rlimit limit = {values[i] < old.rlim_max ? values[i] : old.rlim_max, old.rlim_max};
        if (prlimit(process, kinds[i], &limit, NULL) != 0) return -1;
    }
    return 0;
}

long offstage_processor_time(pid_t process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int offstage_process_handle(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

static int tell(int handle, int signal) { return (int)syscall(SYS_pidfd_send_signal, handle, signal, NULL, 0); }

int offstage_end_process(int handle) { return tell(handle, SIGKILL); }

int offstage_stop_process(int handle) { return tell(handle, SIGSTOP); }

int offstage_continue_process(int handle) { return tell(handle, SIGCONT); }

void offstage_adopt_orphans(void) { prctl(PR_SET_CHILD_SUBREAPER, 1); }
