#define _GNU_SOURCE
#include "jail.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "offstage_worker.h"

// More than a decoder starts on a machine with many processors.
#define THREADS 128
// The descriptors that are open at the start, plus those of one message.
#define FILES (OFFSTAGE_WIRE_SOCKET + 1 + OFFSTAGE_WIRE_FILES)

/// The exit code that a shell and bubblewrap report for a program that a signal ended.
static void end(int signal) { _exit(128 + signal); }

/// Libraries end the process in one of several ways when an allocation fails, which is a limit and not a crash.
static void end_broken(int signal) {
    if (errno == ENOMEM) offstage_worker_report_exhaustion();
    end(signal);
}

/// A process that bubblewrap starts as the first of its namespace ignores these signals unless it handles them.
static void handle_signals(void) {
    signal(SIGXCPU, end);
    const int broken[] = {SIGABRT, SIGTRAP, SIGILL, SIGSEGV, SIGBUS};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) signal(broken[i], end_broken);
    // Both then become errors that the caller sees.
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}

static bool limit(void) {
    const struct rlimit none = {0, 0}, files = {FILES, FILES}, threads = {THREADS, THREADS};
    // Inside bubblewrap the worker has its own account. Elsewhere, the account's other processes would count towards the limit.
    if (getpid() == 1 && setrlimit(RLIMIT_NPROC, &threads) != 0) return false;
    // No file: pictures are in the host's memory, and messages are discarded. If a C++ library without memory wrote its last message to
    // a file, that write would fail for another reason, and `errno` would no longer tell `end_broken` that memory was short.
    if (dup2(STDIN_FILENO, STDERR_FILENO) < 0) return false;
    return setrlimit(RLIMIT_CORE, &none) == 0 && setrlimit(RLIMIT_NOFILE, &files) == 0 && setrlimit(RLIMIT_FSIZE, &none) == 0
        && setrlimit(RLIMIT_MEMLOCK, &none) == 0;
}

unsigned offstage_worker_jail(bool has_threads) {
    unsigned bits = 0;
    // First, because a change of the account removes the parent-death signal.
    bool is_poor = offstage_jail_privileges();
    // Ends this process with the host. A host that ended before this call closed the connection, which also ends this process.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0);
    close_range(OFFSTAGE_WIRE_SOCKET + 1, ~0U, 0);
    // The host passed no variables, but bubblewrap adds the name of its folder.
    if (clearenv() == 0) bits |= OFFSTAGE_WIRE_EMPTY_ENVIRONMENT;
    handle_signals();
    if (limit()) bits |= OFFSTAGE_WIRE_LIMITS;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && is_poor) bits |= OFFSTAGE_WIRE_NO_NEW_PRIVILEGES;
    // Before seccomp, which forbids Landlock's calls.
    if (offstage_jail_landlock()) bits |= OFFSTAGE_WIRE_LANDLOCK;
    if (offstage_jail_seccomp(has_threads)) bits |= OFFSTAGE_WIRE_SECCOMP;
    return bits;
}
