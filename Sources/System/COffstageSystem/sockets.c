#define _GNU_SOURCE
#include "offstage_system.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <string.h>
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

int offstage_is_local_address(const struct sockaddr *address) {
    struct {
        struct nlmsghdr header;
        struct rtmsg route;
        struct rtattr attribute;
        unsigned char bytes[16];
    } question = {0};
    const void *bytes;
    unsigned length;
    if (address->sa_family == AF_INET) {
        bytes = &((const struct sockaddr_in *)address)->sin_addr;
        length = 4;
    } else if (address->sa_family == AF_INET6) {
        bytes = &((const struct sockaddr_in6 *)address)->sin6_addr;
        length = 16;
    } else {
        return -1;
    }
    question.route.rtm_family = address->sa_family;
    // The kernel connects to an IPv4 address in IPv6 form as to one of IPv4.
    if (length == 16 && IN6_IS_ADDR_V4MAPPED((const struct in6_addr *)bytes)) {
        question.route.rtm_family = AF_INET;
        bytes = (const unsigned char *)bytes + 12;
        length = 4;
    }
    memcpy(question.bytes, bytes, length);
    question.route.rtm_dst_len = (unsigned char)(8 * length);
    question.attribute.rta_type = RTA_DST;
    question.attribute.rta_len = (unsigned short)RTA_LENGTH(length);
    question.header.nlmsg_len = NLMSG_LENGTH(sizeof question.route + RTA_LENGTH(length));
    question.header.nlmsg_type = RTM_GETROUTE;
    question.header.nlmsg_flags = NLM_F_REQUEST;

    int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (netlink < 0) return -1;
    _Alignas(struct nlmsghdr) char buffer[4096];
    ssize_t count = -1;
    if (send(netlink, &question, question.header.nlmsg_len, 0) >= 0) {
        do count = recv(netlink, buffer, sizeof buffer, 0);
        while (count < 0 && errno == EINTR);
    }
    close(netlink);
    const struct nlmsghdr *answer = (const struct nlmsghdr *)buffer;
    if (count < (ssize_t)sizeof *answer || !NLMSG_OK(answer, (size_t)count)) return -1;
    if (answer->nlmsg_type == NLMSG_ERROR && answer->nlmsg_len >= NLMSG_LENGTH(sizeof(struct nlmsgerr))) {
        int error = -((const struct nlmsgerr *)NLMSG_DATA(answer))->error;
        // No connection to such an address is possible.
        return error == ENETUNREACH || error == EHOSTUNREACH ? 0 : -1;
    }
    if (answer->nlmsg_type != RTM_NEWROUTE || answer->nlmsg_len < NLMSG_LENGTH(sizeof(struct rtmsg))) return -1;
    return ((const struct rtmsg *)NLMSG_DATA(answer))->rtm_type != RTN_UNICAST;
}
