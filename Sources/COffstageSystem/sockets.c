#define _GNU_SOURCE
#include "offstage_system.h"

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

int offstage_accept(int listener) { return accept4(listener, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int offstage_wake_new(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int offstage_peer_process(int socket) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : 0;
}
