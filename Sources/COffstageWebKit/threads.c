#define _GNU_SOURCE
#include "caller.h"
#include "offstage_system.h"
#include "offstage_webkit.h"

#include <dlfcn.h>
#include <sched.h>

// The threads on which WebKit hears its web processes ask for real time, of the kernel and else of a service on the bus. Where
// they get it, a message of some megabytes keeps the main thread off its processor until it is read: 60 ms at times, in which a
// host's loop stands. So WebKit is told that they have it, and they get short time slices: soon on a processor, and not for long. The linker
// finds this first; it is called from any thread.

int sched_setscheduler(pid_t thread, int policy, const struct sched_param *parameters) {
    static int (*set)(pid_t, int, const struct sched_param *);
    if ((policy & ~SCHED_RESET_ON_FORK) == SCHED_RR && is_webkit(__builtin_return_address(0))) {
        offstage_take_short_slices(thread);
        return 0;
    }
    if (!set) set = dlsym(RTLD_NEXT, "sched_setscheduler");
    return set(thread, policy, parameters);
}
