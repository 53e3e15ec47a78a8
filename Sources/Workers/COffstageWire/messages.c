#define _GNU_SOURCE
#include "offstage_wire.h"

#include <errno.h>
#include <linux/sockios.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// A packet with more descriptors is malformed. The buffer has space for a few more, so that they arrive and can be closed.
#define DESCRIPTORS 8

int offstage_wire_pair(int *host, int *worker) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    int on = 1;
    if (setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0) {
        int code = errno;
        close(ends[0]);
        close(ends[1]);
        errno = code;
        return -1;
    }
    *host = ends[0];
    *worker = ends[1];
    return 0;
}

static void sign(struct offstage_wire_head *head) {
    head->magic = OFFSTAGE_WIRE_MAGIC;
    head->version = OFFSTAGE_WIRE_VERSION;
}

int offstage_wire_send(
    int socket, struct offstage_wire_head *head, const void *payload, const int files[OFFSTAGE_WIRE_FILES]) {
    sign(head);
    int lent[OFFSTAGE_WIRE_FILES], count = 0;
    for (int i = 0; i < OFFSTAGE_WIRE_FILES; i++)
        if (files[i] >= 0) lent[count++] = files[i];
    struct iovec parts[2] = {{head, sizeof *head}, {(void *)payload, head->length}};
    union {
        char bytes[CMSG_SPACE(sizeof lent)];
        struct cmsghdr align;
    } control = {0};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = head->length > 0 ? 2 : 1};
    if (count > 0) {
        size_t size = (size_t)count * sizeof *lent;
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(size);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(size);
        memcpy(CMSG_DATA(header), lent, size);
    }
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -1 : 0;
}

int offstage_wire_say(int socket, struct offstage_wire_head *head, const void *payload) {
    sign(head);
    // Uses a system call that cannot send descriptors, because the jail forbids those that can.
    struct iovec parts[2] = {{head, sizeof *head}, {(void *)payload, head->length}};
    ssize_t sent;
    do sent = writev(socket, parts, head->length > 0 ? 2 : 1);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -1 : 0;
}

bool offstage_wire_has_unread(int socket) {
    int bytes = 0;
    return ioctl(socket, SIOCOUTQ, &bytes) == 0 && bytes > 0;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// Waits until the socket is readable or closed.
static enum offstage_wire_result wait_for(int socket, int milliseconds) {
    int64_t deadline = now() + milliseconds;
    struct pollfd entry = {.fd = socket, .events = POLLIN};
    while (true) {
        int ready = poll(&entry, 1, milliseconds);
        if (ready > 0) return OFFSTAGE_WIRE_RECEIVED;
        if (ready < 0 && errno != EINTR) return OFFSTAGE_WIRE_ERROR;
        if (milliseconds < 0) continue;
        int64_t left = deadline - now();
        if (left <= 0) return OFFSTAGE_WIRE_TIMEOUT;
        milliseconds = (int)left;
    }
}

/// Takes the first descriptors, as many as fit, and closes all others. Returns the total number.
static int take_descriptors(struct msghdr *message, int *taken, int room, pid_t *sender) {
    int count = 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header; header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level != SOL_SOCKET) continue;
        if (header->cmsg_type == SCM_CREDENTIALS && sender) {
            struct ucred credentials;
            memcpy(&credentials, CMSG_DATA(header), sizeof credentials);
            *sender = credentials.pid;
        }
        if (header->cmsg_type != SCM_RIGHTS) continue;
        size_t files = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < files; i++, count++) {
            int one;
            memcpy(&one, CMSG_DATA(header) + i * sizeof one, sizeof one);
            if (count < room) taken[count] = one;
            else close(one);
        }
    }
    return count;
}

enum offstage_wire_result offstage_wire_receive(
    int socket, int milliseconds, struct offstage_wire_head *head, void *payload, int files[OFFSTAGE_WIRE_FILES], pid_t *sender) {
    const int room = files ? OFFSTAGE_WIRE_FILES : 0;
    for (int i = 0; i < room; i++) files[i] = -1;
    if (sender) *sender = 0;
    // Without a time limit, recvmsg itself waits, which saves a system call.
    if (milliseconds >= 0) {
        enum offstage_wire_result result = wait_for(socket, milliseconds);
        if (result != OFFSTAGE_WIRE_RECEIVED) return result;
    }
    struct iovec parts[2] = {{head, sizeof *head}, {payload, OFFSTAGE_WIRE_PAYLOAD}};
    union {
        char bytes[CMSG_SPACE(DESCRIPTORS * sizeof(int)) + CMSG_SPACE(sizeof(struct ucred))];
        struct cmsghdr align;
    } control;
    struct msghdr message = {
        .msg_iov = parts, .msg_iovlen = 2, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t count;
    do count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (count < 0) return errno == ECONNRESET ? OFFSTAGE_WIRE_UNREAD : OFFSTAGE_WIRE_ERROR;
    int found = take_descriptors(&message, files, room, sender);
    // An empty packet also looks like the end. Neither end sends one.
    if (count == 0 && found == 0) return OFFSTAGE_WIRE_END;
    bool is_whole = (size_t)count >= sizeof *head && !(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) && found <= room
        && head->magic == OFFSTAGE_WIRE_MAGIC && head->version == OFFSTAGE_WIRE_VERSION
        && head->length == (size_t)count - sizeof *head;
    if (is_whole) return OFFSTAGE_WIRE_RECEIVED;
    for (int i = 0; i < room; i++) {
        if (files[i] >= 0) close(files[i]);
        files[i] = -1;
    }
    return OFFSTAGE_WIRE_MALFORMED;
}
