// The parts of the jail that are in separate files.
#ifndef OFFSTAGE_JAIL_H
#define OFFSTAGE_JAIL_H

#include <stdbool.h>

/// Denies every access to files and ports. False on a kernel without Landlock.
bool offstage_jail_landlock(void);

/// Ends this process at the first system call that drawing does not need. False if the filter could not be loaded.
///
/// `has_threads`: starting a thread is allowed, too.
bool offstage_jail_seccomp(bool has_threads);

/// Gives up all capabilities, and root's account if the host can still control the process afterwards. False if capabilities
/// remain.
bool offstage_jail_privileges(void);

/// Reports, from a signal handler, that the current drawing needs more memory than the limit.
void offstage_worker_report_exhaustion(void);

#endif
