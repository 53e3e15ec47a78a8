#define _GNU_SOURCE
#include "offstage_system.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

int offstage_accept(int listener) { return accept4(listener, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int offstage_poll_new(void) { return epoll_create1(EPOLL_CLOEXEC); }

int offstage_poll_add(int poll, int file) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data.fd = file};
    return epoll_ctl(poll, EPOLL_CTL_ADD, file, &event);
}

void offstage_poll_remove(int poll, int file) { epoll_ctl(poll, EPOLL_CTL_DEL, file, 0); }

int offstage_poll_ready(int poll, int *files, int count) {
    struct epoll_event events[64];
    int ready = epoll_wait(poll, events, count < 64 ? count : 64, 0);
    for (int i = 0; i < ready; i++) files[i] = events[i].data.fd;
    return ready;
}
