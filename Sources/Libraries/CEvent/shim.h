// Include this first: libevent's headers define _GNU_SOURCE, with which `fd_set` would have different names than in
// Swift's own modules.
#include <sys/select.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/event.h>
