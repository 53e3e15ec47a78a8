#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "jail.h"
#include "offstage_wire.h"

/// Calls that affect only this process's own memory and descriptors.
static const int harmless[] = {
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(futex),
    SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(lseek), SCMP_SYS(fstat),
    SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigprocmask), SCMP_SYS(restart_syscall),
    SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(sched_yield),
    SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(getrandom), SCMP_SYS(getrusage),
    SCMP_SYS(sysinfo), SCMP_SYS(set_robust_list), SCMP_SYS(rseq),
};

/// A call that is allowed only if one argument, masked, has a given value.
struct narrow {
    int call;
    struct scmp_arg_cmp argument;
};

// A flag that Debian 12's kernel headers do not define yet.
#ifndef MAP_DROPPABLE
#define MAP_DROPPABLE 0x08
#endif

/// Allows memory, but not for code. No shared memory either, which the kernel charges to no process while it is unmapped. For its random
/// numbers, libc 2.41 and later requests memory that the kernel may drop. The filter answers like an older kernel, without such memory,
/// and libc then asks the kernel for random numbers.
static bool allow_mapping(scmp_filter_ctx filter) {
    const struct scmp_arg_cmp no_code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2, no_code,
               SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_TYPE, MAP_PRIVATE)) == 0
        && seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2, no_code,
               SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_TYPE | MAP_ANONYMOUS, MAP_SHARED)) == 0
        && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(mmap), 1,
               SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_TYPE, MAP_DROPPABLE)) == 0;
}

// A thread as libc starts it: a new thread only, without a namespace of its own.
#define THREAD (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS \
    | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)

bool offstage_jail_seccomp(bool has_threads) {
    const struct narrow narrow[] = {
        // Memory must not become executable.
        {SCMP_SYS(mprotect), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)},
        {SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, F_GETFL)},
        // The first four must stay open; the limit on descriptors then leaves room for those of one message only.
        {SCMP_SYS(close), SCMP_A0(SCMP_CMP_GT, OFFSTAGE_WIRE_SOCKET)},
        // Only to the host. `writev` cannot send descriptors; descriptors in transit would use up the account's limit.
        {SCMP_SYS(writev), SCMP_A0(SCMP_CMP_EQ, OFFSTAGE_WIRE_SOCKET)},
        {SCMP_SYS(recvmsg), SCMP_A0(SCMP_CMP_EQ, OFFSTAGE_WIRE_SOCKET)},
        // Library messages on standard error go to /dev/null.
        {SCMP_SYS(write), SCMP_A0(SCMP_CMP_EQ, STDERR_FILENO)},
        {SCMP_SYS(writev), SCMP_A0(SCMP_CMP_EQ, STDERR_FILENO)},
        // The system's clocks and this process's own. The clocks of other processes have negative numbers.
        {SCMP_SYS(clock_gettime), SCMP_A0(SCMP_CMP_LE, CLOCK_TAI)},
        // Only the worker's own affinity; libc also names its first thread. With other numbers, the call would show which processes exist.
        {SCMP_SYS(sched_getaffinity), SCMP_A0(SCMP_CMP_EQ, 0)},
        {SCMP_SYS(sched_getaffinity), SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid())},
        // abort()
        {SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid())},
    };
    // Also applies to calls of another architecture.
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (!filter) return false;
    bool is_complete = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0;
    for (size_t i = 0; is_complete && i < sizeof harmless / sizeof *harmless; i++) {
        int result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, harmless[i], 0);
        // Some architectures lack some calls, for example `time`.
        is_complete = result == 0 || harmless[i] < 0;
    }
    for (size_t i = 0; is_complete && i < sizeof narrow / sizeof *narrow; i++)
        is_complete = seccomp_rule_add(filter, SCMP_ACT_ALLOW, narrow[i].call, 1, narrow[i].argument) == 0;
    is_complete = is_complete && allow_mapping(filter);
    const struct narrow threads[] = {
        {SCMP_SYS(clone), SCMP_A0(SCMP_CMP_EQ, THREAD)},
        // libc prepares for `setuid` when it starts the first thread.
        {SCMP_SYS(rt_sigaction), SCMP_A0(SCMP_CMP_EQ, 33)},
        {SCMP_SYS(prctl), SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME)},
    };
    for (size_t i = 0; has_threads && is_complete && i < sizeof threads / sizeof *threads; i++)
        is_complete = seccomp_rule_add(filter, SCMP_ACT_ALLOW, threads[i].call, 1, threads[i].argument) == 0;
    // clone3 has its flags in memory, which a filter cannot see. Without clone3, libc starts threads with clone.
    is_complete = is_complete && seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
    // As a search tree, so that the cost of a call hardly grows with the list.
    if (is_complete) seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    bool is_loaded = is_complete && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return is_loaded;
}
