#include "offstage_system.h"

#include <pthread.h>
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

static pthread_t waiters[NSIG];

// Forwards a signal that arrived on another thread. One of the libraries starts a thread when it is loaded, before the
// signals are blocked.
static void forward(int signal) { pthread_kill(waiters[signal], signal); }

int offstage_wait_for_signal(const int signals[], int count) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < count; i++) {
        // A signal that nohup or a shell's & made the program ignore stays ignored.
        struct sigaction old, new = {.sa_handler = forward, .sa_flags = SA_RESTART};
        sigaction(signals[i], NULL, &old);
        if (old.sa_handler == SIG_IGN) continue;
        sigaddset(&set, signals[i]);
        waiters[signals[i]] = pthread_self();
        sigaction(signals[i], &new, NULL);
    }
    int signal = 0;
    while (sigwait(&set, &signal) != 0) continue;
    return signal;
}
