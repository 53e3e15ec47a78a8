#define _GNU_SOURCE
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail.h"

// Debian 12's headers are older than the newest of these rights, and libc has no wrappers.
struct ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

#define CREATE_RULESET 444
#define RESTRICT_SELF 446
#define ASK_VERSION 1

/// All file rights of a version of Landlock: one bit per right.
static uint64_t file_rights(long version) {
    int count = version == 1 ? 13 : version == 2 ? 14 : version < 5 ? 15 : 16;
    return ((uint64_t)1 << count) - 1;
}

bool offstage_jail_landlock(void) {
    long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
    if (version < 1) return false;
    // A right that is listed here is denied unless a rule grants it.
    struct ruleset rules = {.files = file_rights(version)};
    size_t size = sizeof rules.files;
    if (version >= 4) {
        // Binding and connecting TCP sockets.
        rules.network = 3;
        size = 2 * sizeof rules.files;
    }
    if (version >= 6) {
        // Connecting to abstract Unix sockets of, and sending signals to, processes outside.
        rules.scopes = 3;
        size = sizeof rules;
    }
    int file = (int)syscall(CREATE_RULESET, &rules, size, 0);
    if (file < 0) return false;
    bool is_closed = syscall(RESTRICT_SELF, file, 0) == 0;
    close(file);
    return is_closed;
}
