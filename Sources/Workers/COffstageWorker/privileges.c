#define _GNU_SOURCE
#include <grp.h>
#include <linux/capability.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail.h"

// "nobody", who owns no files.
#define NOBODY 65534

static bool has(const struct __user_cap_data_struct data[2], int capability) {
    return data[capability / 32].effective >> capability % 32 & 1;
}

bool offstage_jail_privileges(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2] = {0};
    const struct __user_cap_data_struct none[2] = {0};
    if (syscall(SYS_capget, &header, data) != 0) return false;
    // Without these two, the host could neither limit nor stop a process of another account. The only account inside
    // bubblewrap is the host's.
    bool can_leave = has(data, CAP_SYS_RESOURCE) && has(data, CAP_KILL) && has(data, CAP_SETUID) && has(data, CAP_SETGID);
    // The account may not exist in a container. The jail does not depend on it.
    if (geteuid() == 0 && can_leave && setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0)
        (void)!setresuid(NOBODY, NOBODY, NOBODY);
    // Fails without the privilege, and then there is nothing to drop.
    for (int one = 0; prctl(PR_CAPBSET_READ, one, 0, 0, 0) >= 0; one++) prctl(PR_CAPBSET_DROP, one, 0, 0, 0);
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return syscall(SYS_capset, &header, none) == 0;
}
