#include "offstage_system.h"

#include <signal.h>
#include <stddef.h>

static sigset_t set_of(const int signals[], int count) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
    return set;
}

void offstage_block_signals(const int signals[], int count) {
    sigset_t set = set_of(signals, count);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int offstage_wait_for_signal(const int signals[], int count) {
    sigset_t set = set_of(signals, count);
    int signal = 0;
    while (sigwait(&set, &signal) != 0) continue;
    return signal;
}
