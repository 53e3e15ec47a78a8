#define _GNU_SOURCE
#include "caller.h"
#include "offstage_system.h"
#include "offstage_webkit.h"

#include <dlfcn.h>
#include <sched.h>

// For the threads that receive messages from its web processes, WebKit requests real-time scheduling, from the kernel or else
// from a service on the bus. With real-time scheduling, a message of several megabytes keeps the main thread off its processor
// until it has been read. That takes 60 ms at times, and a host's main loop is blocked meanwhile. So this function reports
// success, and gives the threads short time slices: they run soon, but not for long. The dynamic linker finds this function
// first. Called on any thread.

int sched_setscheduler(pid_t thread, int policy, const struct sched_param *parameters) {
    static int (*set)(pid_t, int, const struct sched_param *);
    if ((policy & ~SCHED_RESET_ON_FORK) == SCHED_RR && is_webkit(__builtin_return_address(0))) {
        offstage_take_short_slices(thread);
        return 0;
    }
    if (!set) set = dlsym(RTLD_NEXT, "sched_setscheduler");
    return set(thread, policy, parameters);
}
