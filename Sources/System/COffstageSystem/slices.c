#include "offstage_system.h"

#include <linux/sched.h>
#include <linux/sched/types.h>
#include <sys/syscall.h>
#include <unistd.h>

// The shortest slice that Linux accepts (`sched_setattr(2)`, 100 µs), in nanoseconds. Since Linux 6.12 the scheduler applies it
// to threads with the ordinary policy. Older versions accept the value and ignore it.
enum { shortest_slice = 100 * 1000 };

void offstage_take_short_slices(int thread) {
    struct sched_attr attributes = {0};
    if (syscall(SYS_sched_getattr, thread, &attributes, sizeof attributes, 0) != 0) return;
    if (attributes.sched_policy != SCHED_NORMAL) return;
    attributes.sched_runtime = shortest_slice;
    attributes.sched_flags |= SCHED_FLAG_RESET_ON_FORK;
    syscall(SYS_sched_setattr, thread, &attributes, 0);
}
