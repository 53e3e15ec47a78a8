#define _GNU_SOURCE
#include "offstage_system.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int write_file(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t count = write(file, text, strlen(text));
    close(file);
    return count < 0 ? -1 : 0;
}

/// Maps the user and the group to themselves.
static int map_ids(uid_t user, gid_t group) {
    char text[64];
    if (write_file("/proc/self/setgroups", "deny") != 0) return -1;
    snprintf(text, sizeof text, "%u %u 1", user, user);
    if (write_file("/proc/self/uid_map", text) != 0) return -1;
    snprintf(text, sizeof text, "%u %u 1", group, group);
    return write_file("/proc/self/gid_map", text);
}

int offstage_listen(void) {
    int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (file >= 0 && bind(file, (struct sockaddr *)&address, sizeof address) == 0 && listen(file, 64) == 0) return file;
    int code = errno;
    if (file >= 0) close(file);
    errno = code;
    return -1;
}

static int listen_inside(void) {
    int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP};
    if (file < 0 || ioctl(file, SIOCSIFFLAGS, &request) != 0) return -1;
    close(file);
    return offstage_listen();
}

struct answer {
    int code;
    int count;
};

/// Runs in a child, which has one thread: a process with several threads cannot create a user namespace.
static void make(int channel, bool listens) {
    uid_t user = geteuid();
    gid_t group = getegid();
    int files[3];
    struct answer answer = {0};
    bool is_done = true, has_user = false;
    if (unshare(CLONE_NEWNET) != 0) {
        has_user = true;
        is_done = unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0 && map_ids(user, group) == 0;
    }
    const char *names[] = {"/proc/self/ns/net", "/proc/self/ns/user"};
    for (int i = 0; is_done && i < (has_user ? 2 : 1); i++) {
        files[answer.count] = open(names[i], O_RDONLY | O_CLOEXEC);
        is_done = files[answer.count++] >= 0;
    }
    if (is_done && listens) is_done = (files[answer.count++] = listen_inside()) >= 0;
    if (!is_done) answer = (struct answer){.code = errno};

    struct iovec part = {.iov_base = &answer, .iov_len = sizeof answer};
    union {
        char bytes[CMSG_SPACE(sizeof files)];
        struct cmsghdr align;
    } control = {0};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (answer.count > 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(answer.count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(answer.count * sizeof(int));
        memcpy(CMSG_DATA(header), files, answer.count * sizeof(int));
    }
    sendmsg(channel, &message, MSG_NOSIGNAL);
    _exit(0);
}

static int receive(int channel, bool listens, struct offstage_namespace *space) {
    struct answer answer = {.code = EIO};
    struct iovec part = {.iov_base = &answer, .iov_len = sizeof answer};
    union {
        char bytes[CMSG_SPACE(3 * sizeof(int))];
        struct cmsghdr align;
    } control = {0};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t count;
    do count = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    struct cmsghdr *header = count == sizeof answer && answer.code == 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (!header) {
        errno = count < 0 ? errno : answer.code;
        return -1;
    }
    int files[3];
    memcpy(files, CMSG_DATA(header), answer.count * sizeof(int));
    int next = 0;
    space->network = files[next++];
    if (answer.count - (listens ? 1 : 0) == 2) space->user = files[next++];
    if (listens) space->listener = files[next];
    return 0;
}

int offstage_namespace_make(bool listens, struct offstage_namespace *space) {
    *space = (struct offstage_namespace){-1, -1, -1};
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    pid_t child = fork();
    if (child == 0) make(ends[1], listens);
    int code = errno;
    close(ends[1]);
    int result = child < 0 ? -1 : receive(ends[0], listens, space);
    if (child >= 0) code = errno;
    close(ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    errno = code;
    return result;
}

int offstage_namespace_enter(const struct offstage_namespace *space) {
    if (space->user >= 0 && setns(space->user, CLONE_NEWUSER) != 0) return -1;
    return setns(space->network, CLONE_NEWNET);
}
