#define _GNU_SOURCE
#include "offstage_system.h"

#include <fcntl.h>
#include <string.h>
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

int offstage_replace_by_end(int file, const char *last) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0) return -1;
    int sent = send(pair[1], last, strlen(last), MSG_NOSIGNAL) < 0 ? -1 : 0;
    close(pair[1]);
    int replaced = sent == 0 ? dup3(pair[0], file, O_CLOEXEC) : -1;
    close(pair[0]);
    return replaced < 0 ? -1 : 0;
}
